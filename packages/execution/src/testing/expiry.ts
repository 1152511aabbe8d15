import type { Failure } from "@intents/domain/failure.ts";
import { inFlight, isClaimed, type PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { isOver } from "@intents/domain/links/hold.ts";
import type { Quote } from "@intents/domain/quotes/quote.ts";
import { fail, ok, type Result } from "@intents/domain/result.ts";
import { findIntent } from "@intents/storage/intents/intents.ts";
import { findLinkQuote, findQuote, replaceQuote } from "@intents/storage/intents/quotes.ts";
import { endHold, findLink } from "@intents/storage/links/links.ts";
import { wakeDraft } from "@intents/storage/polling/timers.ts";
import type { IntentKey } from "@intents/storage/table/keys.ts";
import { askSoon } from "../polling/ask-soon.ts";
import type { Post } from "../polling/sweep.ts";
import type { Run } from "../run.ts";

// Brings forward expiries that would take minutes or days. Only the time moves: the usual workers do the rest.

/** The quote as expired, since now or before; with `token`, one that a payer asked for on that link of the tenant's. */
export async function expireQuote(
  { table, now }: Pick<Run, "table" | "now">,
  tenantId: string,
  { quoteId, token }: Readonly<{ quoteId: string; token?: string }>,
): Promise<Result<Quote, Failure>> {
  const link = token === undefined ? undefined : await findLink(table, token);
  if (token !== undefined && link?.tenantId !== tenantId) return fail({ kind: "link_not_found" });
  const linkId = link?.intentId;
  const find = () =>
    linkId === undefined ? findQuote(table, tenantId, quoteId) : findLinkQuote(table, tenantId, quoteId, linkId);
  const quote = await find();
  if (quote === undefined) return fail({ kind: "quote_not_found", quoteId });
  const nowMs = now();
  if (Date.parse(quote.expiresOn) <= nowMs) return ok(quote);
  const expired = { ...quote, expiresOn: new Date(nowMs).toISOString() };
  // Nothing else ever changes a quote: whoever was faster has let it expire as well.
  const isReplaced = await replaceQuote(table, tenantId, quote, expired, linkId);
  return ok(isReplaced ? expired : ((await find()) ?? expired));
}

/** The draft, which is cancelled in a moment, or as it was when it expired before. */
export async function expireDraft(run: Run, post: Post, key: IntentKey): Promise<Result<PaymentIntent, Failure>> {
  const found = await findIntent(run.table, key.tenantId, key.id);
  if (!found.ok) return found;
  const intent = found.value;
  if (isClaimed(intent)) return fail(inFlight(intent, run.now(), run.settings.leaseMs));
  if (intent.status !== "draft")
    return hasExpired(intent) ? found : fail({ kind: "wrong_status", status: intent.status });
  const lease = await wakeDraft(run.table, key, run.now());
  if (lease !== undefined) await post([{ message: { kind: "timer", ...lease } }]);
  return found;
}

const hasExpired = ({ status, statusHistory }: PaymentIntent): boolean =>
  status === "cancelled" && statusHistory.at(-1)?.by === "schedule";

/** The link, whose holder, if there is one, is called off in a moment unless it has been paid. */
export async function expireHold(
  run: Run,
  post: Post,
  tenantId: string,
  token: string,
): Promise<Result<PaymentIntent, Failure>> {
  const stored = await findLink(run.table, token);
  const link = stored?.tenantId === tenantId ? await findIntent(run.table, tenantId, stored.intentId) : undefined;
  if (stored === undefined || !link?.ok) return fail({ kind: "link_not_found" });
  if (stored.state.closedBy !== undefined) return fail({ kind: "link_closed" });
  const holder = stored.state.holder && (await findIntent(run.table, tenantId, stored.state.holder.id));
  if (!holder?.ok || isOver(holder.value)) return link;
  const { id, executions } = holder.value;
  const nowMs = run.now();
  await endHold(run.table, token, { childId: id, untilMs: nowMs });
  const executionId = executions.at(-1)?.executionId;
  // One that is being submitted is asked about once its rail has it.
  if (executionId !== undefined) await askSoon(run, holder.value, [{ tenantId, id, executionId, lookMs: nowMs }], post);
  return link;
}
