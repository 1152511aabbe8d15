import * as z from "zod";
import { errorTable } from "./errors.ts";
import { Requirement } from "./evaluation.ts";
import { faultTable } from "./faults.ts";
import { lazily, lazilyByName } from "./route.ts";
import { money, plainText, timestamp } from "./shapes.ts";
import { CommissionRequestStatus, CurrencyCode, IntentStatus } from "./vocabulary.ts";

const AmountLimits = lazily(() =>
  z
    .object({ minAmount: money("The least"), maxAmount: money("The most"), currency: CurrencyCode() })
    .meta({ id: "AmountLimits", description: "The bounds of the amount that a payer may enter at a link" }),
);

/** The body of a 400 that lists what is wrong with the shape of a request. */
const ShapeError = lazily(() =>
  z
    .object({
      message: z.array(z.string()).describe("At most 100 problems, then how many more there are"),
      error: z.literal("Bad Request").describe("The name of the status"),
      statusCode: z.literal(400).describe("The status once more"),
      details: z
        .object({
          errors: z
            .array(
              z
                .object({ path: plainText("The dotted path of what is wrong"), reason: plainText("Why it is wrong") })
                .meta({ id: "ShapeProblem", description: "A problem for machines" }),
            )
            .describe("The same problems"),
          moreErrors: z.int().describe("How many more there are").exactOptional(),
          limits: AmountLimits().exactOptional(),
          next: plainText("What to do next"),
        })
        .describe("The problems for machines"),
    })
    .meta({ id: "ShapeError", description: "Every problem of the request, each opening with its dotted path" }),
);

/** The shapes of what errors tell, by the names of the table. */
const details: Readonly<Record<string, () => z.ZodType>> = {
  allow: () => z.array(z.string()).describe("The methods that the path takes"),
  contentEncoding: () => plainText("The encoding of the body"),
  endsOn: () => timestamp("When the day ends, and the next budget begins"),
  expected: () => z.array(z.string()).describe("The content types that are taken"),
  expiresOn: () => timestamp("When it expired"),
  failedRequirements: () => z.array(z.string()).describe("The permissions or scopes that the key lacks, or `source`"),
  fromCurrency: CurrencyCode,
  legacyConstraint: () => plainText("The rule that asks for the permission"),
  limit: () => z.int().describe("How many there may be"),
  limitBytes: () => z.int().describe("The most bytes that are taken"),
  paymentIds: () => z.array(z.int()).exactOptional().describe("The commissions that it is about"),
  previewHash: () => plainText("The hash of the preview as it is now"),
  quoteId: () => plainText("The quote that was named"),
  reason: () => plainText("What keeps it from being done"),
  resource: () => plainText("What was not found"),
  status: IntentStatus,
  toCurrency: CurrencyCode,
};

/** Details of some errors that the table lacks, or that differ from it. */
const special: Readonly<Partial<Record<BodyName, () => Readonly<Record<string, z.ZodType>>>>> = {
  commission_state: () => ({ status: CommissionRequestStatus().exactOptional() }),
  requirements: () => ({
    ...requirements(),
    reason: plainText("Why it is so although a dry-run was clean").exactOptional(),
  }),
  under_review: () => requirements(),
};

const requirements = () => ({
  missingRequirements: z.array(z.string()).describe("The `path` of each requirement"),
  requirements: z.array(Requirement()).describe("What keeps the intent from being submitted, as a dry-run tells it"),
});

const rows = { ...errorTable, bad_request: faultTable.bad_request, internal: faultTable.internal };
export type BodyName = keyof typeof rows;
type Row = Readonly<{
  status: number;
  code?: string;
  message: string;
  details?: readonly string[];
  retry?: "told" | "later";
}>;

/** The component that is the body of an error. */
export const errorBody = (name: BodyName): z.ZodType => (name === "shape" ? ShapeError() : otherError(name));
const otherError = lazilyByName((name) => buildBody(name as BodyName));

/** Errors that the gateway answers too; its only detail is the request id, its time milliseconds. */
const answeredByGateway: ReadonlySet<BodyName> = new Set([
  "bad_request",
  "internal",
  "media_type",
  "rate_limited",
  "too_large",
  "unauthorized",
]);
const gatewayTime = () =>
  plainText("When it was answered, ISO 8601 in UTC; milliseconds since 1970 where the gateway answers");
const requestId = () => plainText("The id of the request, for whoever looks into it").exactOptional();

function buildBody(name: BodyName): z.ZodType {
  const row: Row = rows[name];
  const isShared = answeredByGateway.has(name);
  const known = (row.details ?? []).map((field) => {
    const schema = details[field]?.() ?? z.unknown();
    return [field, isShared ? schema.exactOptional() : schema] as const;
  });
  return z
    .object({
      statusCode: z.literal(row.status).describe("The status once more"),
      ...(row.code !== undefined && { code: z.literal(row.code).describe("Names the error, for programs") }),
      message: plainText(`What went wrong, and what to do next${row.code === undefined ? "" : ", behind the code"}`),
      ...(name === "key_reused" && { error: z.literal("Unprocessable Entity").describe("The name of the status") }),
      timestamp: isShared ? gatewayTime() : timestamp("When it was answered"),
      details: z
        .object({ ...Object.fromEntries(known), ...special[name]?.(), ...(isShared && { requestId: requestId() }) })
        .describe("What there is to know beside"),
    })
    .meta({
      id: `${toPascal(name)}Error`,
      description: row.message,
      // For generators of clients: when the same request, by the same key, may be sent again.
      ...(row.retry !== undefined && { "x-retry": row.retry }),
    });
}

/** The status of an error, when its request may succeed after all, and what it is, in a line. */
export const errorStatus = (name: BodyName): number => rows[name].status;
export const errorRetry = (name: BodyName): Row["retry"] => (rows[name] as Row).retry;
export function describeError(name: BodyName): string {
  const row: Row = rows[name];
  return row.code === undefined ? row.message : `\`${row.code}\` ${row.message}`;
}

const toPascal = (name: string): string => name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
