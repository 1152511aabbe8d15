import type { Route } from "@intents/contract/route.ts";
import { type Client, type Data, type Intent, quoteBody, savedDocumentBody } from "./client.ts";

/** Something of every kind that a tenant can own, so that each path of the route table can name one. */
export type Belongings = Awaited<ReturnType<typeof newBelongings>>;

export async function newBelongings(client: Client) {
  const [student, payer, payee, quote, upload, intent] = await Promise.all([
    client.newStudent(),
    client.newPayer(),
    client.newPayee(),
    client.newQuote(),
    client.uploadPdf(),
    client.newTuitionIntent(),
  ]);
  const [studentDocument, payerDocument, checkoutToken] = await Promise.all([
    client.saveDocument(`/v2/students/${student._id}`),
    client.saveDocument(`/v2/payers/${payer._id}`),
    newCheckout(client),
  ]);
  return { student, payer, payee, quote, upload, intent, studentDocument, payerDocument, checkoutToken };
}

/** The token of an open checkout: a submitted intent that is to be paid by card. */
async function newCheckout(client: Client): Promise<string> {
  const quote = await client.newQuote();
  const { recipients, instructions, payer } = (await client.newTuitionIntent()) as Intent & {
    instructions: { manualPayment: object };
  };
  const card = quote.variants.find(({ settlementMethod }) => settlementMethod === "card");
  const manualPayment = {
    ...instructions.manualPayment,
    quoteId: quote.quoteId,
    selectedQuoteVariantId: card?.id,
  };
  const { id } = await client.newTuitionIntent({ payer, recipients, instructions: { manualPayment } });
  const { body } = await client.submit<Data<Intent>>(id);
  return body.data.executions[0]?.checkoutUrl?.split("/").at(-1) ?? "";
}

/** The path of `route` with what `owned` holds in place of its parameters. Throws for a resource it knows nothing of. */
export function pathOf({ on }: Route, owned: Belongings): string {
  const path = on.slice(on.indexOf(" ") + 1);
  if (!path.includes("{")) return path;
  const known = Object.entries(idsIn(owned)).find(([resource]) => path.startsWith(resource));
  if (known === undefined) throw new Error(`Nothing is known that could be named in ${path}`);
  return Object.entries(known[1]).reduce((filled, [name, id]) => filled.replace(`{${name}}`, String(id)), path);
}

const idsIn = (owned: Belongings): Readonly<Record<string, Readonly<Record<string, string | number>>>> => ({
  "/v2/students/": { id: owned.student._id, legacyDocumentId: owned.studentDocument.legacyDocumentId },
  "/v2/payers/": { id: owned.payer._id, legacyDocumentId: owned.payerDocument.legacyDocumentId },
  "/v2/payees/": { id: owned.payee.id },
  "/v2/quotes/": { id: owned.quote.quoteId },
  "/v2/payment-intents/": { id: owned.intent.id },
  "/v2/lookup/": { type: "provider", payeeId: owned.payee.id },
  "/sandbox/checkout/": { token: owned.checkoutToken },
});

/** A body that `route` takes: its example, or what only a test can know. */
export function bodyOf(route: Route, owned: Belongings): unknown {
  if (route.body === undefined) return undefined;
  if (route.on.endsWith("/documents")) return { ...savedDocumentBody, sourceDocumentId: owned.upload };
  if (route.example === undefined) throw new Error(`${route.on} has a body but no example of it`);
  return route.on === "POST /v2/quotes" ? quoteBody : route.example;
}
