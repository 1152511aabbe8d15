import { randomBytes } from "node:crypto";
import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import type { PaymentOrder } from "@intents/domain/connector.ts";
import { newRecordId } from "@intents/domain/ids.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { leg, order, startRailTable } from "./rail-fixture.ts";
import { openSandboxRail } from "./sandbox.ts";

const SETTLE_MS = 2_000;
const DEDUP_MS = 300_000;
const CHECKOUT_MS = 30 * 60_000;

let stopTable: () => void;
let open: (db?: DynamoDBDocumentClient) => ReturnType<typeof openSandboxRail>;
let rail: ReturnType<typeof openSandboxRail>;
let db: DynamoDBDocumentClient;
let nowMs = Date.UTC(2026, 10, 1);
let tenants = 5000;
let tenantId = "";

beforeAll(async () => {
  const table = await startRailTable();
  db = table.db;
  stopTable = table.stop;
  open = (client = table.db) =>
    openSandboxRail({
      db: client,
      tableName: table.tableName,
      baseUrl: "https://api.example",
      settleSeconds: SETTLE_MS / 1000,
      dedupSeconds: DEDUP_MS / 1000,
      now: () => nowMs,
      random: randomBytes,
    });
  rail = open();
});
afterAll(() => stopTable());
// A tenant of its own keeps every test's payments and fingerprints to itself.
beforeEach(() => {
  tenants += 1;
  tenantId = String(tenants);
});

const orderOf = (changes: Partial<PaymentOrder> = {}) => order({ tenantId, ...changes });
const newId = () => newRecordId(nowMs, randomBytes);
const counted = async (executionId?: string) =>
  (await rail.listPayments(tenantId, { limit: 100, ...(executionId === undefined ? {} : { executionId }) })).length;
const checkoutOrder = (changes: Partial<PaymentOrder> = {}) =>
  orderOf({ settlementMethod: "card", settlementChannel: "checkout", ...changes });

async function openCheckout(changes: Partial<PaymentOrder> = {}) {
  const executionId = newId();
  const answer = await rail.connector.execute(checkoutOrder(changes), executionId);
  if (answer.kind !== "accepted") throw new Error(answer.kind);
  const token = answer.checkoutUrl?.split("/").at(-1) ?? "";
  return { executionId, answer, token, status: () => rail.connector.status(tenantId, executionId) };
}

