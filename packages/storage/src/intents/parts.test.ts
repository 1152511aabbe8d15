import type { ConnectorPayment, Execution, PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { storedIntent } from "@intents/domain/test/intent-fixture.ts";
import { batchLeg } from "@intents/domain/test/leg-fixture.ts";
import { listQuery } from "@intents/domain/test/query-fixture.ts";
import { afterAll, describe, expect, test } from "vitest";
import { writeIntent } from "../../test/intent-fixture.ts";
import { readAll, readPartition, startTable } from "../../test/table-fixture.ts";
import { listRecords } from "../lists/lists.ts";
import { keysOf } from "../table/keys.ts";
import { findIntent, findIntents, intentActions } from "./intents.ts";
import { scanIntents } from "./scan.ts";
import { readStart } from "./submissions.ts";

const { table, stop } = await startTable();
afterAll(stop);

const tenantId = "7001";
const recipients = [5001, 5002].map((connectorPayeeId) => ({ role: "public_payee" as const, connectorPayeeId }));
const [leg] = batchLeg({ order: 0 }).payment.legs;
if (leg === undefined) throw new Error("There is a leg");
const payout = { ...leg, reference: "42", payerCurrency: "BRL" };
const execution: Execution = {
  executionId: "e1",
  connector: "sandbox",
  status: "executing",
  startedAt: "2026-11-21T09:00:00.000Z",
  ...{ connectorPaymentIds: [], payer: {}, currency: "BRL", fee: "40.00", legs: [] },
};
const deposit: ConnectorPayment = {
  transactionBankDetails: { beneficiaryName: "b", accountNumber: "1", bankName: "b" },
  ...{ reference: "42", dueDate: "2026-11-24", amount: "840.00", currency: "BRL", payouts: [payout, payout] },
};
const draft = storedIntent({ id: "a".repeat(24), tenantId, deliveryMode: "bulk", recipients });
const begun: PaymentIntent = { ...draft, status: "executing", executions: [execution], connectorPayment: deposit };
const paid: PaymentIntent = { ...begun, executions: [{ ...execution, connectorPaymentIds: [7, 8] }] };

/** The names of the parts that a change writes. */
const written = (before: PaymentIntent | undefined, after: PaymentIntent): string[] =>
  intentActions(table, before, after, [], () => ({}))
    .actions.filter(({ label }) => label === "part")
    .map(({ write }) => String(write.Put?.Item?.["SK"]));

describe("what of a batch is as long as it has recipients", () => {
  test("is written when it changes, part by part, and never with anything else", () => {
    expect(written(undefined, draft)).toEqual(["PART#RECIPIENTS"]);
    expect(written(draft, begun)).toEqual(["PART#PAYOUTS"]);
    expect(written(begun, paid)).toEqual(["PART#PAYMENT_IDS"]);
    expect(written(paid, { ...paid, bulkProgress: { total: 2, completed: 1, failed: 0 } })).toEqual([]);
    const { connectorPayment: _none, ...called } = paid;
    expect(written(paid, called)).toEqual(["PART#PAYOUTS"]);
    expect(written(undefined, { ...draft, deliveryMode: "manual" })).toEqual([]);
  });

  test("is not in the batch's own item, and comes back with it however the batch is read", async () => {
    let stored: PaymentIntent | undefined;
    for (const after of [draft, begun, paid]) ({ intent: stored } = await writeIntent(table, stored, after));
    const { PK } = keysOf(tenantId).intent(draft.id);
    const own = (await readPartition(table, PK)).find(({ SK }) => SK === "INTENT");
    expect(String(own?.["doc"])).not.toContain("5002");
    const start = await readStart(table, { tenantId, intentId: draft.id, clientId: "none", keyHash: undefined });
    const found = await findIntent(table, tenantId, draft.id);
    const whole = [found.ok && found.value, start.intent, ...(await findIntents(table, [draft]))];
    expect([...whole, ...(await readAll(scanIntents(table, tenantId)))]).toEqual([stored, stored, stored, stored]);
    const query = listQuery({ filter: { "recipients.connectorPayeeId": 5002, "executions.connectorPaymentIds": 8 } });
    const page = await listRecords(table, tenantId, "INTENT", query);
    expect(page).toMatchObject({ ok: true, value: { items: [{ recipients, connectorPayment: deposit }] } });
  });
});
