import type { AttributeValue, CancellationReason } from "@aws-sdk/client-dynamodb";
import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import type { RandomBytes } from "@intents/domain/ids.ts";
import type { RailPayment } from "./payment.ts";
import { paymentEnds } from "./scenarios.ts";
import type { SandboxTerms } from "./terms.ts";

/** One simulated rail's part of the table that they share. */
export type RailTable = Pick<SandboxTerms, "keySpace" | "retentionMs"> &
  Readonly<{ db: DynamoDBDocumentClient; name: string; random: RandomBytes }>;

/** The keys of one rail. Those of its payments, refusals, fingerprints and deposits begin with `tenants`. */
export function keysIn({ keySpace }: Pick<RailTable, "keySpace">) {
  const tenants = `${keySpace}T#`;
  return {
    tenants,
    payment: (tenantId: string, executionId: string) => ({ PK: `${tenants}${tenantId}#PAYMENT`, SK: executionId }),
    refusal: (tenantId: string, executionId: string) => ({
      PK: `${tenants}${tenantId}#REFUSAL#${executionId}`,
      SK: "REFUSAL",
    }),
    fingerprint: (tenantId: string, hash: string) => ({
      PK: `${tenants}${tenantId}#FINGERPRINT#${hash}`,
      SK: "FINGERPRINT",
    }),
    funding: (tenantId: string, reference: string) => ({ PK: `${tenants}${tenantId}#FUNDING`, SK: reference }),
    // The key names no tenant, because the browser that looks a checkout up does not know one.
    checkout: (token: string) => ({ PK: `${keySpace}CHECKOUT#${token}`, SK: "CHECKOUT" }),
  };
}

export const ifAbsent = {
  ConditionExpression: "attribute_not_exists(PK)",
  ReturnValuesOnConditionCheckFailure: "ALL_OLD",
} as const;

export const isFailed = (reason: CancellationReason | undefined): boolean => reason?.Code === "ConditionalCheckFailed";

export const secondsOf = (ms: number): number => Math.ceil(ms / 1000);

export function toPaymentItem(table: RailTable, payment: RailPayment, ttl: number) {
  return { ...keysIn(table).payment(payment.tenantId, payment.executionId), payment: JSON.stringify(payment), ttl };
}

/** The payment in an item as the document client reads it. Updates have written its end and fates beside it. */
export function toPayment(item: Readonly<Record<string, unknown>>): RailPayment {
  const payment: RailPayment = JSON.parse(String(item["payment"]));
  const how = paymentEnds.find((end) => end === item["endedHow"]);
  const fates = item["fates"];
  return {
    ...payment,
    ...(how !== undefined && { end: { how, atMs: Number(item["endedAtMs"]) } }),
    ...(typeof fates === "string" && { fates: JSON.parse(fates) }),
  };
}

/** An item in an exception, which the document client leaves in DynamoDB's own notation. */
type ThrownItem = Readonly<Record<string, AttributeValue>>;

export const toThrownPayment = (item: ThrownItem): RailPayment =>
  toPayment({
    payment: item["payment"]?.S,
    fates: item["fates"]?.S,
    endedHow: item["endedHow"]?.S,
    endedAtMs: item["endedAtMs"]?.N,
  });

/** The item whose presence failed a condition, as ALL_OLD returns it. */
export function itemOf(reason: CancellationReason | undefined): ThrownItem {
  if (reason?.Item === undefined) throw new Error("A condition failed on an item that the store did not return");
  return reason.Item;
}
