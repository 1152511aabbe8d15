import type { Failure } from "@intents/domain/failure.ts";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { isStopped } from "@intents/domain/links/link-state.ts";
import { toPublicLink } from "@intents/domain/links/payment-link.ts";
import { fail, ok, type Result } from "@intents/domain/result.ts";
import { findIntent } from "@intents/storage/intents/intents.ts";
import { findLink, type StoredLink } from "@intents/storage/links/links.ts";
import type { Table } from "@intents/storage/table/table.ts";

/** A link that was found by its token: as stored, and its intent. */
export type PublishedLink = Readonly<{ stored: StoredLink; intent: PaymentIntent }>;

/** Whether nothing new is done in a tenant's name. */
export type IsSuspended = (tenantId: string, nowMs: number) => boolean | Promise<boolean>;

/** A published link by its token; drafts and unknown tokens look alike. */
export async function findPublishedLink(table: Table, token: string): Promise<Result<PublishedLink, Failure>> {
  const stored = await findLink(table, token);
  const found = stored === undefined ? undefined : await findIntent(table, stored.tenantId, stored.intentId);
  if (stored === undefined || !found?.ok) return fail({ kind: "link_not_found" });
  return ok({ stored, intent: found.value });
}

/**
 * A link as anybody may see it who has its address: one read. It is closed while its tenant is suspended, or a payment by
 * it is under review.
 */
export async function findPublicLink(
  { table, isSuspended }: Readonly<{ table: Table; isSuspended: IsSuspended }>,
  token: string,
  nowMs: number,
) {
  const stored = await findLink(table, token, { isStrong: false });
  if (stored === undefined) return fail({ kind: "link_not_found" } as const);
  const isClosed = isStopped(stored.state, await isSuspended(stored.tenantId, nowMs));
  return ok({
    stored,
    link: toPublicLink(stored.terms, { isClosed, heldUntilMs: stored.state.holder?.untilMs }, nowMs),
  });
}
