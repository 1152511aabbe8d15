import type { Quote } from "@intents/domain/quotes/quote.ts";
import type { IntentDraft, PaymentLink } from "@intents/domain/scenarios/draft.ts";
import { document, quote as quoteFixture } from "@intents/domain/test/intent-fixture.ts";
import { putFile } from "@intents/storage/files/files.ts";
import { addLinkQuote } from "@intents/storage/intents/quotes.ts";
import { findLink } from "@intents/storage/links/links.ts";
import { addPayerDocument, findPayerDocuments } from "@intents/storage/parties/documents.ts";
import { keysOf } from "@intents/storage/table/keys.ts";
import { startFiles } from "@intents/storage/test/files-fixture.ts";
import { findPublishedLink, type PublishedLink } from "../src/links/published-link.ts";
import { openPayerSession } from "../src/payer-sessions/session.ts";
import type { SessionRequest } from "../src/payer-sessions/session-plan.ts";
import type { Run } from "../src/run.ts";
import { actAs } from "./acting-fixture.ts";
import { startWorld, type World } from "./execution-fixture.ts";

const BANK = 900;
const CARD = 901;
const QUOTE_TTL_MS = 1_800_000;

/** For tests: links of a world's tenant, and payers who pay them. */
export function payersOf(world: World) {
  const { table, clock, rail, run, caller } = world;
  const { tenantId } = caller;
  let payers = 0;

  async function publish(paymentLink: PaymentLink = {}, changes: Partial<IntentDraft> = {}): Promise<PublishedLink> {
    const { id, publicLinkId = "" } = await world.newLink({ instructions: { paymentLink }, ...changes });
    await world.submit(id);
    const found = await findPublishedLink(table, publicLinkId);
    if (!found.ok) throw new Error(`The link ${id} was not published`);
    return found.value;
  }

  async function newQuote({ intent }: PublishedLink, changes: Partial<Quote> = {}): Promise<Quote> {
    const quote = {
      ...quoteFixture(),
      quoteId: crypto.randomUUID(),
      createdAt: new Date(clock.ms).toISOString(),
      expiresOn: new Date(clock.ms + QUOTE_TTL_MS).toISOString(),
      ...changes,
    };
    await addLinkQuote(table, tenantId, quote, intent.id);
    return quote;
  }

  async function upload({ intent }: PublishedLink, expiresAtMs = clock.ms + 3_600_000): Promise<string> {
    const documentId = crypto.randomUUID();
    const objectKey = keysOf(tenantId).payerUpload(intent.id, documentId);
    await putFile(run.files, objectKey, Buffer.from("%PDF-1.7"), "application/pdf");
    const stored = document(documentId, { source: "upload", objectKey, expiresAtMs });
    await addPayerDocument(table, tenantId, intent.id, stored);
    return documentId;
  }

  /** The request of a payer who has never paid before, by bank transfer. */
  async function request(link: PublishedLink, changes: Partial<SessionRequest> = {}): Promise<SessionRequest> {
    payers += 1;
    return {
      payerDetails: { firstName: "Payer", lastName: String(payers), email: `payer${payers}@example.com` },
      quoteId: changes.quoteId ?? (await newQuote(link)).quoteId,
      selectedQuoteVariantId: BANK,
      documentIds: [],
      source: `source ${payers}`,
      ...changes,
    };
  }

  const open = (link: PublishedLink, asked: SessionRequest, as: Run = run) =>
    actAs("payment-links", () => openPayerSession(as, link.stored, asked));

  /** The id of a payment that a new payer begins. */
  async function begin(link: PublishedLink, changes: Partial<SessionRequest> = {}): Promise<string> {
    const opened = await open(link, await request(link, changes));
    if (!opened.ok) throw new Error(`The session was refused: ${opened.failure.kind}`);
    return opened.value.paymentIntentId;
  }

  async function finishCheckout(childId: string, outcome: "pay" | "decline"): Promise<void> {
    const checkoutUrl = (await world.get(childId)).executions[0]?.checkoutUrl ?? "";
    await rail.finishCheckout(checkoutUrl.split("/").at(-1) ?? "", outcome);
  }

  return {
    ...{ publish, newQuote, upload, request, open, begin },
    pay: (childId: string) => finishCheckout(childId, "pay"),
    decline: (childId: string) => finishCheckout(childId, "decline"),
    stored: ({ stored }: PublishedLink) => findLink(table, stored.token),
    documentOf: async ({ intent }: PublishedLink, documentId: string) =>
      (await findPayerDocuments(table, tenantId, [{ linkId: intent.id, documentId }]))[0],
    byCard: { selectedQuoteVariantId: CARD },
  };
}

/** For tests: a world with a bucket, and payers in it. */
export async function startPayers() {
  const bucket = await startFiles();
  const world = await startWorld(bucket.files);
  return {
    ...{ bucket, world, payers: payersOf(world) },
    /** The keys of all kept uploads of a link. */
    keptOf: ({ intent }: PublishedLink) => bucket.keysBelow(`payers/kept/${intent.tenantId}/${intent.id}/`),
    stop: async () => {
      await world.stop();
      await bucket.stop();
    },
  };
}
