import type { Call } from "./calling.ts";

type Payee = Readonly<{ id: number }>;
type Quote = Readonly<{
  quoteId: string;
  variants: readonly Readonly<{ id: number }>[];
  payouts: readonly Readonly<{ payerAmount: number }>[];
}>;
type Intent = Readonly<{ id: string; status: string; executions: readonly Readonly<{ paymentLinkUrl?: string }>[] }>;

const PAYEE = "Example University";
const FINAL = ["completed", "failed", "partially_completed", "cancelled"];
/** A payment of a sandbox settles within a minute or two; whoever waits longer can look into the list. */
const ASKS_MAX = 180;
const ASK_EVERY_MS = 1_000;

/** The payee of every payment of this page, made by the first. */
async function findPayee(call: Call): Promise<Payee> {
  const path = `/v2/payees?filter[name]=${encodeURIComponent(PAYEE)}&limit=1`;
  const { payees } = await call<{ payees: readonly Payee[] }>({ title: "Look for the payee", path });
  const [known] = payees;
  if (known !== undefined) return known;
  const body = { name: PAYEE, countryCode: "AU", currencyCode: "AUD" };
  return call<Payee>({ title: "Create the payee", method: "POST", path: "/v2/payees", body });
}

/** Pays 1,500 AUD from Brazil, step by step, and follows the payment. Gives the status that it ends with. */
export async function pay(call: Call, unique: string): Promise<string> {
  const post = <Data>(title: string, path: string, body?: object, headers = {}) =>
    call<Data>({ title, method: "POST", path, headers, ...(body !== undefined && { body }) });
  const payee = await findPayee(call);
  const quote = await post<Quote>("Price it: a quote locks the rate", "/v2/quotes", {
    payouts: [{ payeeId: payee.id, amount: 1500 }],
    countryCode: "BR",
    paymentType: "provider",
  });
  const form = new FormData();
  form.set("file", new File(["%PDF-1.4 a passport"], "passport.pdf", { type: "application/pdf" }));
  const title = "Upload the payer’s passport";
  const passport = await call<{ documentId: string }>({ title, method: "POST", path: "/v2/documents", form });
  const draft = await post<Intent>("Draft the payment", "/v2/payment-intents", {
    useCase: "education_provider_tuition",
    deliveryMode: "manual",
    amountMode: "payer_fixed",
    payer: { role: "student", details: { firstName: "Ana", lastName: "Silva", email: "ana@example.com" } },
    recipients: [
      {
        role: "public_payee",
        connectorPayeeId: payee.id,
        reference: `Invoice ${unique}`,
        amount: { payerAmount: quote.payouts[0]?.payerAmount.toFixed(2) },
      },
    ],
    instructions: {
      manualPayment: {
        quoteId: quote.quoteId,
        selectedQuoteVariantId: quote.variants[0]?.id,
        purpose: "undergraduate",
        countryCode: "BR",
        payerIdentityDocumentId: passport.documentId,
      },
    },
    termsAccepted: true,
  });
  const path = `/v2/payment-intents/${draft.id}`;
  await post("Try it: a dry-run names what is missing", `${path}/dry-run`);
  let intent = await post<Intent>("Pay it, once", `${path}/submit`, undefined, { "Idempotency-Key": draft.id });
  for (let asked = 0; !FINAL.includes(intent.status) && asked < ASKS_MAX; asked += 1) {
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
    intent = await call<Intent>({ title: "Follow it to its end", path });
  }
  return intent.status;
}

/** Publishes a link that anybody may pay 4,250 AUD by, and gives the address of its page. */
export async function publishLink(call: Call, unique: string): Promise<string> {
  const payee = await findPayee(call);
  const draft = await call<Intent>({
    title: "Draft the link",
    method: "POST",
    path: "/v2/payment-intents",
    body: {
      useCase: "education_provider_tuition",
      deliveryMode: "reusable_payment_link",
      amountMode: "fixed_payee_amounts",
      payer: { role: "unknown_link_payer" },
      recipients: [
        { role: "public_payee", connectorPayeeId: payee.id, amount: { payeeAmount: "4250.00", currency: "AUD" } },
      ],
      instructions: { paymentLink: { reference: `Semester ${unique}` } },
      termsAccepted: true,
    },
  });
  const path = `/v2/payment-intents/${draft.id}/submit`;
  const headers = { "Idempotency-Key": draft.id };
  const { executions } = await call<Intent>({ title: "Publish it", method: "POST", path, headers });
  return executions[0]?.paymentLinkUrl ?? "";
}
