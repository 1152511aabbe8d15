import { randomBytes } from "node:crypto";
import {
  type Client,
  type Data,
  type ErrorBody,
  fileForm,
  type Intent,
  type Options,
  pdf,
  type Reply,
  WAIT_MS_MAX,
} from "./client.ts";
import { create } from "./tuition.ts";

export type PublicVariant = Readonly<{
  id: number;
  settlementMethod: string;
  settlementChannel: string;
  fromAmount: number;
  fromCurrency: string;
  feesAndCharges: number;
  maxAmount: number;
}>;
export type LinkQuote = Readonly<{
  quoteId: string;
  expiresOn: string;
  amount: number;
  currency: string;
  variants: readonly [PublicVariant, ...PublicVariant[]];
  payouts: readonly Readonly<{ name: string; payeeAmount: number; payerAmount: number }>[];
}>;
export type Session = Readonly<{
  paymentIntentId: string;
  status: string;
  checkoutUrl?: string;
  nextAction: Readonly<{ type: string }> & Readonly<Record<string, unknown>>;
  payment: Readonly<{
    amount: string;
    feesAndCharges: string;
    currency: string;
    recipients: readonly Readonly<{ amount: string; currency: string }>[];
  }>;
}>;
/** A payment as its payer sees it again. */
export type PayerPayment = Readonly<{
  paymentIntentId: string;
  status: string;
  startedAt: string;
  endedAt?: string;
  nextAction?: Session["nextAction"];
  held?: Readonly<{ until: string }>;
}> &
  Readonly<Record<string, unknown>>;
export type Status = Readonly<{ status: string; paymentStatus?: string }>;

/** A payer, who has nothing but the address of a link. */
export type Payer = ReturnType<typeof payerOf>;
export type PublishedLink = Readonly<{ id: string; token: string; payer: Payer }>;

const tuitionLinkBody = {
  useCase: "education_provider_tuition",
  deliveryMode: "reusable_payment_link",
  amountMode: "fixed_payee_amounts",
  payer: { role: "unknown_link_payer" },
  recipients: [
    { role: "education_provider", connectorPayeeId: 5001, amount: { payeeAmount: "99.00", currency: "AUD" } },
  ],
  termsAccepted: true,
};

/** A published link: 99 AUD for the University of Sydney unless `body` says otherwise. */
export async function publishLink(
  client: Client,
  paymentLink: object = {},
  body: object = tuitionLinkBody,
): Promise<PublishedLink> {
  const { id, publicLinkId: token = "" } = await create(client, { ...body, instructions: { paymentLink } });
  const { status, body: answer } = await client.submit(id);
  if (status !== 200) throw new Error(`The link was not published: ${JSON.stringify(answer)}`);
  return { id, token, payer: payerOf(client, token) };
}

let payers = 0;
/** Details of a new payer each time: the rail would take two equal payments by one payer for one. */
export const newPayerDetails = () => ({
  firstName: "Ana",
  lastName: "Silva",
  email: `payer.${Date.now().toString(36)}.${++payers}@example.com`,
});

