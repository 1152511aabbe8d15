import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import { DAY_MS } from "@intents/domain/durations.ts";
import type { FundingOrder, PaymentOrder, Rail, RailRecord } from "@intents/domain/rails/rail.ts";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { CHECKOUT_MS, DEDUP_MS, funding, leg, order, SETTLE_MS, startSandbox } from "../../test/rail-fixture.ts";
import { sandboxBank } from "./bank.ts";
import { type SandboxTerms, sandbox } from "./terms.ts";

const table = await startSandbox();
afterAll(() => table.stop());
let tenants = 7000;
let tenantId = "";

// Each test has a tenant of its own, so that payments and fingerprints of other tests do not matter.
beforeEach(() => {
  tenants += 1;
  tenantId = String(tenants);
});

const newId = () => table.newId();
const orderOf = (changes: Partial<PaymentOrder> = {}) => order({ tenantId, ...changes });
const fundingOf = (changes: Partial<FundingOrder> = {}) => funding({ tenantId, ...changes });
/** A time later than that of every payment so far. */
function later(): number {
  table.clock.ms += 1;
  return table.clock.ms;
}

const PAGES_MAX = 100;

/** Every payment that the rail lists, page by page. */
async function listAll({ list }: Rail, page: { sinceMs: number; limit: number }): Promise<RailRecord[]> {
  const all: RailRecord[] = [];
  let after: string | undefined;
  for (let pages = 0; pages < PAGES_MAX; pages++) {
    const answer = await list({ ...page, ...(after !== undefined && { after }) });
    if (answer.kind !== "page") throw new Error(answer.reason);
    expect(answer.payments.length).toBeLessThanOrEqual(page.limit);
    all.push(...answer.payments);
    if (answer.after === undefined) return all;
    after = answer.after;
  }
  throw new Error("The pages have no end");
}

const both = [sandbox, sandboxBank].map((terms) => [terms.rail.name, terms] as const);

