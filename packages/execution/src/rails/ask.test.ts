import type { Rail, RailRecord } from "@intents/domain/rails/rail.ts";
import { listLegs } from "@intents/storage/intents/batch-legs.ts";
import { afterAll, describe, expect, test } from "vitest";
import { by, LEASE_MS, SETTLE_MS, startWorld } from "../../test/execution-fixture.ts";
import { cancelIntent, resolveIntent } from "../operations/payment.ts";
import type { Run } from "../run.ts";
import { listHeld } from "./ask.ts";

const world = await startWorld();
afterAll(world.stop);

const MONTH_MS = 30 * 86_400_000;

/** The world's rails at another address; `asked` records the questions to them. */
function moved(): { run: Run; asked: string[] } {
  const asked: string[] = [];
  const count =
    <Asked extends unknown[], Answer>(what: string, ask: (...asked: Asked) => Promise<Answer>) =>
    (...question: Asked) => {
      asked.push(what);
      return ask(...question);
    };
  const rails = world.run.rails.map((each): Rail => {
    const rail = { ...each.rail, address: `${each.rail.address}-moved` };
    return { ...each, rail, execute: count("execute", each.execute), status: count("status", each.status) };
  });
  return { run: { ...world.run, rails }, asked };
}
const silent = () => world.withRail({ execute: async () => ({ kind: "unknown", reason: "silence" }) });

describe("a rail that is not where the claim says", () => {
  test("is not guessed at by recovery nor by a replay: the claim waits, with an alarm", async () => {
    const { id } = await world.newDraft();
    await world.submit(id, "key", silent());
    const { run, asked } = moved();
    expect(await world.submit(id, "key", run)).toMatchObject({ ok: false, failure: { kind: "outcome_unknown" } });
    expect(await world.tick(id, run)).toBe("rail_missing");
    expect(asked).toEqual([]);
    expect(await world.tick(id)).toBe("recovered");
    expect((await world.get(id)).status).toBe("executing");
  });

  test("is not asked how a payment stands, nor to call it off", async () => {
    const { id } = await world.newDraft();
    await world.submit(id, "key");
    const { run, asked } = moved();
    expect(await world.tick(id, run)).toBe("rail_missing");
    expect(await cancelIntent(run, by(id))).toEqual({
      ok: false,
      failure: { kind: "not_asked", reason: "the rail sandbox is not configured at embedded" },
    });
    expect(asked).toEqual([]);
    world.clock.ms += SETTLE_MS;
    await world.tick(id);
    expect((await world.get(id)).status).toBe("completed");
  });

  test("is asked for no recipient of a batch", async () => {
    const { id } = await world.newBatch(2);
    await world.submit(id, "key");
    const { run, asked } = moved();
    expect(await world.tick(id, run)).toBe("rail_missing");
    expect(asked).toEqual([]);
    expect(
      (await listLegs(world.table, { tenantId: "1001", id })).every(({ claimedAtMs }) => claimedAtMs === undefined),
    ).toBe(true);
  });

  test("takes new payments, and the new address is what they are asked for at", async () => {
    const { run, asked } = moved();
    const { id } = await world.newDraft();
    expect(await world.submit(id, "key", run)).toMatchObject({ ok: true });
    expect(asked).toEqual(["execute"]);
    expect(await world.tick(id)).toBe("rail_missing");
  });
});

describe("of two rails", () => {
  const heldBy = async (id: string) => (await world.paymentsOf(id)).map(({ rail }) => rail);

  test("each takes the payments of its own corridors, and is asked about them", async () => {
    const [north, south] = [await world.newDraft({ from: "NO" }), await world.newDraft({ from: "BR" })];
    for (const { id } of [north, south]) expect(await world.submit(id, "key")).toMatchObject({ ok: true });
    expect([await heldBy(north.id), await heldBy(south.id)]).toEqual([["sandbox-bank"], ["sandbox"]]);
    for (const { id } of [north, south]) while ((await world.timerOf(id)) !== undefined) await world.tick(id);
    expect([(await world.get(north.id)).status, (await world.get(south.id)).status]).toEqual([
      "completed",
      "completed",
    ]);
    expect((await world.get(north.id)).executions[0]?.connector).toBe("sandbox-bank");
  });

  test("a batch goes to one, with its deposit and every recipient", async () => {
    const { id } = await world.newBatch(2, [], [], "NO");
    await world.submit(id, "key");
    await world.tick(id);
    expect(await heldBy(id)).toEqual(["sandbox-bank", "sandbox-bank"]);
    const { connectorPayment } = await world.get(id);
    expect(connectorPayment?.transactionBankDetails.bankName).toBe("Sandbox Nordic Bank");
  });
});

