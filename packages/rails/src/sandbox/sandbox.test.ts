import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import type { PaymentOrder } from "@intents/domain/rails/rail.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { DEDUP_MS, leg, order, SETTLE_MS, startSandbox } from "../../test/rail-fixture.ts";

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
const counted = async () => (await sandbox.rail.listPayments(tenantId, { limit: 100 })).length;

describe("one payment per execution", () => {
  test("30 calls at once with one executionId make one payment and get one answer", async () => {
    const executionId = newId();
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => sandbox.rail.port.execute(orderOf(), executionId)),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({ kind: "accepted" });
    expect(await counted()).toBe(1);
  });

  test("30 checkouts at once with one executionId all get the one payable address", async () => {
    const executionId = newId();
    const calls = Array.from({ length: 30 }, () => sandbox.rail.port.execute(checkoutOrder(), executionId));
    const addresses = (await Promise.all(calls)).map((answer) =>
      answer.kind === "accepted" ? answer.checkoutUrl : answer.kind,
    );
    expect(new Set(addresses).size).toBe(1);
    expect(await sandbox.rail.findCheckout(addresses[0]?.split("/").at(-1) ?? "")).toMatchObject({ state: "open" });
  });

  test("of 30 executions at once with one fingerprint exactly one is accepted", async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => sandbox.rail.port.execute(orderOf(), newId())));
    const kinds = answers.map(({ kind }) => kind).toSorted();
    expect(kinds).toEqual(["accepted", ...Array.from({ length: 29 }, () => "duplicate")]);
    expect(await counted()).toBe(1);
  });

  test("the execution that holds a fingerprint gets its first answer when it is sent again", async () => {
    const executionId = newId();
    const first = await sandbox.rail.port.execute(orderOf(), executionId);
    sandbox.clock.ms += 1_000;
    expect(await sandbox.rail.port.execute(orderOf(), executionId)).toEqual(first);
  });

  test("a refusal is remembered under its execution, even when the window has passed", async () => {
    const [first, second] = [newId(), newId()];
    await sandbox.rail.port.execute(orderOf(), first);
    expect(await sandbox.rail.port.execute(orderOf(), second)).toMatchObject({ kind: "duplicate" });
    sandbox.clock.ms += DEDUP_MS;
    expect(await sandbox.rail.port.execute(orderOf(), second)).toMatchObject({ kind: "duplicate" });
    expect(await sandbox.rail.port.execute(orderOf(), newId())).toMatchObject({ kind: "accepted" });
    expect(await counted()).toBe(2);
  });

  test("the window is judged by the clock, to the millisecond", async () => {
    await sandbox.rail.port.execute(orderOf(), newId());
    sandbox.clock.ms += DEDUP_MS - 1;
    expect(await sandbox.rail.port.execute(orderOf(), newId())).toMatchObject({ kind: "duplicate" });
    sandbox.clock.ms += 1;
    expect(await sandbox.rail.port.execute(orderOf(), newId())).toMatchObject({ kind: "accepted" });
  });

  test.each<[string, Partial<PaymentOrder>]>([
    ["payer", { payerKey: "other@example.com" }],
    ["payee", { legs: [leg({ payeeId: 12 })] }],
    ["amount", { legs: [leg({ payeeAmount: "590.41" })] }],
    ["currency", { legs: [leg({ payeeCurrency: "CAD" })] }],
    ["reference", { legs: [leg({ reference: "term 2" })] }],
  ])("a payment with another %s is no duplicate", async (_, changes) => {
    await sandbox.rail.port.execute(orderOf(), newId());
    expect(await sandbox.rail.port.execute(orderOf(changes), newId())).toMatchObject({ kind: "accepted" });
  });

  test("the order in which legs arrive does not hide a duplicate", async () => {
    const legs = [leg(), leg({ order: 1, payeeId: 12 })];
    await sandbox.rail.port.execute(orderOf({ legs }), newId());
    expect(await sandbox.rail.port.execute(orderOf({ legs: legs.toReversed() }), newId())).toMatchObject({
      kind: "duplicate",
    });
  });

  test("tenants share neither executions nor fingerprints", async () => {
    const executionId = newId();
    await sandbox.rail.port.execute(orderOf(), executionId);
    const other = `${tenantId}0`;
    expect(await sandbox.rail.port.status(other, executionId)).toEqual({ kind: "not_found" });
    expect(await sandbox.rail.port.execute(orderOf({ tenantId: other }), executionId)).toMatchObject({
      kind: "accepted",
    });
    expect(await counted()).toBe(1);
  });
});

