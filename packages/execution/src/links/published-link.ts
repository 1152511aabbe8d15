import type { Failure } from "@intents/domain/failure.ts";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { fail, ok, type Result } from "@intents/domain/result.ts";
import { findIntent } from "@intents/storage/intents/intents.ts";
import { findLink, type StoredLink } from "@intents/storage/intents/payment-links.ts";
import type { Table } from "@intents/storage/table/table.ts";

/** A link that was found by its token: as stored, and its intent. */
export type PublishedLink = Readonly<{ stored: StoredLink; intent: PaymentIntent }>;

/** A published link by its token; drafts and unknown tokens look alike. */
export async function findPublishedLink(table: Table, token: string): Promise<Result<PublishedLink, Failure>> {
  const stored = await findLink(table, token);
  const found = stored === undefined ? undefined : await findIntent(table, stored.tenantId, stored.intentId);
  if (stored === undefined || !found?.ok) return fail({ kind: "link_not_found" });
  return ok({ stored, intent: found.value });
}
