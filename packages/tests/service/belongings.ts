import type { Route } from "@intents/contract/route.ts";
import {
  type Client,
  type Data,
  fileForm,
  type Intent,
  type Options,
  pdf,
  quoteBody,
  savedDocumentBody,
} from "./client.ts";
import { newCommissionRequests, requestForm } from "./commissions.ts";
import { newSecret, publishLink, secretHeader, uploadForm } from "./links.ts";
import { newDraft } from "./tuition.ts";

/** One record of every kind that a tenant can own, so that each path of the route table can name one. */
export type Belongings = Awaited<ReturnType<typeof newBelongings>>;

export async function newBelongings(client: Client) {
  const endpoint = await newEndpoint(client);
  const [student, payer, payee, quote, upload, intent] = await Promise.all([
    client.newStudent(),
    client.newPayer(),
    client.newPayee(),
    client.newQuote(),
    client.uploadPdf(),
    client.newTuitionIntent(),
  ]);
  const [studentDocument, payerDocument, checkoutToken, link, commissions, payments] = await Promise.all([
    client.saveDocument(`/v2/students/${student._id}`),
    client.saveDocument(`/v2/payers/${payer._id}`),
    newCheckout(client),
    publishLink(client),
    newCommissionRequests(client),
    newPayments(client),
  ]);
  const [students, payers, expiring, doomedEndpoint] = await Promise.all([
    newDoomed(client, "students"),
    newDoomed(client, "payers"),
    newExpiring(client),
    newEndpoint(client),
  ]);
  const [session, secret] = [await link.payer.sessionBody(), newSecret()];
  await link.payer.open(await link.payer.sessionBody({ method: "card" }), secret);
  const page = await client.call<string>("GET", `/pay/plink_${link.token}`, { key: null });
  const script = /assets\/([^"]+\.js)/.exec(page.body)?.[1] ?? "";
  return {
    student,
    payer,
    payee,
    quote,
    upload,
    intent,
    studentDocument,
    payerDocument,
    checkoutToken,
    commissions,
    payments,
    link,
    session,
    secret,
    script,
    doomed: { students, payers },
    doomedEndpoint,
    expiring,
    endpoint,
    delivery: await findDelivery(client, endpoint),
  };
}

/** An endpoint to which nothing is sent: port 9 of this machine takes no connection. */
async function newEndpoint(client: Client): Promise<string> {
  const body = { url: "http://127.0.0.1:9/", types: ["commissionRequest"] };
  return (await client.must<{ id: string }>("POST", "/v2/webhook-endpoints", { body })).id;
}

/** The id of an event that was not delivered to the endpoint. */
async function findDelivery(client: Client, endpoint: string): Promise<string> {
  for (let tries = 0; tries < 600; tries++) {
    const path = `/v2/webhook-endpoints/${endpoint}/deliveries`;
    const [delivery] = (await client.must<{ deliveries: { id: string }[] }>("GET", path)).deliveries;
    if (delivery !== undefined) return delivery.id;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("No event was sent to an endpoint");
}

/** A party to be deleted, and one of which only the document is to be. */
async function newDoomed(client: Client, kind: "students" | "payers") {
  const newParty = () => (kind === "students" ? client.newStudent() : client.newPayer());
  const [party, owner] = await Promise.all([newParty(), newParty()]);
  const { legacyDocumentId } = await client.saveDocument(`/v2/${kind}/${owner._id}`);
  return { id: party._id, saved: { id: owner._id, legacyDocumentId } };
}

/** Makes records to expire before their time, which no other request needs. */
async function newExpiring(client: Client) {
  const [quote, draft, link] = await Promise.all([
    client.newQuote(),
    client.newTuitionIntent(),
    publishLink(client, { isSingleUse: true }),
  ]);
  await link.payer.open(await link.payer.sessionBody({ method: "card" }));
  return { quoteId: quote.quoteId, draftId: draft.id, token: link.token };
}

/** A payment for each thing that testers make happen, to which nothing else does meanwhile. */
async function newPayments(client: Client) {
  const newPaymentId = async () => paymentIdOf(await newCardPayment(client));
  const [settle, fail, delay, receive, returned] = await Promise.all([
    newPaymentId(),
    newPaymentId(),
    newPaymentId(),
    newPaymentId(),
    newCardPayment(client),
  ]);
  await client.must("POST", `/sandbox/payments/${paymentIdOf(returned)}/settle`);
  await client.waitForStatus(returned.id, "completed");
  return { settle, fail, delay, receive, return: paymentIdOf(returned) };
}

const paymentIdOf = ({ executions }: Intent): number => executions[0]?.connectorPaymentIds[0] ?? 0;

/** The token of an open checkout. */
async function newCheckout(client: Client): Promise<string> {
  const { executions } = await newCardPayment(client);
  return executions[0]?.checkoutUrl?.split("/").at(-1) ?? "";
}

/** A submitted intent that is to be paid by card: it stays as it is until somebody does something. */
async function newCardPayment(client: Client): Promise<Intent> {
  const { id } = await newDraft(client, { pick: ({ settlementMethod }) => settlementMethod === "card" });
  const { body } = await client.submit<Data<Intent>>(id);
  return body.data;
}

/** The path of `route` with ids of `owned` in place of its parameters. Throws for a resource that it does not know. */
export function pathOf({ on }: Route, owned: Belongings): string {
  const path = on.slice(on.indexOf(" ") + 1);
  if (path === "/v2/commissions/export") return `${path}?reportPeriod=${owned.commissions.month}`;
  if (path === "/v2/document-reads") return `${path}?ownerId=${owned.student._id}`;
  if (!path.includes("{")) return path;
  if (on.startsWith("DELETE ")) return doomedPath(path, owned);
  if (path.endsWith("/release-hold")) return path.replace("{id}", owned.link.id);
  const known = Object.entries(idsIn(owned)).find(([resource]) => path.startsWith(resource));
  if (known === undefined) throw new Error(`Nothing is known that could be named in ${path}`);
  return fill(path, known[1]) + (path.endsWith("/delay") ? "?seconds=86400" : "");
}

/** Deletions get records that no other request needs. */
function doomedPath(path: string, { doomed, doomedEndpoint }: Belongings): string {
  if (path.startsWith("/v2/webhook-endpoints/")) return fill(path, { id: doomedEndpoint });
  const { id, saved } = path.startsWith("/v2/students/") ? doomed.students : doomed.payers;
  return fill(path, path.includes("/documents/") ? saved : { id });
}

const fill = (path: string, ids: Readonly<Record<string, string | number>>): string =>
  Object.entries(ids).reduce((filled, [name, id]) => filled.replace(`{${name}}`, String(id)), path);

const idsIn = (owned: Belongings): Readonly<Record<string, Readonly<Record<string, string | number>>>> => ({
  "/v2/students/": { id: owned.student._id, legacyDocumentId: owned.studentDocument.legacyDocumentId },
  "/v2/payers/": { id: owned.payer._id, legacyDocumentId: owned.payerDocument.legacyDocumentId },
  "/v2/payees/": { id: owned.payee.id },
  "/v2/quotes/": { id: owned.quote.quoteId },
  "/v2/payment-intents/": { id: owned.intent.id },
  "/v2/lookup/": { type: "provider", payeeId: owned.payee.id },
  "/v2/commissions/requests/{id}/proof": { id: owned.commissions.paid },
  "/v2/webhook-endpoints/": { id: owned.endpoint, deliveryId: owned.delivery },
  "/v2/commissions/requests/": { id: owned.commissions.submitted },
  "/v2/public/payment-links/": { token: owned.link.token },
  "/pay/": { token: `plink_${owned.link.token}` },
  "/assets/": { file: owned.script },
  "/docs/": { page: "errors" },
  "/chat/": { conversationId: "none" },
  "/sandbox/checkout/": { token: owned.checkoutToken },
  "/sandbox/quotes/": { id: owned.expiring.quoteId },
  "/sandbox/payment-intents/": { id: owned.expiring.draftId },
  "/sandbox/payment-links/": { token: owned.expiring.token },
  ...Object.fromEntries(
    Object.entries(owned.payments).map(([what, connectorPaymentId]) => [
      `/sandbox/payments/{connectorPaymentId}/${what}`,
      { connectorPaymentId },
    ]),
  ),
});

/** A request that `route` answers with success. */
export function requestOf(route: Route, owned: Belongings): Options {
  if (route.form === "multipart") return { form: formOf(route, owned) };
  if (route.form === "urlencoded")
    return { raw: "outcome=pay", headers: { "Content-Type": "application/x-www-form-urlencoded" } };
  const body = bodyOf(route, owned);
  return {
    ...(body !== undefined && { body }),
    ...(route.payerSecret === "asked" && { headers: secretHeader(owned.secret) }),
  };
}

/** A form that `route` takes. */
export function formOf({ on }: Route, owned: Belongings): FormData {
  if (on === "POST /v2/documents") return fileForm(pdf());
  if (on === "POST /v2/commissions/requests") return requestForm(owned.commissions.outstanding);
  return on.startsWith("PUT /v2/commissions/") ? fileForm(pdf(), "a.pdf", "application/pdf", "invoice") : uploadForm();
}

/** A body that `route` takes: its example, or one with ids of `owned`. */
export function bodyOf(route: Route, owned: Belongings): unknown {
  if (route.body === undefined) return undefined;
  if (route.on.endsWith("/documents")) return { ...savedDocumentBody, sourceDocumentId: owned.upload };
  if (route.on.endsWith("/payer-session")) return owned.session;
  if (route.on.endsWith("/replay")) return { from: new Date(Date.now() - 3_600_000).toISOString() };
  if (route.example === undefined) throw new Error(`${route.on} has a body but no example of it`);
  return route.on === "POST /v2/quotes" ? quoteBody : route.example;
}