describe("one payment per execution", () => {
  test("30 calls at once with one executionId make one payment and get one answer", async () => {
    const executionId = newId();
    const answers = await Promise.all(Array.from({ length: 30 }, () => rail.connector.execute(orderOf(), executionId)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({ kind: "accepted" });
    expect(await counted()).toBe(1);
  });

  test("30 checkouts at once with one executionId all get the one payable address", async () => {
    const executionId = newId();
    const calls = Array.from({ length: 30 }, () => rail.connector.execute(checkoutOrder(), executionId));
    const addresses = (await Promise.all(calls)).map((answer) =>
      answer.kind === "accepted" ? answer.checkoutUrl : answer.kind,
    );
    expect(new Set(addresses).size).toBe(1);
    expect(await rail.findCheckout(addresses[0]?.split("/").at(-1) ?? "")).toMatchObject({ state: "open" });
  });

  test("of 30 executions at once with one fingerprint exactly one is accepted", async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => rail.connector.execute(orderOf(), newId())));
    const kinds = answers.map(({ kind }) => kind).toSorted();
    expect(kinds).toEqual(["accepted", ...Array.from({ length: 29 }, () => "duplicate")]);
    expect(await counted()).toBe(1);
  });

  test("the first execution of a fingerprint coming again is accepted, and later ones get the first answer", async () => {
    const executionId = newId();
    const first = await rail.connector.execute(orderOf(), executionId);
    nowMs += 1_000;
    expect(await rail.connector.execute(orderOf(), executionId)).toEqual(first);
  });

  test("a refusal is remembered under its execution, even when the window has passed", async () => {
    const [first, second] = [newId(), newId()];
    await rail.connector.execute(orderOf(), first);
    expect(await rail.connector.execute(orderOf(), second)).toEqual({ kind: "duplicate" });
    nowMs += DEDUP_MS;
    expect(await rail.connector.execute(orderOf(), second)).toEqual({ kind: "duplicate" });
    expect(await rail.connector.execute(orderOf(), newId())).toMatchObject({ kind: "accepted" });
    expect(await counted()).toBe(2);
  });

  test("the window is judged by the clock, to the millisecond", async () => {
    await rail.connector.execute(orderOf(), newId());
    nowMs += DEDUP_MS - 1;
    expect(await rail.connector.execute(orderOf(), newId())).toEqual({ kind: "duplicate" });
    nowMs += 1;
    expect(await rail.connector.execute(orderOf(), newId())).toMatchObject({ kind: "accepted" });
  });

  test.each<[string, Partial<PaymentOrder>]>([
    ["payer", { payerKey: "other@example.com" }],
    ["payee", { legs: [leg({ payeeId: 12 })] }],
    ["amount", { legs: [leg({ payeeAmount: "590.41" })] }],
    ["currency", { legs: [leg({ payeeCurrency: "CAD" })] }],
    ["reference", { legs: [leg({ reference: "term 2" })] }],
  ])("another %s is no duplicate", async (_, changes) => {
    await rail.connector.execute(orderOf(), newId());
    expect(await rail.connector.execute(orderOf(changes), newId())).toMatchObject({ kind: "accepted" });
  });

  test("the order in which legs arrive does not hide a duplicate", async () => {
    const legs = [leg(), leg({ order: 1, payeeId: 12 })];
    await rail.connector.execute(orderOf({ legs }), newId());
    expect(await rail.connector.execute(orderOf({ legs: legs.toReversed() }), newId())).toEqual({ kind: "duplicate" });
  });

  test("tenants share neither executions nor fingerprints", async () => {
    const executionId = newId();
    await rail.connector.execute(orderOf(), executionId);
    const other = `${tenantId}0`;
    expect(await rail.connector.status(other, executionId)).toEqual({ kind: "not_found" });
    expect(await rail.connector.execute(orderOf({ tenantId: other }), executionId)).toMatchObject({ kind: "accepted" });
    expect(await counted()).toBe(1);
  });
});

describe("a store that misbehaves", () => {
  /** The same table through a client that fails the first `count` transactions, before or after they took effect. */
  function failing(count: number, when: "before" | "after", error: () => Error) {
    let left = count;
    const client = DynamoDBDocumentClient.from(db);
    client.middlewareStack.add(
      (next, context) => async (args) => {
        if (context["commandName"] !== "TransactWriteItemsCommand" || left === 0) return next(args);
        left -= 1;
        if (when === "after") await next(args);
        throw error();
      },
      { step: "initialize", name: "faults", override: true },
    );
    return { rail: open(client), failuresLeft: () => left, heal: () => client.middlewareStack.remove("faults") };
  }
  const conflict = () =>
    new TransactionCanceledException({
      message: "conflict",
      $metadata: {},
      CancellationReasons: [{ Code: "TransactionConflict" }, { Code: "None" }, { Code: "None" }],
    });

  test("a conflict is no verdict and is tried again", async () => {
    const faulty = failing(3, "before", conflict);
    expect(await faulty.rail.connector.execute(orderOf(), newId())).toMatchObject({ kind: "accepted" });
    faulty.heal();
    expect(faulty.failuresLeft()).toBe(0);
    expect(await counted()).toBe(1);
  });

  test("a lost answer is unknown, and asking again finds the one payment instead of a duplicate", async () => {
    const executionId = newId();
    const faulty = failing(1, "after", () => new Error("socket hang up"));
    expect(await faulty.rail.connector.execute(orderOf(), executionId)).toMatchObject({ kind: "unknown" });
    expect(await faulty.rail.connector.execute(orderOf(), executionId)).toMatchObject({ kind: "accepted" });
    faulty.heal();
    expect(faulty.failuresLeft()).toBe(0);
    expect(await counted()).toBe(1);
  });

  test("a transaction repeated after its own success reads its own payment back", async () => {
    const faulty = failing(1, "after", conflict);
    expect(await faulty.rail.connector.execute(orderOf(), newId())).toMatchObject({ kind: "accepted" });
    faulty.heal();
    expect(faulty.failuresLeft()).toBe(0);
    expect(await counted()).toBe(1);
  });
});

