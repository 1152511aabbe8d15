import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { keysOf } from "../table/keys.ts";
import { fromDoc, type Table } from "../table/table.ts";
import { behind, dateBounds, EVERYTHING, isEmpty, within } from "./range.ts";
import { readEntries } from "./read.ts";

/** The payments that are read: those made since a moment, milliseconds since 1970, and before the one with an id. */
export type Span = Readonly<{ sinceMs: number; before?: string | undefined }>;

/** Payments read at once, of all tenants together. */
const PAGE = 400;

/** The payments of these tenants, newest first, page by page: it reads no further than its reader goes on. */
export async function* readNewest(
  table: Table,
  tenantIds: readonly string[],
  { sinceMs, before }: Span,
): AsyncGenerator<PaymentIntent[]> {
  const from = dateBounds("INTENT", new Date(sinceMs).toISOString())?.first ?? EVERYTHING.from;
  const range = within([{ ...EVERYTHING, from }, before === undefined ? EVERYTHING : behind(before, "down")]);
  if (isEmpty(range)) return;
  const segments = tenantIds.map((tenantId) => ({ partition: keysOf(tenantId).list("INTENT"), range }));
  const plan = { index: "byCreation", segments, isForward: false, isTight: false } as const;
  for await (const entries of readEntries({ table, plan, kind: "INTENT" }, PAGE)) {
    yield entries.map((entry) => fromDoc<PaymentIntent>(entry));
  }
}
