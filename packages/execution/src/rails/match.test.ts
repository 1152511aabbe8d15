import { DeleteCommand, PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { DAY_MS } from "@intents/domain/durations.ts";
import { openReconciliation } from "@intents/storage/reviews/reconciliation.ts";
import { keysOf } from "@intents/storage/table/keys.ts";
import { toDoc } from "@intents/storage/table/table.ts";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { actAs } from "../../test/acting-fixture.ts";
import { SETTLE_MS, startWorld } from "../../test/execution-fixture.ts";
import { countCalls, failing } from "../../test/fault-fixture.ts";
import { applyAnswer } from "../settle/answer.ts";
import { RailUnavailable } from "./ask.ts";
import { matchDaily, matchRails } from "./match.ts";

const world = await startWorld();
afterAll(world.stop);
// The payments of earlier tests lie before the days that the next test compares.
beforeEach(() => {
  world.clock.ms += 5 * DAY_MS;
});

const match = () => actAs("daily", () => matchRails(world.run, { sinceMs: world.clock.ms - DAY_MS }));
const settle = () => {
  world.clock.ms += 10 * 60_000;
};

const untold = (said: string) =>
  `the rail says "${said}" against what is booked, and no open reconciliation record tells it`;

async function paid(): Promise<string> {
  const { id } = await world.newDraft();
  await world.submit(id, "key");
  world.clock.ms += SETTLE_MS;
  await world.tick(id);
  return id;
}

describe("the books and the rails", () => {
  test("agree about payments, recipients of batches, claims whose answer was lost, and what has failed", async () => {
    await paid();
    const { id: batch } = await world.newBatch(3, ["SANDBOX-FAIL"]);
    await world.submit(batch, "key");
    await world.tick(batch);
    const { id: lost } = await world.newDraft({ reference: "SANDBOX-TIMEOUT" });
    await world.submit(lost, "key");
    settle();
    expect(await match()).toEqual({ held: 5, booked: 4, young: 0, findings: [], problems: 0, unlisted: [] });
  });

  test("agree about a recipient of a batch whose answer was lost: a worker is still at it", async () => {
    const { id } = await world.newBatch(2);
    await world.submit(id, "key");
    await world.tick(id, world.losing(0));
    settle();
    expect(await match()).toEqual({ held: 2, booked: 1, young: 0, findings: [], problems: 0, unlisted: [] });
  });

  test("are not held against one another for what is still on its way", async () => {
    const { id } = await world.newDraft();
    await world.submit(id, "key");
    expect(await match()).toMatchObject({ held: 0, booked: 0, young: 1, problems: 0 });
  });

  test("disagree about a payment that only the rail holds, until somebody was told of it", async () => {
    const { id: intentId } = await world.newDraft();
    const { id: other } = await world.newDraft();
    await world.submit(other, "key");
    const [order] = await world.paymentsOf(other);
    const { execute } = world.rail.port;
    const asked = { ...order, tenantId: "1001", intentId, payerCurrency: "BRL", settlementChannel: "bank" };
    await execute({ ...asked, fee: "0", payerKey: "x", payer: {}, legs: order?.legs ?? [] } as never, "stray");
    settle();
    const stray = { tenantId: "1001", intentId, executionId: "stray" };
    expect((await match()).findings).toEqual([
      { ...stray, problem: "the rail holds it, and it is neither booked nor under reconciliation" },
    ]);
    const record = { ...stray, kind: "accepted_after_release", said: "accepted", stands: "draft" } as const;
    await openReconciliation(
      world.table,
      { ...record, openedAt: new Date(world.clock.ms).toISOString() },
      world.clock.ms,
    );
    expect((await match()).problems).toBe(0);
  });

  test("disagree about a payment that only the books have", async () => {
    const id = await paid();
    const { executions } = await world.get(id);
    const executionId = executions[0]?.executionId ?? "";
    const Key = { PK: "T#1001#PAYMENT", SK: executionId };
    await world.table.db.send(new DeleteCommand({ TableName: world.railTableName, Key }));
    settle();
    const lacking = { intentId: id, executionId, problem: "it is booked, and the rail does not hold it" };
    expect((await match()).findings).toEqual([{ tenantId: "1001", ...lacking }]);
    const sinceMs = world.clock.ms - DAY_MS;
    expect((await matchRails(world.run, { sinceMs, tenantId: "1001" })).findings).toMatchObject([lacking]);
    expect((await matchRails(world.run, { sinceMs, tenantId: "1002" })).findings).toEqual([]);
  });

  test("disagree about an amount, and about what the rail has cancelled", async () => {
    const [one, two] = [await world.get(await paid()), await world.get(await paid())];
    const [execution] = one.executions;
    if (execution === undefined) throw new Error("Nothing was executed");
    const doc = toDoc({ ...one, executions: [{ ...execution, fee: "20.01" }] });
    const item = { ...keysOf("1001").intent(one.id), doc };
    await world.table.db.send(new PutCommand({ TableName: world.table.name, Item: item }));
    await world.table.db.send(
      new UpdateCommand({
        TableName: world.railTableName,
        Key: { PK: "T#1001#PAYMENT", SK: two.executions[0]?.executionId },
        UpdateExpression: "SET endedHow = :how, endedAtMs = :at",
        ExpressionAttributeValues: { ":how": "cancelled", ":at": world.clock.ms },
      }),
    );
    settle();
    const { findings } = await match();
    expect(findings.map(({ intentId, problem }) => [intentId, problem]).toSorted()).toEqual(
      [
        [one.id, expect.stringMatching(/^the rail holds [\d.]+ BRL, and [\d.]+ BRL are booked$/)],
        [two.id, untold("cancelled: recipient 0 failed")],
      ].toSorted(),
    );
  });

  test("disagree about money that came back, until a record tells of it, and again about more of it", async () => {
    const { id } = await world.newDraft({ payeeIds: [5001, 5002] });
    await world.submit(id, "key");
    world.clock.ms += SETTLE_MS;
    await world.tick(id);
    const executionId = (await world.get(id)).executions[0]?.executionId ?? "";
    settle();
    for (const [order, said] of [
      "partially_completed: recipient 0 failed",
      "failed: recipient 0 failed, recipient 1 failed",
    ].entries()) {
      expect((await match()).problems).toBe(0);
      await world.rail.decide("1001", executionId, { how: "return", order });
      expect((await match()).findings).toEqual([
        { tenantId: "1001", intentId: id, executionId, problem: untold(said) },
      ]);
      const about = { tenantId: "1001", id, executionId };
      await applyAnswer(world.run, about, await world.rail.port.status("1001", executionId));
    }
    expect((await match()).problems).toBe(0);
  });

  test("are compared once a day, and what does not fit makes the job fail, by name", async () => {
    const id = await paid();
    settle();
    expect(await actAs("daily", () => matchDaily(world.run, Number.POSITIVE_INFINITY))).toMatchObject({ booked: 1 });
    const { executions } = await world.get(id);
    const Key = { PK: "T#1001#PAYMENT", SK: executions[0]?.executionId };
    await world.table.db.send(new DeleteCommand({ TableName: world.railTableName, Key }));
    await expect(matchDaily(world.run, Number.POSITIVE_INFINITY)).rejects.toThrow(new RegExp(`1 payments.*${id}`));
    await expect(matchDaily(world.run, world.clock.ms - 1)).rejects.toThrow("was not over in time");
  });

  test("are compared by reading what changed in the days compared, however much older there is", async () => {
    const compare = () => countCalls(world.run, (run) => matchRails(run, { sinceMs: world.clock.ms - DAY_MS }));
    await paid();
    settle();
    const calls = await compare();
    const older = await Promise.all(Array.from({ length: 12 }, () => world.newDraft()));
    for (const { id } of older) await world.submit(id, id);
    world.clock.ms += 5 * DAY_MS;
    const id = await paid();
    settle();
    const read: string[] = [];
    const db = new Proxy(world.table.db, {
      get: (target, name) =>
        name === "send"
          ? async (command: never) => {
              read.push(`${(command as object).constructor.name} ${JSON.stringify(command)}`);
              return target.send(command);
            }
          : Reflect.get(target, name),
    });
    expect(
      await matchRails({ ...world.run, table: { ...world.table, db } }, { sinceMs: world.clock.ms - DAY_MS }),
    ).toEqual(expect.objectContaining({ held: 1, booked: 1, problems: 0 }));
    expect(read.join()).toContain(id);
    expect(read.join()).not.toContain("ScanCommand");
    for (const old of older) expect(read.join()).not.toContain(old.id);
    expect(await compare()).toBe(calls);
  });

  test("are compared in both directions although the index of changes does not tell of a payment yet", async () => {
    const id = await paid();
    const { PK, SK } = keysOf("1001").intent(id);
    await world.table.db.send(
      new UpdateCommand({ TableName: world.table.name, Key: { PK, SK }, UpdateExpression: "REMOVE changeSK" }),
    );
    settle();
    expect(await match()).toEqual({ held: 1, booked: 1, young: 0, findings: [], problems: 0, unlisted: [] });
  });

  test("cannot be compared while a rail does not tell what it holds, and those of another rail can", async () => {
    const { id: other } = await world.newDraft({ from: "NO" });
    expect(await world.submit(other, "key")).toMatchObject({ ok: true });
    const id = await paid();
    settle();
    const run = {
      ...world.run,
      rails: world.run.rails.map((rail) =>
        rail.rail.name === "sandbox-bank"
          ? { ...rail, list: async () => ({ kind: "unavailable", reason: "ECONNREFUSED" }) as const }
          : rail,
      ),
    };
    const matched = await matchRails(run, { sinceMs: world.clock.ms - DAY_MS });
    expect(matched).toMatchObject({ held: 1, booked: 1, problems: 0 });
    expect(matched.unlisted).toEqual([new RailUnavailable("The rail sandbox-bank cannot be listed: ECONNREFUSED")]);
    await expect(matchDaily(run, Number.POSITIVE_INFINITY)).rejects.toThrow("cannot be listed: ECONNREFUSED");
    // The comparison still finds faults at the other rail.
    const { executions } = await world.get(id);
    const Key = { PK: "T#1001#PAYMENT", SK: executions[0]?.executionId };
    await world.table.db.send(new DeleteCommand({ TableName: world.railTableName, Key }));
    await expect(matchDaily(run, Number.POSITIVE_INFINITY)).rejects.toThrow(new RegExp(`1 payments.*${id}`));
  });

  test("a payment that fails to be compared for good delays no other, and is named", async () => {
    const [broken] = [await world.newBatch(2)];
    await world.submit(broken.id, "key");
    await world.tick(broken.id);
    await paid();
    settle();
    const as = failing(world.run, (call) => call.startsWith("QueryCommand") && call.includes(broken.id));
    const matched = await matchRails(as, { sinceMs: world.clock.ms - DAY_MS });
    expect(matched).toMatchObject({ held: 3, booked: 1, problems: 1 });
    expect(matched.findings).toEqual([
      expect.objectContaining({ intentId: broken.id, problem: expect.stringContaining("could not be compared") }),
    ]);
  });
});