describe("a bank transfer", () => {
  test("is pending until its settlement time and then every leg has cleared", async () => {
    const executionId = newId();
    const answer = await rail.connector.execute(orderOf(), executionId);
    expect(answer).toMatchObject({ kind: "accepted", expectedSettlementMs: nowMs + SETTLE_MS });
    expect(answer).not.toHaveProperty("checkoutUrl");
    nowMs += SETTLE_MS - 1;
    expect(await rail.connector.status(tenantId, executionId)).toEqual({ kind: "pending" });
    nowMs += 1;
    const settled = { kind: "settled", legs: [{ order: 0, outcome: "cleared" }] };
    expect(await rail.connector.status(tenantId, executionId)).toEqual(settled);
  });

  test("is not found under an execution that never was", async () => {
    expect(await rail.connector.status(tenantId, newId())).toEqual({ kind: "not_found" });
  });
});

describe("outcomes picked by reference", () => {
  const settledAs = async (legs: PaymentOrder["legs"]) => {
    const executionId = newId();
    await rail.connector.execute(orderOf({ legs }), executionId);
    nowMs += SETTLE_MS;
    const status = await rail.connector.status(tenantId, executionId);
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

  test("SANDBOX-OVERDUE is expected as usual and takes fifteen times as long", async () => {
    const executionId = newId();
    const answer = await rail.connector.execute(
      orderOf({ legs: [leg({ reference: "SANDBOX-OVERDUE" })] }),
      executionId,
    );
    expect(answer).toMatchObject({ expectedSettlementMs: nowMs + SETTLE_MS });
    nowMs += 15 * SETTLE_MS - 1;
    expect(await rail.connector.status(tenantId, executionId)).toEqual({ kind: "pending" });
    nowMs += 1;
    expect(await rail.connector.status(tenantId, executionId)).toMatchObject({ kind: "settled" });
  });

  test("SANDBOX-DUPLICATE is always a duplicate and makes no payment", async () => {
    const duplicate = orderOf({ legs: [leg({ reference: "SANDBOX-DUPLICATE" })] });
    expect(await rail.connector.execute(duplicate, newId())).toEqual({ kind: "duplicate" });
    expect(await counted()).toBe(0);
  });

  test("SANDBOX-UNAVAILABLE is unreachable and leaves nothing behind", async () => {
    const executionId = newId();
    const unavailable = orderOf({ legs: [leg({ reference: "SANDBOX-UNAVAILABLE" })] });
    expect(await rail.connector.execute(unavailable, executionId)).toMatchObject({ kind: "unreachable" });
    expect(await rail.connector.status(tenantId, executionId)).toEqual({ kind: "not_found" });
    expect(await rail.connector.execute(orderOf(), executionId)).toMatchObject({ kind: "accepted" });
  });

  test("SANDBOX-TIMEOUT is accepted, but only the second asking says so", async () => {
    const executionId = newId();
    const timeout = orderOf({ legs: [leg({ reference: "SANDBOX-TIMEOUT" })] });
    expect(await rail.connector.execute(timeout, executionId)).toMatchObject({ kind: "unknown" });
    expect(await counted()).toBe(1);
    expect(await rail.connector.execute(timeout, executionId)).toMatchObject({ kind: "accepted" });
    expect(await counted()).toBe(1);
  });
});

describe("a checkout", () => {
  test("gives an unguessable address and no bank details, and waits for its payer", async () => {
    const { answer, status } = await openCheckout();
    expect(answer.checkoutUrl).toMatch(/^https:\/\/api\.example\/sandbox\/checkout\/[\w-]{32}$/);
    expect(answer).not.toHaveProperty("bankDetails");
    expect(answer.expectedSettlementMs).toBe(nowMs + CHECKOUT_MS);
    nowMs += CHECKOUT_MS - 1;
    expect(await status()).toEqual({ kind: "pending" });
  });

  test("settles once paid; paying again succeeds, declining then is told that it was paid", async () => {
    const { token, status } = await openCheckout();
    expect(await rail.finishCheckout(token, "pay")).toMatchObject({ ok: true, value: { state: "paid" } });
    expect(await status()).toEqual({ kind: "settled", legs: [{ order: 0, outcome: "cleared" }] });
    expect(await rail.finishCheckout(token, "pay")).toMatchObject({ ok: true });
    const refused = { ok: false, failure: { kind: "closed", checkout: { state: "paid" } } };
    expect(await rail.finishCheckout(token, "decline")).toMatchObject(refused);
    nowMs += CHECKOUT_MS;
    expect(await rail.finishCheckout(token, "pay")).toMatchObject({ ok: true });
    expect(await rail.findCheckout(token)).toMatchObject({ state: "paid", amount: "912.50", reference: "700000001" });
  });

  test("fails every leg when declined", async () => {
    const { token, status } = await openCheckout({ legs: [leg(), leg({ order: 1 })] });
    expect(await rail.finishCheckout(token, "decline")).toMatchObject({ ok: true, value: { state: "declined" } });
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
    nowMs += CHECKOUT_MS;
    expect(await status()).toMatchObject({ kind: "cancelled" });
    nowMs -= 1;
    expect(await rail.finishCheckout(token, "pay")).toMatchObject({ ok: false, failure: { kind: "closed" } });
    expect(await status()).toMatchObject({ kind: "cancelled" });
  });

  test("refuses payment after its session even when nobody asked how it stood", async () => {
    const { token, status } = await openCheckout();
    nowMs += CHECKOUT_MS;
    expect(await rail.findCheckout(token)).toMatchObject({ state: "expired" });
    const refused = { ok: false, failure: { kind: "closed", checkout: { state: "expired" } } };
    expect(await rail.finishCheckout(token, "pay")).toMatchObject(refused);
    expect(await status()).toMatchObject({ kind: "cancelled" });
  });

  test("paid and declined at once ends one way, and everybody is told which", async () => {
    const { token } = await openCheckout();
    const outcomes = Array.from({ length: 20 }, (_, index) =>
      index % 2 === 0 ? ("pay" as const) : ("decline" as const),
    );
    const results = await Promise.all(outcomes.map((outcome) => rail.finishCheckout(token, outcome)));
    const winners = new Set(outcomes.filter((_, index) => results[index]?.ok));
    expect(winners.size).toBe(1);
  });

  test("paid under SANDBOX-FAIL fails, under SANDBOX-OVERDUE takes its time", async () => {
    const failing = await openCheckout({ legs: [leg({ reference: "SANDBOX-FAIL" })] });
    const overdue = await openCheckout({ legs: [leg({ reference: "SANDBOX-OVERDUE" })] });
    await rail.finishCheckout(failing.token, "pay");
    await rail.finishCheckout(overdue.token, "pay");
    expect(await failing.status()).toMatchObject({ kind: "settled", legs: [{ outcome: "failed" }] });
    expect(await overdue.status()).toEqual({ kind: "pending" });
    nowMs += 15 * SETTLE_MS;
    expect(await overdue.status()).toMatchObject({ kind: "settled", legs: [{ outcome: "cleared" }] });
  });

  test("is not found under a token that never was", async () => {
    expect(await rail.findCheckout("nothing")).toBeUndefined();
    expect(await rail.finishCheckout("nothing", "pay")).toEqual({ ok: false, failure: { kind: "not_found" } });
  });
});

describe("the tester's list", () => {
  test("holds the newest first, up to the limit, and a bulk execution with its recipients", async () => {
    const ids: string[] = [];
    for (const reference of ["a", "b", "c"]) {
      nowMs += 1;
      const executionId = newId();
      ids.unshift(executionId);
      await rail.connector.execute(orderOf({ legs: [leg({ reference })] }), executionId);
    }
    const [newest = "", middle = ""] = ids;
    await rail.connector.execute(orderOf({ legs: [leg({ reference: "d" })] }), `${middle}:0`);
    const listed = await rail.listPayments(tenantId, { limit: 2 });
    expect(listed.map(({ executionId }) => executionId)).toEqual([newest, `${middle}:0`]);
    expect(listed[0]).toMatchObject({ status: "pending", totalAmount: "912.50", currency: "AUD" });
    expect(await counted(middle)).toBe(2);
    expect(await counted(newest)).toBe(1);
    expect(await counted(newId())).toBe(0);
  });
});
