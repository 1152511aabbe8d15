import { UpdateCommand as RailUpdateCommand } from "@aws-sdk/lib-dynamodb";
import { eraseFrom, notPersonal, type Privacy } from "@intents/domain/privacy/erasure.ts";
import { paymentLegPrivacy } from "@intents/domain/privacy/order.ts";
import { keysIn, type RailTable } from "./items.ts";
import type { RailPayment } from "./payment.ts";
import { listPayments } from "./reads.ts";

/** An execution has at most so many parts: the recipients of a batch. */
const PARTS_MAX = 100_000;

export const railPaymentPrivacy: Privacy<Omit<RailPayment, "end" | "fates">> = {
  ...notPersonal("tenantId", "executionId", "intentId", "settlementMethod", "payerCurrency", "totalAmount"),
  ...notPersonal("acceptedAtMs", "answer", "settleMs", "checkoutToken", "returnUrl", "fundingReference"),
  connectorPaymentId: "our payment id",
  legs: paymentLegPrivacy,
  fingerprint: "kept: finds duplicates, and is a digest",
};

/** Erases the references of an execution and its parts, which are all that the sandbox rail knows of people. */
export async function forgetPeople(table: RailTable, tenantId: string, executionId: string): Promise<void> {
  for (const { end, fates, ...payment } of await listPayments(table, tenantId, PARTS_MAX, executionId)) {
    await table.db.send(
      new RailUpdateCommand({
        TableName: table.name,
        Key: keysIn(table).payment(tenantId, payment.executionId),
        UpdateExpression: "SET payment = :payment",
        ConditionExpression: "attribute_exists(PK)",
        ExpressionAttributeValues: { ":payment": JSON.stringify(eraseFrom(payment, railPaymentPrivacy, ["anybody"])) },
      }),
    );
  }
}
