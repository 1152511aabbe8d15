import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { securityHeaders } from "@intents/contract/security-headers.ts";
import { openDocument } from "@intents/contract/test/exchange-fixture.ts";
import { noteAnswer } from "../answers/noted.ts";

/** The seeded keys: `demo` has every permission, `basic` none and another tenant. */
export const DEMO = "demo:demo-secret";
export const BASIC = "basic:basic-secret";

/** For test files that are not about rate limits, and send more than 200 requests a second. */
export const noRateLimit = { RATE_LIMIT_PER_SECOND: "100000" };

export type Reply<Body> = Readonly<{ status: number; headers: Headers; body: Body; bytes: Uint8Array }>;
export type Data<Value> = Readonly<{ data: Value }>;
/** All fields that an error body may have; a test checks which of them it has. */
export type ErrorBody = Readonly<{
  statusCode: number;
  code?: string;
  message: string | readonly string[];
  error?: string;
  timestamp?: string;
  details?: Readonly<Record<string, unknown>>;
}>;

export type Options = Readonly<{
  /** `null` sends no X-API-Key. */
  key?: string | null;
  /** Sent as JSON. */
  body?: unknown;
  /** A body that is sent as it is; its content type must be in `headers`. */
  raw?: string | Uint8Array<ArrayBuffer>;
  form?: FormData;
  headers?: Readonly<Record<string, string>>;
}>;

/** The refusal by a service on a machine too slow for its writes. */
export const BUSY = "The service is busy; nothing was changed";

/** The longest wait for an event that does not come; even the busiest machine is faster. */
export const WAIT_MS_MAX = 120_000;

type Party = Readonly<{ _id: string; email: string; createdAt: string; updatedAt: string }> &
  Readonly<Record<string, unknown>>;
export type Variant = Readonly<{
  id: number;
  settlementMethod: string;
  settlementChannel: string;
  fromCurrency: string;
}> &
  Readonly<Record<string, unknown>>;
export type Quote = Readonly<{
  quoteId: string;
  countryCode: string;
  expiresOn: string;
  variants: readonly [Variant, ...Variant[]];
  payouts: readonly Readonly<{ payeeId: number; payerAmount: number; payeeAmount: number }>[];
}>;
export type Execution = Readonly<{
  connectorPaymentIds: readonly number[];
  paymentLinkUrl?: string;
  checkoutUrl?: string;
}>;
export type Intent = Readonly<{ id: string; status: string; executions: readonly Execution[]; publicLinkId?: string }> &
  Readonly<Record<string, unknown>>;
export type Changes = Readonly<Record<string, unknown>>;

export type Client = ReturnType<typeof openClient>;

const unsaidOf = openDocument(JSON.parse(readFileSync(new URL("../../../docs/openapi.json", import.meta.url), "utf8")));