describe("a store that misbehaves", () => {
  const TRANSACTION = "TransactWriteItemsCommand";
  const conflict = () =>
    new TransactionCanceledException({
      message: "conflict",
      $metadata: {},
      CancellationReasons: [{ Code: "TransactionConflict" }, { Code: "None" }, { Code: "None" }],
    });

  test("a conflict decides nothing and is tried again", async () => {
    const faulty = sandbox.failing(TRANSACTION, 3, "before", conflict);
    expect(await faulty.rail.port.execute(orderOf(), newId())).toMatchObject({ kind: "accepted" });
    faulty.heal();
    expect(faulty.failuresLeft()).toBe(0);
    expect(await counted()).toBe(1);
  });

  test("a lost answer is unknown, and asking again finds the one payment instead of a duplicate", async () => {
    const executionId = newId();
    const faulty = sandbox.failing(TRANSACTION, 1, "after", () => new Error("socket hang up"));
    expect(await faulty.rail.port.execute(orderOf(), executionId)).toMatchObject({ kind: "unknown" });
    expect(await faulty.rail.port.execute(orderOf(), executionId)).toMatchObject({ kind: "accepted" });
    faulty.heal();
    expect(faulty.failuresLeft()).toBe(0);
    expect(await counted()).toBe(1);
  });

  test("a transaction repeated after its own success reads its own payment back", async () => {
    const faulty = sandbox.failing(TRANSACTION, 1, "after", conflict);
    expect(await faulty.rail.port.execute(orderOf(), newId())).toMatchObject({ kind: "accepted" });
    faulty.heal();
    expect(faulty.failuresLeft()).toBe(0);
    expect(await counted()).toBe(1);
  });
});

describe("a bank transfer", () => {
  test("is pending until its settlement time and then every leg has cleared", async () => {
    const executionId = newId();
    const answer = await sandbox.rail.port.execute(orderOf(), executionId);
    expect(answer).toMatchObject({ kind: "accepted", expectedSettlementMs: sandbox.clock.ms + SETTLE_MS });
    expect(answer).not.toHaveProperty("checkoutUrl");
    sandbox.clock.ms += SETTLE_MS - 1;
    expect(await sandbox.rail.port.status(tenantId, executionId)).toEqual({ kind: "pending" });
    sandbox.clock.ms += 1;
    const settled = { kind: "settled", legs: [{ order: 0, outcome: "cleared" }] };
    expect(await sandbox.rail.port.status(tenantId, executionId)).toEqual(settled);
  });

  test("is not found under an executionId that was never sent", async () => {
    expect(await sandbox.rail.port.status(tenantId, newId())).toEqual({ kind: "not_found" });
  });
});

describe("outcomes picked by reference", () => {
  const settledAs = async (legs: PaymentOrder["legs"]) => {
    const executionId = newId();
    await sandbox.rail.port.execute(orderOf({ legs }), executionId);
    sandbox.clock.ms += SETTLE_MS;
    const status = await sandbox.rail.port.status(tenantId, executionId);
    return status.kind === "settled" ? status.legs.map(({ outcome }) => outcome) : status.kind;
  };

  test("SANDBOX-FAIL fails every leg", async () => {
    expect(await settledAs([leg({ reference: "SANDBOX-FAIL" }), leg({ order: 1 })])).toEqual(["failed", "failed"]);
  });

  test("SANDBOX-PARTIAL fails its leg and clears the others", async () => {
    const partial = leg({ order: 1, reference: "SANDBOX-PARTIAL" });
    expect(await settledAs([leg(), partial])).toEqual(["cleared", "failed"]);
    expect(await settledAs([partial])).toEqual(["failed"]);
    expect(await settledAs([leg({ reference: "SANDBOX-PARTIAL" }), partial])).toEqual(["failed", "cleared"]);
  });

  test("SANDBOX-OVERDUE is expected to settle as usual and takes fifteen times as long", async () => {
    const executionId = newId();
    const answer = await sandbox.rail.port.execute(
      orderOf({ legs: [leg({ reference: "SANDBOX-OVERDUE" })] }),
      executionId,
    );
    expect(answer).toMatchObject({ expectedSettlementMs: sandbox.clock.ms + SETTLE_MS });
    sandbox.clock.ms += 15 * SETTLE_MS - 1;
    expect(await sandbox.rail.port.status(tenantId, executionId)).toEqual({ kind: "pending" });
    sandbox.clock.ms += 1;
    expect(await sandbox.rail.port.status(tenantId, executionId)).toMatchObject({ kind: "settled" });
  });

  test("SANDBOX-DUPLICATE is always a duplicate and makes no payment", async () => {
    const duplicate = orderOf({ legs: [leg({ reference: "SANDBOX-DUPLICATE" })] });
    expect(await sandbox.rail.port.execute(duplicate, newId())).toMatchObject({ kind: "duplicate" });
    expect(await counted()).toBe(0);
  });

  test("SANDBOX-UNAVAILABLE is unreachable and leaves nothing behind", async () => {
    const executionId = newId();
    const unavailable = orderOf({ legs: [leg({ reference: "SANDBOX-UNAVAILABLE" })] });
    expect(await sandbox.rail.port.execute(unavailable, executionId)).toMatchObject({ kind: "unreachable" });
    expect(await sandbox.rail.port.status(tenantId, executionId)).toEqual({ kind: "not_found" });
    expect(await sandbox.rail.port.execute(orderOf(), executionId)).toMatchObject({ kind: "accepted" });
  });

  test("SANDBOX-TIMEOUT is accepted, but only the second request is told so", async () => {
    const executionId = newId();
    const timeout = orderOf({ legs: [leg({ reference: "SANDBOX-TIMEOUT" })] });
    expect(await sandbox.rail.port.execute(timeout, executionId)).toMatchObject({ kind: "unknown" });
    expect(await counted()).toBe(1);
    expect(await sandbox.rail.port.execute(timeout, executionId)).toMatchObject({ kind: "accepted" });
    expect(await counted()).toBe(1);
  });
});
