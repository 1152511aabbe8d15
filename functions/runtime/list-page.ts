import type { ListQuery } from "@intents/domain/lists/query.ts";
import type { ListKind } from "@intents/domain/lists/resources.ts";
import type { Caller } from "@intents/domain/parties/caller.ts";
import { listRecords } from "@intents/storage/lists/lists.ts";
import { table } from "./environment.ts";

type ListRequest = Readonly<{ caller: Caller; query: ListQuery; isExplained: boolean }>;

/** A page of the caller's own tenant; with the header `X-Explain: true` it also tells how it was read. */
export const listPage = <Kind extends ListKind>(kind: Kind, { caller, query, isExplained }: ListRequest) =>
  listRecords(table, caller.tenantId, kind, query, { isExplained });