describe("a claim that the rail may have forgotten", () => {
  /** A rail that records the payments it is asked to make. */
  function counting() {
    const asked: string[] = [];
    const { execute } = world.rail.port;
    const run = world.withRail({
      execute: (order, executionId) => {
        asked.push(executionId);
        return execute(order, executionId);
      },
    });
    return { run, asked };
  }

  test.each(["the timer", "a replay of its key"])(
    "is not put to it again by %s, shows as requires_recovery, and is resolved by hand",
    async (whom) => {
      const { id } = await world.newDraft();
      await world.submit(id, "key", silent());
      world.clock.ms += MONTH_MS;
      const { run, asked } = counting();
      if (whom === "the timer") expect(await world.tick(id, run)).toBe("lost_track");
      else
        expect(await world.submit(id, "key", run)).toMatchObject({ ok: false, failure: { kind: "outcome_unknown" } });
      expect(await world.get(id)).toMatchObject({ status: "requires_recovery", submission: {} });
      const { version } = await world.get(id);
      expect(await world.submit(id, "key", run)).toEqual({
        ok: false,
        failure: { kind: "in_recovery", status: "requires_recovery" },
      });
      expect([asked, (await world.get(id)).version]).toEqual([[], version]);
      expect(await resolveIntent(run, by(id), { as: "cancelled" })).toMatchObject({
        ok: true,
        value: { status: "cancelled" },
      });
    },
  );

  test("a day before that is put to it again", async () => {
    const { id } = await world.newDraft();
    await world.submit(id, "key", silent());
    world.clock.ms += MONTH_MS - 2 * 86_400_000;
    expect(await world.submit(id, "key")).toMatchObject({ ok: true });
  });

  test("does not keep a recipient under way from being asked about, however long ago it was sent", async () => {
    const { id } = await world.newBatch(1);
    await world.submit(id, "key");
    await world.tick(id);
    world.clock.ms += MONTH_MS;
    await world.tick(id);
    expect((await world.get(id)).status).toBe("completed");
  });

  test("of a batch's recipient waits for an operator, who is told whose id is needed", async () => {
    const { id } = await world.newBatch(2, [undefined, "SANDBOX-OVERDUE"]);
    await world.submit(id, "key");
    await world.tick(id, world.withRail({ execute: async () => ({ kind: "unknown", reason: "silence" }) }));
    world.clock.ms += MONTH_MS + LEASE_MS;
    const { run, asked } = counting();
    expect(await world.tick(id, run)).toBe("lost_track");
    expect(asked).toEqual([]);
    const cleared = { as: "settled", cleared: [1] } as const;
    expect(await resolveIntent(run, by(id), cleared)).toMatchObject({
      ok: false,
      failure: { kind: "ids_needed", orders: [1] },
    });
    const railPaymentIds = new Map([[1, "rail-1"]]);
    expect(await resolveIntent(run, by(id), { ...cleared, railPaymentIds })).toMatchObject({
      ok: true,
      value: { status: "partially_completed", bulkProgress: { total: 2, completed: 1, failed: 1 } },
    });
  });
});

describe("the list of a rail's payments", () => {
  const record = (executionId: string): RailRecord => ({
    ...{ tenantId: "1001", intentId: "i", executionId, railPaymentId: `rail-${executionId}`, acceptedAtMs: 1 },
    ...{ currency: "BRL", totalAmount: "1.00", standing: "pending" },
  });
  const read = async (as: Run) =>
    (await listHeld(as, 7)).map((held) => "payments" in held && held.payments.map(({ executionId }) => executionId));

  test("is read page by page to the last one, of every rail", async () => {
    const asked: unknown[] = [];
    const run = world.withRail({
      list: async (page) => {
        asked.push(page);
        const at = Number(page.after ?? "0");
        return { kind: "page", payments: [record(`e${at}`)], ...(at < 2 && { after: String(at + 1) }) };
      },
    });
    expect(await read(run)).toEqual([
      ["e0", "e1", "e2"],
      ["e0", "e1", "e2"],
    ]);
    const page = { sinceMs: 7, limit: 1_000 };
    const pages = [page, { ...page, after: "1" }, { ...page, after: "2" }];
    expect(asked).toEqual([...pages, ...pages]);
  });
});
