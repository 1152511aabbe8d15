import { ID_LENGTH_MAX } from "@intents/domain/ids.ts";
import { toPublicPayment } from "@intents/domain/links/payment-view.ts";
import { findIntent } from "@intents/storage/intents/intents.ts";
import type { StoredLink } from "@intents/storage/links/links.ts";
import { findReviewState } from "@intents/storage/reviews/reviews.ts";
import type { Table } from "@intents/storage/table/table.ts";

/** A payment by `link` as its payer sees it, found by its id in one read; undefined if the link has no such payment. */
export async function findLinkPayment(table: Table, { tenantId, intentId }: StoredLink, childId: string) {
  if (childId.length > ID_LENGTH_MAX) return undefined;
  const [child, beside] = await Promise.all([
    findIntent(table, tenantId, childId),
    findReviewState(table, { tenantId, id: childId }),
  ]);
  if (!child.ok || child.value.createdFrom?.paymentIntentId !== intentId) return undefined;
  return toPublicPayment(child.value, beside);
}
