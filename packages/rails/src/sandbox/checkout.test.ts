import type { PaymentOrder } from "@intents/domain/rails/rail.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { CHECKOUT_MS, leg, order, SETTLE_MS, startSandbox } from "../../test/rail-fixture.ts";

let sandbox: Awaited<ReturnType<typeof startSandbox>>;
let tenants = 5000;
let tenantId = "";

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());
// Each test has a tenant of its own, so that payments and fingerprints of other tests do not matter.
beforeEach(() => {
  tenants += 1;
  tenantId = String(tenants);
});

const newId = () => sandbox.newId();
const orderOf = (changes: Partial<PaymentOrder> = {}) => order({ tenantId, ...changes });
const checkoutOrder = (changes: Partial<PaymentOrder> = {}) =>
  orderOf({ settlementMethod: "card", settlementChannel: "checkout", ...changes });
const counted = async (executionId?: string) =>
  (await sandbox.rail.listPayments(tenantId, { limit: 100, ...(executionId === undefined ? {} : { executionId }) }))
    .length;

async function openCheckout(changes: Partial<PaymentOrder> = {}) {
  const executionId = newId();
  const answer = await sandbox.rail.port.execute(checkoutOrder(changes), executionId);
  if (answer.kind !== "accepted") throw new Error(answer.kind);
  const token = answer.checkoutUrl?.split("/").at(-1) ?? "";
  return { executionId, answer, token, status: () => sandbox.rail.port.status(tenantId, executionId) };
}

describe("cancelling a payment:", () => {
  const cancelled = { kind: "cancelled", reason: "called off before any money arrived" };
  const cancel = (executionId: string) => sandbox.rail.port.cancel(tenantId, executionId);
  const status = (executionId: string) => sandbox.rail.port.status(tenantId, executionId);

  test("a transfer that has not arrived never arrives, however often it is cancelled", async () => {
    const executionId = newId();
    await sandbox.rail.port.execute(orderOf(), executionId);
    expect(await cancel(executionId)).toEqual(cancelled);
    sandbox.clock.ms += SETTLE_MS;
    expect([await cancel(executionId), await status(executionId)]).toEqual([cancelled, cancelled]);
    const repeated = await sandbox.rail.port.execute(orderOf(), executionId);
    expect([repeated.kind, await counted()]).toEqual(["accepted", 1]);
  });

  test("a transfer that has arrived stays settled", async () => {
    const executionId = newId();
    await sandbox.rail.port.execute(orderOf(), executionId);
    sandbox.clock.ms += SETTLE_MS;
    expect(await cancel(executionId)).toEqual({ kind: "settled", legs: [{ order: 0, outcome: "cleared" }] });
  });

  test("a checkout that is cancelled cannot be paid, and one that is paid cannot be cancelled", async () => {
    const first = await openCheckout();
    expect(await cancel(first.executionId)).toEqual(cancelled);
    const refused = { ok: false, failure: { kind: "closed", checkout: { state: "cancelled" } } };
    expect(await sandbox.rail.finishCheckout(first.token, "pay")).toMatchObject(refused);
    const second = await openCheckout({ payerKey: "somebody else" });
    await sandbox.rail.finishCheckout(second.token, "pay");
    expect(await cancel(second.executionId)).toMatchObject({ kind: "settled" });
  });

  test.each(["decline", "lapse", "cancel"])("a payment that ended unpaid by %s makes none a duplicate", async (end) => {
    const { executionId, token } = await openCheckout();
    expect(await sandbox.rail.port.execute(checkoutOrder(), newId())).toMatchObject({ kind: "duplicate" });
    if (end === "decline") await sandbox.rail.finishCheckout(token, "decline");
    if (end === "lapse") sandbox.clock.ms += CHECKOUT_MS;
    if (end === "lapse") await status(executionId);
    if (end === "cancel") await cancel(executionId);
    expect(await sandbox.rail.port.execute(checkoutOrder(), newId())).toMatchObject({ kind: "accepted" });
  });

  test("another tenant's payment, and one that was never accepted, are not found", async () => {
    const executionId = newId();
    await sandbox.rail.port.execute(orderOf(), executionId);
    expect(await sandbox.rail.port.cancel("another", executionId)).toEqual({ kind: "not_found" });
    expect([await cancel(newId()), await status(executionId)]).toEqual([{ kind: "not_found" }, { kind: "pending" }]);
  });
});

