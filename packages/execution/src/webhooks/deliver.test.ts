import { MINUTE_MS } from "@intents/domain/durations.ts";
import type { WebhookEndpoint } from "@intents/domain/webhooks/endpoint.ts";
import { GIVEN_UP_AFTER_MS, NEW, PAUSES_MS } from "@intents/domain/webhooks/endpoint-health.ts";
import { eventActions } from "@intents/storage/events/events.ts";
import { placeAt, settledAt } from "@intents/storage/events/feed.ts";
import { forgetOwnId } from "@intents/storage/events/own-ids.ts";
import type { Queue } from "@intents/storage/queue/queue.ts";
import type { Table } from "@intents/storage/table/table.ts";
import { transact } from "@intents/storage/table/transact.ts";
import { startTable } from "@intents/storage/test/table-fixture.ts";
import { listDeliveries } from "@intents/storage/webhooks/deliveries.ts";
import {
  addEndpoint,
  deleteEndpoint,
  findEndpoint,
  findProgress,
  listEndpoints,
  replaceEndpoint,
  replaceSecret,
} from "@intents/storage/webhooks/endpoints.ts";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { AT_MS, BROKEN, change, FINE, newHookOn } from "../../test/hook-fixture.ts";
import { deliverTo } from "./deliver.ts";
import { redeliver, replay } from "./redelivery.ts";
import { ANSWER_MS_MAX } from "./send.ts";
import { newSecret } from "./signature.ts";
import { serveTenant } from "./tenant.ts";

// A lost answer would leave a lease behind, for whose minute these tests do not wait.
const { table, stop } = await startTable({ isHostile: false });
afterAll(stop);

const newHook = (more: Partial<WebhookEndpoint> = {}) => newHookOn(table, more);
/** The table, of whose commands `look` is told first. */
const tableThat = (look: (command: object) => void): Table => ({
  ...table,
  db: Object.create(table.db, {
    send: {
      value: async (command: object) => {
        look(command);
        return table.db.send(command as never);
      },
    },
  }),
});

let hook: Awaited<ReturnType<typeof newHook>>;
beforeEach(async () => {
  hook = await newHook();
});

