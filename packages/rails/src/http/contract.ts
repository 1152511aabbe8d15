import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { once } from "@intents/domain/once.ts";
import { payerTypes } from "@intents/domain/parties/party.ts";
import type {
  ExecuteAnswer,
  FundAnswer,
  FundingOrder,
  PaymentOrder,
  RailRecord,
  RecordsAnswer,
  StatusAnswer,
} from "@intents/domain/rails/rail.ts";
import * as z from "zod";

// The rail's REST contract, spoken by both ends: http.ts asks, rail-server.ts answers, docs/rail-api.yaml describes it.

/** When a request was signed, milliseconds since 1970, and the signature over it or its answer: 64 hex characters. */
export const TIMESTAMP_HEADER = "rail-timestamp";
export const SIGNATURE_HEADER = "rail-signature";

/** Larger bodies are not read to their end. An order of 500 legs has about 150 KB, a page of 1,000 payments 300 KB. */
const BODY_MAX_BYTES = 512 * 1024;

type SignedParts = Readonly<{ timestamp: string; method: string; path: string; body: string }>;

/** HMAC-SHA256 over timestamp, method, path with query, and the body's SHA-256, each on a line of its own. */
export function signatureOf({ timestamp, method, path, body }: SignedParts, secret: string): string {
  const bodyHash = createHash("sha256").update(body).digest("hex");
  return createHmac("sha256", secret).update([timestamp, method, path, bodyHash].join("\n")).digest("hex");
}

type AnswerParts = Readonly<{ signature: string; status: number; body: string }>;

/** HMAC-SHA256 over the signature of the request that is answered, the status, and the body's SHA-256. */
export function answerSignatureOf({ signature, status, body }: AnswerParts, secret: string): string {
  const bodyHash = createHash("sha256").update(body).digest("hex");
  return createHmac("sha256", secret).update([signature, status, bodyHash].join("\n")).digest("hex");
}

/** The secrets that are valid at a time, in hours of a change more than one: the first signs, each of them verifies. */
export type Secrets = readonly [string, ...string[]];

/** The secret by which `sign` makes the signature that was given; undefined when it is none of the valid ones. */
export function secretBehind(given: string, secrets: Secrets, sign: (secret: string) => string): string | undefined {
  const bytes = Buffer.from(given);
  return secrets.find((secret) => {
    const expected = Buffer.from(sign(secret));
    return bytes.length === expected.length && timingSafeEqual(bytes, expected);
  });
}

// Each schema is built when it is first needed: most containers of functions ask no rail behind HTTP.
const text = once(() => z.string().min(1));
const optionalText = once(() => z.string().exactOptional());

// Upper bounds on what a rail says. The service stores it beside what it knows of a payment, in an item of 400 KB at
// most, and shows times as dates: an answer beyond them is as unreadable as one that is no JSON.
const ID_MAX = 200;
const REASON_MAX = 1_000;
const URL_MAX = 2_000;
const LEGS_MAX = 500;
/** The last millisecond of the year 9999. */
const TIME_MS_MAX = 253_402_300_799_999;
const id = once(() => z.string().min(1).max(ID_MAX));
const reason = once(() => z.string().max(REASON_MAX));
const timeMs = once(() => z.int().min(0).max(TIME_MS_MAX));
const amount = once(() => z.string().regex(/^\d{1,18}(\.\d{1,4})?$/));

const Leg = once(() =>
  z.object({
    order: z.int(),
    payeeId: z.int(),
    payeeName: z.string(),
    payerAmount: amount(),
    payeeAmount: amount(),
    payeeCurrency: text(),
    reference: optionalText(),
  }),
);

const Party = once(() =>
  z.object({
    payerType: z.enum(payerTypes).exactOptional(),
    firstName: optionalText(),
    lastName: optionalText(),
    companyName: optionalText(),
    email: optionalText(),
    phone: optionalText(),
    dob: optionalText(),
    addressLine1: optionalText(),
    city: optionalText(),
    state: optionalText(),
    postcode: optionalText(),
    countryCode: optionalText(),
    taxIdentificationNumber: optionalText(),
  }),
);

/** Body of `PUT /payments/{executionId}`. */
export const Order = once(
  (): z.ZodType<PaymentOrder> =>
    z.object({
      tenantId: text(),
      intentId: text(),
      connectorPaymentId: z.int(),
      settlementMethod: text(),
      settlementChannel: text(),
      payerCurrency: text(),
      totalAmount: amount(),
      fee: amount(),
      payerKey: text(),
      payer: Party(),
      legs: z.array(Leg()).min(1).max(LEGS_MAX),
      returnUrl: z.url({ protocol: /^https?$/ }).exactOptional(),
      fundingReference: text().exactOptional(),
    }),
);

/** Body of `PUT /fundings/{fundingReference}`. */
export const Funding = once(
  (): z.ZodType<Omit<FundingOrder, "fundingReference">> =>
    z.object({ tenantId: text(), intentId: text(), currency: text(), amount: amount() }),
);

/** How many payments a page may hold. */
const PAGE_MAX = 1000;

/** Query of `GET /payments`, as text. */
export const PageQuery = once(() =>
  z.object({
    sinceMs: z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number),
    after: text().exactOptional(),
    limit: z
      .string()
      .regex(/^\d{1,4}$/)
      .transform(Number)
      .pipe(z.int().min(1).max(PAGE_MAX)),
  }),
);