describe.each(both)("the rail %s", (name, terms: SandboxTerms) => {
  const rail = table.open(table.db, terms);
  const { port } = rail;

  test("says what it is, under its name", () => {
    expect(port.rail).toBe(terms.rail);
    const scenario = { useCase: "supplier_payment", deliveryMode: "manual", amountMode: "recipient_fixed" } as const;
    expect(port.describe({ ...scenario, payer: { role: "tenant" } })).toMatchObject({
      ...{ provider: name, version: terms.scenarios.version, maxRecipients: terms.scenarios.maxRecipients.manual },
    });
  });

  test("settles after its own time, within twice the usual, and has its own prefix for payment ids", async () => {
    const executionId = newId();
    const answer = await port.execute(orderOf(), executionId);
    const settleMs = SETTLE_MS * terms.settleFactor;
    expect(answer).toMatchObject({ kind: "accepted", expectedSettlementMs: table.clock.ms + settleMs });
    expect(answer).toMatchObject({ bankDetails: { bankName: terms.bank.bankName } });
    expect(answer.kind === "accepted" && answer.railPaymentId.startsWith(terms.paymentPrefix)).toBe(true);
    table.clock.ms += settleMs - 1;
    expect(await port.status(tenantId, executionId)).toEqual({ kind: "pending" });
    table.clock.ms += 1;
    expect(await port.status(tenantId, executionId)).toMatchObject({ kind: "settled" });
    expect(settleMs).toBeLessThanOrEqual(2 * SETTLE_MS);
  });

  test("keeps every execution, accepted or refused, a day longer than it promises to remember it", async () => {
    await port.execute(orderOf(), newId());
    await port.execute(orderOf(), newId());
    const Items = (await table.db.send(new ScanCommand({ TableName: table.tableName }))).Items ?? [];
    const kept = Items.filter(({ PK }) => new RegExp(`T#${tenantId}#(PAYMENT|REFUSAL)`).test(PK));
    expect(kept).toHaveLength(2);
    const forgottenAtMs = table.clock.ms + terms.rail.remembersMs + DAY_MS;
    for (const { ttl } of kept) expect(ttl).toBe(Math.ceil(forgottenAtMs / 1000));
  });

  describe("a duplicate", () => {
    test("is told when the window of the equal payment ends", async () => {
      const acceptedAtMs = table.clock.ms;
      await port.execute(orderOf(), newId());
      table.clock.ms += DEDUP_MS - 1;
      const untilMs = acceptedAtMs + DEDUP_MS;
      expect(await port.execute(orderOf(), newId())).toEqual({ kind: "duplicate", untilMs });
      table.clock.ms = untilMs;
      expect(await port.execute(orderOf(), newId())).toMatchObject({ kind: "accepted" });
    });

    test("gets the same answer whenever it is asked again, even if another payment holds the window by then", async () => {
      const refused = newId();
      await port.execute(orderOf(), newId());
      const first = await port.execute(orderOf(), refused);
      table.clock.ms += DEDUP_MS;
      await port.execute(orderOf(), newId());
      expect(await port.execute(orderOf(), refused)).toEqual(first);
      const answers = await Promise.all(Array.from({ length: 10 }, () => port.execute(orderOf(), refused)));
      expect(answers).toEqual(answers.map(() => first));
    });

    test("that a tester chose ends a whole window from now, and is told the same when it is asked again", async () => {
      const executionId = newId();
      const wished = orderOf({ legs: [leg({ reference: "SANDBOX-DUPLICATE" })] });
      const answer = { kind: "duplicate", untilMs: table.clock.ms + DEDUP_MS };
      expect(await port.execute(wished, executionId)).toEqual(answer);
      table.clock.ms += DEDUP_MS;
      expect(await port.execute(wished, executionId)).toEqual(answer);
    });
  });

  describe("a deposit for a batch", () => {
    test("is announced once: the first answer is every answer, at the same time or days later", async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => port.fund(fundingOf())));
      const [first] = answers;
      const dueDate = new Date(table.clock.ms + 3 * DAY_MS).toISOString().slice(0, 10);
      expect(first).toMatchObject({ kind: "funded", dueDate, bankDetails: { bankName: terms.bank.bankName } });
      expect(answers).toEqual(answers.map(() => first));
      table.clock.ms += 40 * DAY_MS;
      expect(await port.fund(fundingOf())).toEqual(first);
      expect(await port.fund(fundingOf({ fundingReference: "700000003" }))).not.toEqual(first);
    });

    test.each([
      ["AUD", "bsb"],
      ["USD", "aba"],
      ["EUR", "iban"],
    ])("in %s names an account with %s", async (currency, field) => {
      const answer = await port.fund(fundingOf({ currency }));
      expect(answer.kind === "funded" && answer.bankDetails).toHaveProperty(field);
    });

    test("whose answer was lost is unknown, and is told when it is announced again", async () => {
      const lost = table.failing("PutItemCommand", 1, "after", () => new Error("socket hang up"), terms);
      expect(await lost.rail.port.fund(fundingOf())).toMatchObject({ kind: "unknown" });
      lost.heal();
      expect(lost.failuresLeft()).toBe(0);
      expect(await port.fund(fundingOf())).toMatchObject({ kind: "funded" });
    });

    test("pays for orders that name it, which keep its reference and have no deposit of their own", async () => {
      const { fundingReference } = fundingOf();
      await port.fund(fundingOf());
      const executionId = newId();
      const answer = await port.execute(orderOf({ fundingReference }), executionId);
      expect(answer).toMatchObject({ kind: "accepted" });
      for (const field of ["bankDetails", "dueDate"]) expect(answer).not.toHaveProperty(field);
      expect(await rail.listPayments(tenantId, { limit: 1 })).toMatchObject([{ executionId, fundingReference }]);
      expect(await port.execute(orderOf({ fundingReference }), executionId)).toEqual(answer);
    });

    test("that nobody announced is a definitive refusal, even once it is announced", async () => {
      const { fundingReference } = fundingOf();
      await port.fund(fundingOf({ tenantId: `${tenantId}0` }));
      const executionId = newId();
      const refusal = { kind: "refused", reason: expect.stringMatching(/deposit/) };
      expect(await port.execute(orderOf({ fundingReference }), executionId)).toEqual(refusal);
      await port.fund(fundingOf());
      expect(await port.execute(orderOf({ fundingReference }), executionId)).toEqual(refusal);
      expect(await rail.listPayments(tenantId, { limit: 10 })).toEqual([]);
      expect(await port.execute(orderOf({ fundingReference }), newId())).toMatchObject({ kind: "accepted" });
    });

    test("leaves an order that does not name it with a deposit of its own", async () => {
      await port.fund(fundingOf());
      expect(await port.execute(orderOf(), newId())).toHaveProperty("bankDetails");
    });
  });

  describe("its list", () => {
    test.each([1, 3, 1000])("has every tenant's payments once, in pages of %i", async (limit) => {
      const sinceMs = later();
      const other = `${tenantId}0`;
      const accepted: string[] = [];
      for (const [index, of] of [tenantId, other, tenantId, other, tenantId].entries()) {
        const executionId = newId();
        const legs = [leg({ reference: `line ${index}` })];
        await port.execute(orderOf({ tenantId: of, legs }), executionId);
        // Neither a refusal nor a deposit is a payment.
        await port.execute(orderOf({ tenantId: of, legs }), newId());
        await port.fund(fundingOf({ tenantId: of }));
        accepted.push(`${of} ${executionId}`);
      }
      const listed = await listAll(port, { sinceMs, limit });
      expect(listed.map((one) => `${one.tenantId} ${one.executionId}`).toSorted()).toEqual(accepted.toSorted());
      const [one] = await rail.listPayments(tenantId, { limit: 1 });
      expect(listed).toContainEqual({
        tenantId,
        intentId: order().intentId,
        executionId: one?.executionId,
        railPaymentId: one?.railPaymentId,
        acceptedAtMs: sinceMs,
        currency: "AUD",
        totalAmount: "912.50",
        standing: "pending",
      });
    });

    test("leaves out payments that were accepted earlier, and tells the status of the others", async () => {
      const standings = async (sinceMs: number) => {
        const listed = (await listAll(port, { sinceMs, limit: 2 })).filter((one) => one.tenantId === tenantId);
        return Object.fromEntries(listed.map(({ executionId, standing }) => [executionId, standing]));
      };
      const ids = [newId(), newId(), newId()] as const;
      const [settled, cancelled, lapsed] = ids;
      const sinceMs = later();
      const checkout = { settlementMethod: "card", settlementChannel: "checkout" };
      await port.execute(orderOf(), settled);
      await port.execute(orderOf({ payerKey: "another" }), cancelled);
      await port.cancel(tenantId, cancelled);
      await port.execute(orderOf({ ...checkout, payerKey: "a third" }), lapsed);
      table.clock.ms += CHECKOUT_MS;
      expect(await standings(sinceMs)).toEqual({ [settled]: "settled", [cancelled]: "cancelled", [lapsed]: "pending" });
      await port.status(tenantId, lapsed);
      expect(await standings(sinceMs)).toMatchObject({ [lapsed]: "cancelled" });
      expect(await standings(sinceMs + 1)).toEqual({});
    });

    test("refuses a cursor that it has not given", async () => {
      for (const after of ["", "nothing", Buffer.from("a\nb\nc").toString("base64url")]) {
        expect(await port.list({ sinceMs: 0, after, limit: 1 })).toMatchObject({ kind: "unavailable" });
      }
    });
  });
});