describe("a checkout", () => {
  test("gives an unguessable address and no bank details, and waits for its payer", async () => {
    const { answer, status } = await openCheckout();
    expect(answer.checkoutUrl).toMatch(/^https:\/\/api\.example\/sandbox\/checkout\/[\w-]{32}$/);
    expect(answer).not.toHaveProperty("bankDetails");
    expect(answer.expectedSettlementMs).toBe(sandbox.clock.ms + CHECKOUT_MS);
    sandbox.clock.ms += CHECKOUT_MS - 1;
    expect(await status()).toEqual({ kind: "pending" });
  });

  test("settles once paid; paying again succeeds, and declining then is refused as already paid", async () => {
    const { token, status } = await openCheckout();
    expect(await sandbox.rail.finishCheckout(token, "pay")).toMatchObject({ ok: true, value: { state: "paid" } });
    expect(await status()).toEqual({ kind: "settled", legs: [{ order: 0, outcome: "cleared" }] });
    expect(await sandbox.rail.finishCheckout(token, "pay")).toMatchObject({ ok: true });
    const refused = { ok: false, failure: { kind: "closed", checkout: { state: "paid" } } };
    expect(await sandbox.rail.finishCheckout(token, "decline")).toMatchObject(refused);
    sandbox.clock.ms += CHECKOUT_MS;
    expect(await sandbox.rail.finishCheckout(token, "pay")).toMatchObject({ ok: true });
    expect(await sandbox.rail.findCheckout(token)).toMatchObject({
      state: "paid",
      amount: "912.50",
      reference: "700000001",
    });
  });

  test("fails every leg when declined", async () => {
    const { token, status } = await openCheckout({ legs: [leg(), leg({ order: 1 })] });
    expect(await sandbox.rail.finishCheckout(token, "decline")).toMatchObject({
      ok: true,
      value: { state: "declined" },
    });
    const declined = { outcome: "failed", reason: "declined" };
    expect(await status()).toEqual({
      kind: "settled",
      legs: [
        { order: 0, ...declined },
        { order: 1, ...declined },
      ],
    });
  });

  test("is cancelled when its session ends unpaid, for good", async () => {
    const { token, status } = await openCheckout();
    sandbox.clock.ms += CHECKOUT_MS;
    expect(await status()).toMatchObject({ kind: "cancelled" });
    sandbox.clock.ms -= 1;
    expect(await sandbox.rail.finishCheckout(token, "pay")).toMatchObject({ ok: false, failure: { kind: "closed" } });
    expect(await status()).toMatchObject({ kind: "cancelled" });
  });

  test("refuses payment after its session even when nobody has asked for its status", async () => {
    const { token, status } = await openCheckout();
    sandbox.clock.ms += CHECKOUT_MS;
    expect(await sandbox.rail.findCheckout(token)).toMatchObject({ state: "expired" });
    const refused = { ok: false, failure: { kind: "closed", checkout: { state: "expired" } } };
    expect(await sandbox.rail.finishCheckout(token, "pay")).toMatchObject(refused);
    expect(await status()).toMatchObject({ kind: "cancelled" });
  });

  test("that is paid and declined at once ends in one of the two, and everybody is told which", async () => {
    const { token } = await openCheckout();
    const outcomes = Array.from({ length: 20 }, (_, index) =>
      index % 2 === 0 ? ("pay" as const) : ("decline" as const),
    );
    const results = await Promise.all(outcomes.map((outcome) => sandbox.rail.finishCheckout(token, outcome)));
    const winners = new Set(outcomes.filter((_, index) => results[index]?.ok));
    expect(winners.size).toBe(1);
  });

  test("paid under SANDBOX-FAIL fails, under SANDBOX-OVERDUE takes its time", async () => {
    const failing = await openCheckout({ legs: [leg({ reference: "SANDBOX-FAIL" })] });
    const overdue = await openCheckout({ legs: [leg({ reference: "SANDBOX-OVERDUE" })] });
    await sandbox.rail.finishCheckout(failing.token, "pay");
    await sandbox.rail.finishCheckout(overdue.token, "pay");
    expect(await failing.status()).toMatchObject({ kind: "settled", legs: [{ outcome: "failed" }] });
    expect(await overdue.status()).toEqual({ kind: "received" });
    sandbox.clock.ms += 15 * SETTLE_MS;
    expect(await overdue.status()).toMatchObject({ kind: "settled", legs: [{ outcome: "cleared" }] });
  });

  test("is not found under a token that was never given", async () => {
    expect(await sandbox.rail.findCheckout("nothing")).toBeUndefined();
    expect(await sandbox.rail.finishCheckout("nothing", "pay")).toEqual({ ok: false, failure: { kind: "not_found" } });
  });
});

describe("the tester's list", () => {
  test("holds the newest first, up to the limit, and a bulk execution with its recipients", async () => {
    const ids: string[] = [];
    for (const reference of ["a", "b", "c"]) {
      sandbox.clock.ms += 1;
      const executionId = newId();
      ids.unshift(executionId);
      await sandbox.rail.port.execute(orderOf({ legs: [leg({ reference })] }), executionId);
    }
    const [newest = "", middle = ""] = ids;
    await sandbox.rail.port.execute(orderOf({ legs: [leg({ reference: "d" })] }), `${middle}:0`);
    const listed = await sandbox.rail.listPayments(tenantId, { limit: 2 });
    expect(listed.map(({ executionId }) => executionId)).toEqual([newest, `${middle}:0`]);
    expect(listed[0]).toMatchObject({ status: "pending", totalAmount: "912.50", currency: "AUD" });
    expect(await counted(middle)).toBe(2);
    expect(await counted(newest)).toBe(1);
    expect(await counted(newId())).toBe(0);
  });
});