/** The service at `url` as one caller sees it; a call may still name another key. */
export function openClient(url: string, callersKey: string = DEMO) {
  async function call<Body = ErrorBody>(method: string, path: string, options: Options = {}): Promise<Reply<Body>> {
    const { key = callersKey, body, raw, form, headers } = options;
    const sent = form ?? raw ?? (body === undefined ? null : JSON.stringify(body));
    const response = await fetch(`${url}${path}`, {
      method,
      body: sent,
      redirect: "manual",
      headers: {
        ...(key !== null && { "X-API-Key": key }),
        ...(form === undefined && sent !== null && { "Content-Type": "application/json" }),
        ...headers,
      },
    });
    const bytes = new Uint8Array(await response.arrayBuffer());
    // In every test, each answer must have the id under which the logs know it, and what browsers must not do.
    for (const name of ["X-Request-Id", ...Object.keys(securityHeaders)]) {
      if (!response.headers.has(name)) throw new Error(`${method} ${path} answered without ${name}`);
    }
    const { status, headers: answered } = response;
    const isJson = bytes.length > 0 && answered.get("content-type") === "application/json";
    const text = new TextDecoder().decode(bytes);
    const parsed: unknown = isJson ? JSON.parse(text) : text;
    // And nothing of it may be missing from the published document.
    const unsaid = unsaidOf({ method, path, sent: body, status, headers: answered, body: parsed });
    if (unsaid.length > 0) throw new Error(`The document does not say of ${method} ${path}: ${unsaid.join("; ")}`);
    noteAnswer({ method, path, status, body: parsed });
    return { status, headers: answered, body: parsed as Body, bytes };
  }

  /** The value under `data` in the answer to a call that must succeed. A busy service is asked again when it says. */
  async function must<Value>(method: string, path: string, options?: Options): Promise<Value> {
    const { status, headers, body } = await call<Data<Value>>(method, path, options);
    if (status < 300) return body.data;
    const text = JSON.stringify(body);
    if (!text.includes(BUSY)) throw new Error(`${method} ${path} answered ${status}: ${text}`);
    await pause(1000 * Number(headers.get("Retry-After")));
    return must(method, path, options);
  }

  const newStudent = (changes: Changes = {}) =>
    must<Party>("POST", "/v2/students", { body: { ...studentBody(), ...changes } });
  const newPayer = (changes: Changes = {}) =>
    must<Party>("POST", "/v2/payers", { body: { ...payerBody(), ...changes } });
  const newPayee = (changes: Changes = {}) =>
    must<Readonly<{ id: number }>>("POST", "/v2/payees", {
      body: { name: "Own Ltd", countryCode: "AU", currencyCode: "AUD", ...changes },
    });

  /** The `documentId` of a fresh upload. */
  async function uploadPdf(): Promise<string> {
    const { documentId } = await must<{ documentId: string }>("POST", "/v2/documents", { form: fileForm(pdf()) });
    return documentId;
  }

  const saveDocument = async (party: string, sourceDocumentId?: string) =>
    must<Readonly<{ legacyDocumentId: string }>>("POST", `${party}/documents`, {
      body: { ...savedDocumentBody, sourceDocumentId: sourceDocumentId ?? (await uploadPdf()) },
    });

  const newQuote = (changes: Changes = {}) => must<Quote>("POST", "/v2/quotes", { body: { ...quoteBody, ...changes } });

  /** A draft that submit would take: a student, a quote and an identity document of its own. */
  async function newTuitionIntent(changes: Changes = {}): Promise<Intent> {
    const [{ _id }, quote, documentId] = await Promise.all([newStudent(), newQuote(), uploadPdf()]);
    return must<Intent>("POST", "/v2/payment-intents", {
      body: { ...tuitionBody(_id, quote, documentId), ...changes },
    });
  }

  const submit = <Body = Data<Intent>>(id: string, idempotencyKey?: string) =>
    call<Body>("POST", `/v2/payment-intents/${id}/submit`, {
      ...(idempotencyKey !== undefined && { headers: { "Idempotency-Key": idempotencyKey } }),
    });

  const getIntent = (id: string) => must<Intent>("GET", `/v2/payment-intents/${id}`);

  /** The intent once it is in one of `statuses`; throws after the longest wait. */
  async function waitForStatus(id: string, statuses: string | readonly string[]): Promise<Intent> {
    const deadlineMs = performance.now() + WAIT_MS_MAX;
    for (;;) {
      const intent = await getIntent(id);
      if ([statuses].flat().includes(intent.status)) return intent;
      if (performance.now() > deadlineMs) throw new Error(`${id} is ${intent.status}, not ${String(statuses)}`);
      await pause(100);
    }
  }

  return {
    url,
    call,
    must,
    newStudent,
    newPayer,
    newPayee,
    uploadPdf,
    saveDocument,
    newQuote,
    newTuitionIntent,
    submit,
    getIntent,
    waitForStatus,
  };
}

let made = 0;
/** A text that is new each time: the rail would take two equal payments by one payer for one. */
const unique = (): string => `${Date.now().toString(36)}${(made++).toString(36)}`;

export const studentBody = () => ({ firstName: "Ana", lastName: "Silva", email: `ana.${unique()}@example.com` });
export const payerBody = () => ({ payerType: "individual", email: `rui.${unique()}@example.com` });
export const savedDocumentBody = { type: "identity", fileName: "passport.pdf", contentType: "application/pdf" };
/** 1500 AUD for the University of Sydney, paid from Brazil. */
export const quoteBody = { payouts: [{ payeeId: 5001, amount: 1500 }], countryCode: "BR", paymentType: "provider" };

export const pdf = (sizeBytes = 400): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(sizeBytes);
  bytes.set(new TextEncoder().encode(`%PDF-1.7 ${unique()}`.slice(0, sizeBytes)));
  return bytes;
};

export function fileForm(
  bytes: Uint8Array<ArrayBuffer>,
  name = "proof.pdf",
  type = "application/pdf",
  part = "file",
): FormData {
  const form = new FormData();
  form.set(part, new File([bytes], name, { type }));
  return form;
}

/** Tuition without a split, by bank transfer, complete. */
export const tuitionBody = (partyId: string, quote: Quote, payerIdentityDocumentId: string) => ({
  useCase: "education_provider_tuition",
  deliveryMode: "manual",
  amountMode: "payer_fixed",
  payer: { role: "student", partyId },
  recipients: quote.payouts.map(({ payeeId, payerAmount }) => ({
    role: "education_provider",
    connectorPayeeId: payeeId,
    amount: { payerAmount: payerAmount.toFixed(2) },
  })),
  instructions: {
    manualPayment: {
      quoteId: quote.quoteId,
      selectedQuoteVariantId: quote.variants[0].id,
      purpose: "undergraduate",
      countryCode: quote.countryCode,
      payerIdentityDocumentId,
    },
  },
  termsAccepted: true,
});