const BankDetails = once(() =>
  z.object({
    beneficiaryName: id(),
    accountNumber: id(),
    bankName: id(),
    bsb: id().exactOptional(),
    aba: id().exactOptional(),
    iban: id().exactOptional(),
    swift: id().exactOptional(),
  }),
);

// An answer repeats the ids that it was asked for, so that an answer to another request is never taken for ours.
const addressed = <Answer extends z.ZodType>(answer: Answer) =>
  z.object({ tenantId: text(), executionId: text(), answer });

/** The rail's final answer to an execution, the same whenever it is asked again. */
export type ExecuteVerdict = Extract<ExecuteAnswer, { kind: "accepted" | "duplicate" | "refused" }>;

export const ExecuteReply = once(
  (): z.ZodType<{ tenantId: string; executionId: string; answer: ExecuteVerdict }> =>
    addressed(
      z.discriminatedUnion("kind", [
        z.object({
          kind: z.literal("accepted"),
          railPaymentId: id(),
          expectedSettlementMs: timeMs(),
          bankDetails: BankDetails().exactOptional(),
          dueDate: z.iso.date().exactOptional(),
          checkoutUrl: z
            .url({ protocol: /^https?$/ })
            .max(URL_MAX)
            .exactOptional(),
        }),
        z.object({ kind: z.literal("duplicate"), untilMs: timeMs().exactOptional() }),
        z.object({ kind: z.literal("refused"), reason: reason() }),
      ]),
    ),
);

/** The rail's answer about the status of an execution; `not_found` comes with status 404. */
export type StatusVerdict = Exclude<StatusAnswer, { kind: "unavailable" }>;

const LegOutcome = once(() =>
  z.object({ order: z.int(), outcome: z.enum(["cleared", "failed"]), reason: reason().exactOptional() }),
);

export const StatusReply = once(
  (): z.ZodType<{ tenantId: string; executionId: string; answer: StatusVerdict }> =>
    addressed(
      z.discriminatedUnion("kind", [
        z.object({ kind: z.literal("pending") }),
        z.object({ kind: z.literal("received"), deposit: amount().exactOptional() }),
        z.object({ kind: z.literal("settled"), legs: z.array(LegOutcome()).max(LEGS_MAX) }),
        z.object({ kind: z.literal("cancelled"), reason: reason() }),
        z.object({ kind: z.literal("not_found") }),
      ]),
    ),
);

/** How many executions one question may be about. */
const QUESTION_MAX = 100;

/** Body of `POST /payments/status`. */
export const Question = once(() =>
  z.object({
    payments: z
      .array(z.object({ tenantId: text(), executionId: text() }))
      .min(1)
      .max(QUESTION_MAX),
  }),
);

/** The answers to a question, each of which is a StatusReply or of no use. */
export const StatusesReply = once(() => z.object({ payments: z.array(z.unknown()).max(2 * QUESTION_MAX) }));

export type FundVerdict = Extract<FundAnswer, { kind: "funded" | "refused" }>;

export const FundReply = once(
  (): z.ZodType<{ tenantId: string; fundingReference: string; answer: FundVerdict }> =>
    z.object({
      tenantId: text(),
      fundingReference: text(),
      answer: z.discriminatedUnion("kind", [
        z.object({ kind: z.literal("funded"), bankDetails: BankDetails(), dueDate: z.iso.date() }),
        z.object({ kind: z.literal("refused"), reason: reason() }),
      ]),
    }),
);

const Record = once(
  (): z.ZodType<RailRecord> =>
    z.object({
      tenantId: id(),
      intentId: id(),
      executionId: id(),
      railPaymentId: id(),
      acceptedAtMs: timeMs(),
      currency: text(),
      totalAmount: amount(),
      standing: z.enum(["pending", "received", "settled", "cancelled"]),
      failed: z.array(z.int()).max(LEGS_MAX).exactOptional(),
    }),
);

export type Page = Extract<RecordsAnswer, { kind: "page" }>;

export const PageReply = once(
  (): z.ZodType<{ sinceMs: number; after?: string; answer: Page }> =>
    z.object({
      sinceMs: timeMs(),
      after: text().exactOptional(),
      answer: z.object({
        kind: z.literal("page"),
        payments: z.array(Record()).max(PAGE_MAX),
        after: z.string().min(1).max(URL_MAX).exactOptional(),
      }),
    }),
);

/** Body of every 4xx and 5xx answer. Only `not_accepted` promises that this request did nothing (H3). */
export const Problem = once(() => z.object({ outcome: z.enum(["not_accepted", "unknown"]), reason: reason() }));
export type Problem = z.infer<ReturnType<typeof Problem>>;

/** The value that `json` holds; undefined unless it is JSON of the schema's shape. */
export function parseJson<Value>(schema: () => z.ZodType<Value>, json: string): Value | undefined {
  try {
    return schema().safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}

/** A body as text, or nothing when it is larger than `BODY_MAX_BYTES`. */
export async function readText(body: Request | Response): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let bytes = 0;
  let read = "";
  for await (const chunk of body.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > BODY_MAX_BYTES) return undefined;
    read += decoder.decode(chunk, { stream: true });
  }
  return read + decoder.decode();
}