describe("an endpoint that is well", () => {
  test("is sent each event once, from its making on, in the order of each thing, at once", async () => {
    await hook.happen("before", AT_MS - 1);
    await hook.happen("a", AT_MS + 1, 1);
    await hook.happen("a", AT_MS + 2, 2, "executing");
    await hook.happen("b", AT_MS + 2);
    await hook.run(AT_MS + 1_000);
    const about = (id: string) =>
      hook
        .bodies()
        .filter(({ data }) => data.resource.id === id)
        .map(({ type }) => type);
    expect([about("a"), about("b"), about("before")]).toEqual([
      ["paymentIntent.draft", "paymentIntent.executing"],
      ["paymentIntent.draft"],
      [],
    ]);
    await hook.run(AT_MS + 2_000);
    expect(hook.sent).toHaveLength(3);
    // The feed settles, and what came to stand before is sent as well.
    await hook.happen("late", AT_MS + 1);
    for (const afterMs of [3_000, 20_000, 25_000]) await hook.run(AT_MS + afterMs);
    expect(hook.sent).toHaveLength(4);
    const { cursor } = (await findProgress(table, hook.key))!;
    expect(cursor).toEqual(placeAt(AT_MS + 5_000));
    await hook.happen("next", AT_MS + 21_000);
    await hook.run(AT_MS + 90_000);
    expect(hook.bodies().at(-1)?.data.resource.id).toBe("next");
    expect(hook.sent).toHaveLength(5);
  });

  test("is sent what it wants alone, with nothing in it but what the feed tells", async () => {
    hook = await newHook({ types: ["paymentIntent.executing"] });
    await hook.happen("a", AT_MS + 1, 1);
    await hook.happen("a", AT_MS + 2, 2, "executing");
    await hook.run(AT_MS + 1_000);
    expect(hook.bodies()).toEqual([
      {
        type: "paymentIntent.executing",
        timestamp: new Date(AT_MS + 2).toISOString(),
        data: { id: expect.any(String), resource: { type: "paymentIntent", id: "a" }, status: "executing" },
      },
    ]);
  });

  test("is told the tenant's own id of a payment, at each attempt, until the person is erased", async () => {
    hook.answer = () => BROKEN;
    await hook.happen("a", AT_MS + 1, 1, "draft", "order-7");
    await hook.run(AT_MS + 10);
    await hook.run(AT_MS + MINUTE_MS);
    const [delivery] = (await listDeliveries(table, hook.key, { limit: 1 }, AT_MS + MINUTE_MS))!.items;
    expect(JSON.stringify(delivery)).not.toContain("order-7");
    await forgetOwnId(table, { tenantId: hook.tenantId, id: "other" }, AT_MS);
    await redeliver(table, hook.key, delivery!.event.id, AT_MS + 2 * MINUTE_MS);
    await hook.run(AT_MS + 2 * MINUTE_MS);
    await forgetOwnId(table, { tenantId: hook.tenantId, id: "a" }, AT_MS);
    await replay(table, hook.key, new Date(AT_MS).toISOString(), AT_MS + 3 * MINUTE_MS);
    hook.answer = () => FINE;
    await hook.run(AT_MS + 20 * MINUTE_MS);
    const externalIds = hook.bodies().map(({ data }) => data.externalId);
    expect(externalIds.slice(0, 3)).toEqual(["order-7", "order-7", "order-7"]);
    expect(new Set(externalIds.slice(3))).toEqual(new Set([undefined]));
    expect(externalIds.length).toBeGreaterThan(3);
  });

  test("to which nothing happens keeps its place for a day, and is moved on before the feed forgets it", async () => {
    const placeAfter = async (afterMs: number) => {
      await hook.run(AT_MS + afterMs);
      return (await findProgress(table, hook.key))?.cursor;
    };
    expect(await placeAfter(86_400_000)).toEqual(placeAt(AT_MS));
    expect(await placeAfter(86_500_000)).toEqual(settledAt(AT_MS + 86_500_000));
  });

  test("that is far behind is sent all, page by page, in order, and each once", async () => {
    // One change of a batch tells of each of its recipients.
    const legs = { of: "leg", id: "a", status: "pending", orders: [[0, 101]] } as const;
    const { tenantId } = hook;
    await transact({ ...table, now: () => AT_MS }, () =>
      eventActions(table, { tenantId, about: "a", atMs: AT_MS, step: 1 }, [legs]),
    );
    for (const afterMs of [MINUTE_MS, 2 * MINUTE_MS]) await hook.run(AT_MS + afterMs);
    const orders = hook.sent.map(({ body }) => JSON.parse(body).data.resource.order);
    expect(orders).toEqual(Array.from({ length: 102 }, (_, order) => order));
  });

  test.each([
    [undefined, 124],
    [["paymentIntent.executing"] as const, 1],
  ])(
    "that gets pages of events within seconds is sent what it wants of them at once, and its worker ends: %j",
    async (types, count) => {
      hook = await newHook(types && { types });
      const changes = (orders: number) => [{ of: "leg", id: "a", status: "pending", orders: [[0, orders]] } as const];
      const { tenantId } = hook;
      for (const [step, orders] of [119, 2].entries())
        await transact({ ...table, now: () => AT_MS }, () =>
          eventActions(table, { tenantId, about: "a", atMs: AT_MS + 1 + step, step }, changes(orders)),
        );
      await hook.happen("a", AT_MS + 5, 7, "executing");
      let commands = 0;
      const patient = tableThat(() => {
        if (++commands > 2_000) throw new Error("The worker does not end");
      });
      expect(await hook.run(AT_MS + 1_000, patient)).toEqual({ hasMore: false });
      expect(hook.sent).toHaveLength(count);
    },
  );

  test("is signed as Standard Webhooks says, by both secrets for a day after a rotation", async () => {
    const verify = (by: string) => {
      const { body, headers } = hook.sent.at(-1)!;
      const { data } = JSON.parse(body);
      expect(headers["webhook-id"]).toBe(data.id);
      // The library compares with the clock of this machine.
      const webhook = new Webhook(by);
      const at = new Date(Number(headers["webhook-timestamp"]) * 1000);
      return headers["webhook-signature"]?.split(" ").includes(webhook.sign(data.id, at, body));
    };
    const next = newSecret((count) => new Uint8Array(count).fill(9));
    await hook.happen("a", AT_MS + 1);
    await hook.run(AT_MS + 10);
    expect([verify(hook.secret), verify(next)]).toEqual([true, false]);
    await replaceSecret(table, hook.key, { secret: next, formerUntilMs: AT_MS + MINUTE_MS }, change);
    await hook.happen("b", AT_MS + 20);
    await hook.run(AT_MS + 30);
    expect([verify(hook.secret), verify(next)]).toEqual([true, true]);
    await hook.happen("c", AT_MS + 2 * MINUTE_MS);
    await hook.run(AT_MS + 2 * MINUTE_MS + 1);
    expect([verify(hook.secret), verify(next)]).toEqual([false, true]);
  });

  test("gets what failed again by its pauses under the same id, while others go on, until it is given up", async () => {
    hook.answer = ({ body }) => (body.includes('"bad"') ? BROKEN : FINE);
    await hook.happen("bad", AT_MS + 1);
    let atMs = AT_MS + 10;
    for (const [index, pauseMs] of PAUSES_MS.entries()) {
      await hook.happen(`good${index}`, atMs - 1);
      await hook.run(atMs);
      atMs += pauseMs + 1_000;
    }
    await hook.run(atMs);
    const bad = hook.sent.filter(({ body }) => body.includes('"bad"'));
    expect(bad).toHaveLength(PAUSES_MS.length + 1);
    expect(new Set(bad.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    await hook.run(atMs + 30 * 3_600_000);
    expect(hook.sent).toHaveLength(2 * PAUSES_MS.length + 1);
  });
});

describe("an endpoint that fails", () => {
  test("is tried with one event at a time, loses nothing, and catches up in order once it is back", async () => {
    hook.answer = () => ({ problem: "ECONNREFUSED" });
    for (let count = 0; count < 12; count++) await hook.happen(`i${String(count).padStart(2, "0")}`, AT_MS + count);
    await hook.run(AT_MS + 100);
    const tried = hook.sent.length;
    // Failures side by side count once: the first probe comes soon.
    expect((await findProgress(table, hook.key))?.standing.probe).toEqual({ count: 0, atMs: AT_MS + 5_100 });
    expect(tried).toBeLessThanOrEqual(12);
    let wakes = 0;
    for (let atMs = AT_MS + MINUTE_MS; atMs < AT_MS + 20 * 3_600_000; atMs += 10 * MINUTE_MS, wakes++)
      await hook.run(atMs);
    // Two days of pauses have few probes in them, and nobody gave anything up.
    expect(hook.sent.length - tried).toBeLessThan(8);
    expect(wakes).toBeGreaterThan(100);
    hook.sent.length = 0;
    hook.answer = () => FINE;
    await hook.run(AT_MS + 40 * 3_600_000);
    const got = hook.bodies().map(({ data }) => data.resource.id);
    expect(got.toSorted()).toEqual(Array.from({ length: 12 }, (_, count) => `i${String(count).padStart(2, "0")}`));
    expect((await findProgress(table, hook.key))?.standing).toEqual(NEW);
  });

  test("finds the event that it wants behind pages that it does not want, and is well again", async () => {
    hook.answer = () => BROKEN;
    for (let count = 0; count < 6; count++) await hook.happen(`i${count}`, AT_MS + count);
    await hook.run(AT_MS + 100);
    const before = (await findEndpoint(table, hook.key))!;
    const narrowed = { ...before, types: ["paymentIntent.executing"], changes: 1 } as const;
    await replaceEndpoint(table, hook.tenantId, [before, narrowed], undefined, change);
    const legs = { of: "leg", id: "b", status: "pending", orders: [[0, 119]] } as const;
    await transact({ ...table, now: () => AT_MS }, () =>
      eventActions(table, { tenantId: hook.tenantId, about: "b", atMs: AT_MS + 200, step: 1 }, [legs]),
    );
    await hook.happen("wanted", AT_MS + 300, 2, "executing");
    hook.answer = () => FINE;
    hook.sent.length = 0;
    await hook.run(AT_MS + MINUTE_MS);
    await hook.run(AT_MS + 2 * MINUTE_MS);
    expect(hook.bodies().map(({ data }) => data.resource.id)).toEqual(["wanted"]);
    expect((await findProgress(table, hook.key))?.standing).toEqual(NEW);
  });

  test("is left alone for as long as it asks for", async () => {
    hook.answer = () => ({ ...BROKEN, retryAfterMs: 3_600_000 });
    await hook.happen("a", AT_MS + 1);
    const sent: number[] = [];
    for (const afterMs of [10, 3_600_009, 3_600_010]) {
      await hook.run(AT_MS + afterMs);
      sent.push(hook.sent.length);
    }
    expect(sent).toEqual([1, 1, 2]);
  });

  test("loses none of the events of one thing, of which it was tried with the first alone", async () => {
    hook.answer = () => BROKEN;
    for (let step = 1; step <= 8; step++) await hook.happen("a", AT_MS + step, step);
    await hook.run(AT_MS + MINUTE_MS);
    expect(hook.sent.length).toBeLessThan(8);
    hook.sent.length = 0;
    hook.answer = () => FINE;
    await hook.run(AT_MS + 40 * 3_600_000);
    expect(new Set(hook.bodies().map(({ data }) => data.id)).size).toBe(8);
  });

  test.each([
    ["answers 410 at once", { status: 410, body: "", retryAfterMs: 0 }, 1, "gone"],
    ["answers nothing for five days", { problem: "TIMEOUT" }, 200, "unanswered"],
  ] as const)("and %s is disabled, which an event tells", async (_, answer, hours, reason) => {
    hook.answer = () => answer;
    await hook.happen("a", AT_MS + 1);
    for (let hour = 0; hour < hours; hour += 4) await hook.run(AT_MS + 10 + hour * 3_600_000);
    expect(await findEndpoint(table, hook.key)).toMatchObject({ status: "disabled", disabledReason: reason });
    const before = hook.sent.length;
    await hook.run(AT_MS + 300 * 3_600_000);
    expect(hook.sent).toHaveLength(before);
  });
});

test("two workers at once send each event once, and what comes meanwhile is sent by the one that works", async () => {
  await hook.happen("a", AT_MS + 1);
  let other: Promise<unknown> | undefined;
  hook.answer = async () => {
    if (other === undefined) {
      await hook.happen("b", AT_MS + 2);
      other = hook.run(AT_MS + 100);
      await other;
    }
    return FINE;
  };
  await hook.run(AT_MS + 100);
  expect(hook.bodies().map(({ data }) => data.resource.id)).toEqual(["a", "b"]);
});

test("a worker that stood still for days disables nothing by the one attempt that it made", async () => {
  await hook.happen("a", AT_MS + 1);
  hook.answer = () => BROKEN;
  await hook.run(AT_MS + 10);
  const atMs = AT_MS + MINUTE_MS;
  const clock = { ms: atMs };
  hook.answer = () => {
    clock.ms += GIVEN_UP_AFTER_MS;
    return BROKEN;
  };
  await deliverTo({ ...hook.means(atMs), now: () => clock.ms }, hook.key, atMs + MINUTE_MS);
  expect(hook.sent).toHaveLength(2);
  expect(await findEndpoint(table, hook.key)).toMatchObject({ status: "enabled" });
});

test("nothing is sent that may be answered only once its worker has ended", async () => {
  await hook.happen("a", AT_MS + 1);
  const until = (deadlineMs: number) => deliverTo(hook.means(AT_MS + 100), hook.key, deadlineMs);
  await until(AT_MS + 100 + ANSWER_MS_MAX);
  expect(hook.sent).toEqual([]);
  await until(AT_MS + 101 + ANSWER_MS_MAX);
  expect(hook.sent).toHaveLength(1);
});

test("nothing is sent once an endpoint is deleted, not even what was about to be", async () => {
  for (const about of ["a", "a", "a"].entries()) await hook.happen("a", AT_MS + about[0] + 1, about[0] + 1);
  hook.answer = async () => {
    await deleteEndpoint(table, hook.key, change);
    return FINE;
  };
  await hook.run(AT_MS + 100);
  await hook.run(AT_MS + 200_000);
  expect(hook.sent).toHaveLength(1);
});

test("an event whose delivery cannot be kept delays no other, and is named", async () => {
  for (const about of ["a", "b", "c"]) await hook.happen(about, AT_MS + 1);
  const failing = tableThat((command) => {
    if (/Put/.test(command.constructor.name) && JSON.stringify(command).includes('\\"id\\":\\"b\\"'))
      throw new Error("gone");
  });
  await expect(hook.run(AT_MS + 100, failing)).rejects.toThrow(/1 failed, all else was sent.*gone/);
  expect(hook.sent).toHaveLength(3);
  // It was sent, and is again: at least once.
  await hook.run(AT_MS + 200);
  expect(
    hook
      .bodies()
      .map(({ data }) => data.resource.id)
      .toSorted(),
  ).toEqual(["a", "b", "b", "c"]);
});

test("an endpoint that cannot be dealt with delays no other of its tenant, and is named", async () => {
  const other = { tenantId: hook.tenantId, id: "e2" };
  const { endpoint, progress } = (await listEndpoints(table, hook.tenantId))[0]!;
  await addEndpoint(
    table,
    hook.tenantId,
    { endpoint: { ...endpoint, id: other.id }, progress, secret: hook.secret },
    change,
  );
  await hook.happen("a", AT_MS + 1);
  const failing = tableThat((command) => {
    if (/Put/.test(command.constructor.name) && JSON.stringify(command).includes("e1#PROGRESS"))
      throw new Error("gone");
  });
  const apart = { client: { send: async () => ({}) }, url: "" } as unknown as Queue;
  const failed = await serveTenant(
    { ...hook.means(AT_MS + 100, failing), apart },
    hook.tenantId,
    AT_MS + 10 * MINUTE_MS,
  );
  expect(failed.map(({ about }) => about)).toEqual([`${hook.tenantId} e1`]);
  expect(hook.sent).toHaveLength(1);
  expect((await findProgress(table, other))?.standing).toEqual(NEW);
});

test("a delivery that succeeds at once takes three writes: its lease, its record and the cursor", async () => {
  await hook.happen("a", AT_MS + 1);
  const writes: string[] = [];
  const counting = tableThat((command) => {
    if (/Put|Update|Transact/.test(command.constructor.name)) writes.push(command.constructor.name);
  });
  await hook.run(AT_MS + 10, counting);
  expect(writes).toEqual(["PutCommand", "PutCommand", "PutCommand"]);
});