test("two rails in one table know nothing of each other", async () => {
  const [one, other] = [sandbox, sandboxBank].map((terms) => table.open(table.db, terms));
  if (one === undefined || other === undefined) throw new Error("There are two");
  const executionId = newId();
  const sinceMs = later();
  const { fundingReference } = fundingOf();
  const card = orderOf({ settlementMethod: "card", settlementChannel: "checkout" });
  await one.port.fund(fundingOf());
  const accepted = await one.port.execute(card, executionId);
  const token = (accepted.kind === "accepted" && accepted.checkoutUrl?.split("/").at(-1)) || "";

  expect(await other.port.status(tenantId, executionId)).toEqual({ kind: "not_found" });
  expect(await other.port.cancel(tenantId, executionId)).toEqual({ kind: "not_found" });
  expect(await other.listPayments(tenantId, { limit: 10 })).toEqual([]);
  expect(await listAll(other.port, { sinceMs, limit: 10 })).toEqual([]);
  expect(await other.findCheckout(token)).toBeUndefined();
  expect(await other.finishCheckout(token, "pay")).toMatchObject({ failure: { kind: "not_found" } });
  expect(await other.port.execute(orderOf({ fundingReference }), newId())).toMatchObject({ kind: "refused" });
  // At the other rail neither the id nor the fingerprint is taken.
  expect(await other.port.execute(card, executionId)).toMatchObject({ kind: "accepted" });
  expect(await one.findCheckout(token)).toMatchObject({ state: "open" });
  expect(await one.port.fund(fundingOf())).not.toEqual(await other.port.fund(fundingOf()));
});