export function payerOf(client: Client, token: string) {
  const path = `/v2/public/payment-links/${token}`;
  const call = <Body = ErrorBody>(method: string, rest: string, options: Options = {}): Promise<Reply<Body>> =>
    client.call<Body>(method, `${path}${rest}`, { key: null, ...options });

  async function must<Value>(reply: Promise<Reply<Data<Value>>>): Promise<Value> {
    const { status, body } = await reply;
    if (status >= 300) throw new Error(`Answered ${status}: ${JSON.stringify(body)}`);
    return body.data;
  }

  const askQuote = <Body = ErrorBody>(body: object = {}) =>
    call<Body>("POST", "/quote", { body: { payerCountryCode: "BR", ...body } });
  const askUpload = <Body = ErrorBody>(form = uploadForm()) => call<Body>("POST", "/documents", { form });
  const askSession = <Body = ErrorBody>(body: object, secret?: string) =>
    call<Body>("POST", "/payer-session", { body, headers: secretHeader(secret) });
  const askAgain = <Body = ErrorBody>(secret?: string) =>
    call<Body>("GET", "/payer-session", { headers: secretHeader(secret) });
  const askHold = <Body = ErrorBody>(secret: string | undefined, body: object = {}) =>
    call<Body>("POST", "/payer-session/hold", { body, headers: secretHeader(secret) });
  const askRelease = <Body = ErrorBody>(secret?: string) =>
    call<Body>("POST", "/payer-session/release", { headers: secretHeader(secret) });
  const askStatus = <Body = ErrorBody>(childId?: string) =>
    call<Body>("GET", childId === undefined ? "/status" : `/status?paymentIntentId=${childId}`);

  /** The body of a payer-session, with a quote of its own, by bank transfer or by `method`. */
  async function sessionBody({ method = "dmt", ...changes }: { method?: string; amount?: string } = {}) {
    const quote = await must<LinkQuote>(askQuote<Data<LinkQuote>>(changes));
    const chosen = quote.variants.find(({ settlementMethod }) => settlementMethod === method);
    return { payerDetails: newPayerDetails(), quoteId: quote.quoteId, selectedQuoteVariantId: chosen?.id };
  }

  async function waitForPayment(childId: string, wanted: string): Promise<Status> {
    const deadlineMs = performance.now() + WAIT_MS_MAX;
    for (;;) {
      const found = await must<Status>(askStatus<Data<Status>>(childId));
      if (found.paymentStatus === wanted) return found;
      if (performance.now() > deadlineMs) throw new Error(`${childId} is ${found.paymentStatus}, not ${wanted}`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  return {
    ...{ call, askQuote, askUpload, askSession, askStatus, sessionBody, waitForPayment },
    ...{ askAgain, askHold, askRelease },
    details: () => must<Readonly<Record<string, unknown>>>(call("GET", "")),
    quote: (body?: object) => must<LinkQuote>(askQuote<Data<LinkQuote>>(body)),
    upload: async () => (await must<{ documentId: string }>(askUpload<Data<{ documentId: string }>>())).documentId,
    open: (body: object, secret?: string) => must<Session>(askSession<Data<Session>>(body, secret)),
    again: (secret: string) => must<PayerPayment>(askAgain<Data<PayerPayment>>(secret)),
    keep: (secret: string, body?: object) => must<PayerPayment>(askHold<Data<PayerPayment>>(secret, body)),
    giveBack: (secret: string) => must<PayerPayment>(askRelease<Data<PayerPayment>>(secret)),
  };
}

/** A secret as a payer's browser makes it. */
export const newSecret = (): string => randomBytes(32).toString("base64url");

export const secretHeader = (secret: string | undefined): Record<string, string> =>
  secret === undefined ? {} : { "X-Payer-Secret": secret };

/** An upload as a payer's browser sends it. */
export function uploadForm(bytes = pdf(), documentType: string | null = "identity"): FormData {
  const form = fileForm(bytes, "passport.pdf");
  if (documentType !== null) form.set("documentType", documentType);
  return form;
}

/** Presses a button of the sandbox's checkout page. */
export async function finishCheckout(checkoutUrl: string, outcome: "pay" | "decline"): Promise<string> {
  const response = await fetch(checkoutUrl, { method: "POST", body: new URLSearchParams({ outcome }) });
  return response.text();
}

/** The payments by a link, as its tenant lists them. */
export const childrenOf = async (client: Client, linkId: string) => {
  const filter = `filter[createdFrom.paymentIntentId]=${linkId}&filter[deliveryMode]=payment_link_submission`;
  const { body } = await client.call<Data<{ paymentIntents: Intent[] }> & { total: number }>(
    "GET",
    `/v2/payment-intents?${filter}`,
  );
  return { children: body.data.paymentIntents, total: body.total };
};
