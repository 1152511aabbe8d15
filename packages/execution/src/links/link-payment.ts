import { ID_LENGTH_MAX } from "@intents/domain/ids.ts";
import { toPublicPayment } from "@intents/domain/links/told-payment.ts";
import { findIntent } from "@intents/storage/intents/intents.ts";
import type { StoredLink } from "@intents/storage/intents/payment-links.ts";
import type { Table } from "@intents/storage/table/table.ts";

/** A payment by `link` as its payer sees it, found by its id; undefined if the link has no such payment. */
export async function findLinkPayment(table: Table, { tenantId, intentId }: StoredLink, childId: string) {
  const child = childId.length > ID_LENGTH_MAX ? undefined : await findIntent(table, tenantId, childId);
  return child?.ok && child.value.createdFrom?.paymentIntentId === intentId ? toPublicPayment(child.value) : undefined;
}
