import type { ListQuery } from "@intents/domain/lists/query.ts";
import type { ListKind } from "@intents/domain/lists/resources.ts";
import type { Caller } from "@intents/domain/parties/caller.ts";
import { listOthers } from "@intents/storage/lists/lists.ts";
import { table } from "./environment.ts";

type ListRequest = Readonly<{ caller: Caller; query: ListQuery; isExplained: boolean }>;

/**
 * A page of the caller's own tenant, of records that are no intents; with the header `X-Explain: true` it also tells how it
 * was read.
 */
export const listPage = <Kind extends Exclude<ListKind, "INTENT">>(
  kind: Kind,
  { caller, query, isExplained }: ListRequest,
) => listOthers(table, caller.tenantId, kind, query, { isExplained });
