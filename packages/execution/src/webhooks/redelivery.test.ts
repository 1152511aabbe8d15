import { MINUTE_MS } from "@intents/domain/durations.ts";
import { NEW } from "@intents/domain/webhooks/endpoint-health.ts";
import { placeAt } from "@intents/storage/events/feed.ts";
import { startTable } from "@intents/storage/test/table-fixture.ts";
import { findDelivery, listDeliveries } from "@intents/storage/webhooks/deliveries.ts";
import { findEndpoint, findProgress, replaceEndpoint } from "@intents/storage/webhooks/endpoints.ts";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { AT_MS, BROKEN, change, FINE, newHookOn } from "../../test/hook-fixture.ts";
import { redeliver, replay } from "./redelivery.ts";

const { table, stop } = await startTable({ isHostile: false });
afterAll(stop);

let hook: Awaited<ReturnType<typeof newHookOn>>;
beforeEach(async () => {
  hook = await newHookOn(table);
});
const about = () => hook.bodies().map(({ data }) => data.resource.id);

describe("a redelivery", () => {
  test("is sent at once under the same id, whatever became of the event, and begins the pauses anew", async () => {
    await hook.happen("a", AT_MS + 1);
    await hook.run(AT_MS + 10);
    const [id = ""] = hook.sent.map(({ headers }) => headers["webhook-id"] ?? "");
    hook.answer = () => BROKEN;
    expect(await redeliver(table, hook.key, id, AT_MS + 20)).toMatchObject({ ok: true });
    const { wakeAtMs = 0 } = await hook.run(AT_MS + 30);
    expect(wakeAtMs - AT_MS).toBe(5_030);
    expect(await findDelivery(table, hook.key, id)).toMatchObject({ status: "waiting", attempts: [{}, {}] });
    hook.answer = () => FINE;
    await hook.run(wakeAtMs);
    expect(await findDelivery(table, hook.key, id)).toMatchObject({ status: "delivered", attempts: [{}, {}, {}] });
    expect(new Set(hook.sent.map(({ headers }) => headers["webhook-id"]))).toEqual(new Set([id]));
    expect(await redeliver(table, hook.key, "nothing", AT_MS)).toMatchObject({ ok: false });
  });

  test("has a failing endpoint tried now, and not in hours", async () => {
    hook.answer = () => BROKEN;
    for (let count = 0; count < 6; count++) await hook.happen(`i${count}`, AT_MS + count);
    for (const afterMs of [100, 6_000, 320_000]) await hook.run(AT_MS + afterMs);
    const [oldest] = (await listDeliveries(table, hook.key, { limit: 10 }, AT_MS + MINUTE_MS))!.items.slice(-1);
    hook.answer = () => FINE;
    const { length } = hook.sent;
    await hook.run(AT_MS + 330_000);
    expect(hook.sent).toHaveLength(length);
    await redeliver(table, hook.key, oldest!.event.id, AT_MS + 340_000);
    await hook.run(AT_MS + 340_000);
    expect(new Set(about().slice(length)).size).toBe(6);
    expect((await findProgress(table, hook.key))?.standing).toEqual(NEW);
  });
});

describe("a replay", () => {
  test("sends what happened from its time up to its asking again, behind what is new, once", async () => {
    for (let count = 0; count < 25; count++) await hook.happen(`i${String(count).padStart(2, "0")}`, AT_MS + count);
    await hook.run(AT_MS + 100);
    hook.sent.length = 0;
    const askedMs = AT_MS + 30_000;
    const from = new Date(AT_MS + 3).toISOString();
    expect(await replay(table, hook.key, from, askedMs)).toEqual({
      ok: true,
      value: { from, until: new Date(askedMs).toISOString() },
    });
    expect(await replay(table, hook.key, from, askedMs)).toMatchObject({ failure: { kind: "replay_running" } });
    await hook.happen("new", askedMs + 1);
    // New events go before the rest.
    hook.answer = async () => {
      if (hook.sent.length === 5) await hook.happen("newer", askedMs + 2);
      return FINE;
    };
    await hook.run(askedMs + 10);
    const got = about();
    expect(got[0]).toBe("new");
    expect(got.indexOf("newer")).toBeLessThan(15);
    expect(got.filter((id) => id.startsWith("i")).toSorted()).toEqual(
      Array.from({ length: 22 }, (_, index) => `i${String(index + 3).padStart(2, "0")}`),
    );
    expect(await findProgress(table, hook.key)).not.toHaveProperty("replay");
    expect(await replay(table, hook.key, from, askedMs + 20)).toMatchObject({ ok: true });
  });

  test("of which deliveries fail has them retried, and one at an endpoint that fails goes on once it is well", async () => {
    for (let count = 0; count < 12; count++) await hook.happen(`i${count}`, AT_MS + count);
    await hook.run(AT_MS + 100);
    await replay(table, hook.key, new Date(AT_MS).toISOString(), AT_MS + MINUTE_MS);
    hook.answer = () => BROKEN;
    await hook.run(AT_MS + MINUTE_MS + 1);
    expect((await findProgress(table, hook.key))?.replay).toBeDefined();
    hook.sent.length = 0;
    hook.answer = () => FINE;
    await hook.run(AT_MS + 2 * MINUTE_MS);
    expect(new Set(about()).size).toBe(12);
    const { items } = (await listDeliveries(table, hook.key, { limit: 100 }, AT_MS + MINUTE_MS))!;
    expect(items.map(({ status }) => status)).toEqual(Array(12).fill("delivered"));
  });

  test.each([
    ["31 days ago", -31 * 86_400_000, "from must lie within the last 30 days"],
    ["tomorrow", 86_400_000, "from must not lie in the future"],
  ])("from %s is refused", async (_, shiftMs, problem) => {
    const from = new Date(AT_MS + shiftMs).toISOString();
    expect(await replay(table, hook.key, from, AT_MS)).toEqual({
      ok: false,
      failure: { kind: "shape", problems: [problem] },
    });
  });
});

test("what waits is given up once its tenant leaves it out, by the types or from now on", async () => {
  hook.answer = () => BROKEN;
  await hook.happen("draft", AT_MS + 1);
  await hook.happen("skipped", AT_MS + 2, 2, "executing");
  await hook.run(AT_MS + 10);
  hook.answer = () => FINE;
  hook.sent.length = 0;
  const before = (await findEndpoint(table, hook.key))!;
  const narrowed = { ...before, types: ["paymentIntent.executing"], changes: 1 } as const;
  await replaceEndpoint(table, hook.tenantId, [before, narrowed], undefined, change);
  const progress = (await findProgress(table, hook.key))!;
  await hook.happen("next", AT_MS + 20_000, 1, "executing");
  const skipping = { ...progress, cursor: placeAt(AT_MS + 11_000), skipped: placeAt(AT_MS + 11_000) };
  await replaceEndpoint(table, hook.tenantId, [narrowed, { ...narrowed, changes: 2 }], [progress, skipping], change);
  await hook.run(AT_MS + 30_000);
  expect(about()).toEqual(["next"]);
  const { items } = (await listDeliveries(table, hook.key, { limit: 10, status: "failed" }, AT_MS + MINUTE_MS))!;
  expect(items.map(({ event }) => event.resource.id)).toEqual(["skipped", "draft"]);
});
