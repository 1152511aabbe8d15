import { newUuid } from "@intents/domain/ids.ts";
import { callerActor } from "@intents/domain/intents/audit-event.ts";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import type { Caller } from "@intents/domain/parties/caller.ts";
import { findPublishedLink } from "@intents/execution/links/published-link.ts";
import { releaseLink } from "@intents/execution/payer-sessions/hold.ts";
import { openPayerSession } from "@intents/execution/payer-sessions/session.ts";
import { addLinkQuote } from "@intents/storage/intents/quotes.ts";
import { chooseCountry, quoteFrom } from "./drafts.ts";
import { type Ledger, must } from "./ledger.ts";
import type { People } from "./people.ts";
import type { Random } from "./random.ts";
import type { SimulatedWorld } from "./world.ts";

const QUOTE_TTL_MS = 1_800_000;
/** All payers come from one place, so that its count is often changed at once. */
export const SOURCE = "one";

/** Payers of a tenant's links, who open sessions and at times open the same one again. */
export function openPayers(
  { table, run }: SimulatedWorld,
  random: Random,
  ledger: Ledger,
  caller: Caller,
  people: People,
) {
  const quotes: { quoteId: string; linkId: string }[] = [];
  /** The one payment that was made from each quote. */
  const made = new Map<string, string>();

  async function chooseQuote(linkId: string): Promise<string> {
    const known = quotes.filter((quote) => quote.linkId === linkId && !isClaimed(quote.quoteId));
    if (known.length > 0 && random.chance(0.3)) return random.pick(known).quoteId;
    const quoteId = newUuid(random.bytes);
    const expiresOn = new Date(run.now() + QUOTE_TTL_MS).toISOString();
    const quote = { ...quoteFrom(chooseCountry(random), [5001]), quoteId, expiresOn };
    await addLinkQuote(table, caller.tenantId, quote, linkId);
    quotes.push({ quoteId, linkId });
    return quoteId;
  }

  /**
   * Whether a worker is opening the session. A request that joins it would wait by the real clock, which the simulation
   * lacks.
   */
  const isClaimed = (quoteId: string): boolean =>
    [...ledger.intents.values()].some(
      ({ payerChoice, submission }) => payerChoice?.quoteId === quoteId && submission !== undefined,
    ) || opening.has(quoteId);
  const opening = new Set<string>();

  async function open({ id, publicLinkId = "" }: PaymentIntent, quoteId: string): Promise<void> {
    opening.add(quoteId);
    const link = await findPublishedLink(table, publicLinkId);
    if (!link.ok) return;
    const opened = await openPayerSession(run, link.value.stored, {
      payerDetails: people.newPayer(caller.tenantId),
      quoteId,
      selectedQuoteVariantId: random.chance(0.5) ? 900 : 901,
      documentIds: [],
      source: SOURCE,
    });
    opening.delete(quoteId);
    if (!opened.ok) return;
    const { paymentIntentId } = opened.value;
    must((made.get(quoteId) ?? paymentIntentId) === paymentIntentId, `a quote of ${id} was paid twice`);
    made.set(quoteId, paymentIntentId);
  }

  /** Opens a held link again by the will of its tenant, as its payer and an operator do too. */
  const release = ({ id }: PaymentIntent) => {
    const link = ledger.intents.get(id);
    const wish = { actor: callerActor(caller), cause: "released" };
    return link === undefined ? Promise.resolve() : releaseLink(run, link, wish);
  };

  return { chooseQuote, open, release };
}
