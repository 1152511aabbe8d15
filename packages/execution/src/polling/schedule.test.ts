import type { Question } from "@intents/storage/queue/queue.ts";
import { describe, expect, test } from "vitest";
import { railKeys } from "../rails/ask.ts";
import type { Run } from "../run.ts";
import { laneOf, openPost } from "./lanes.ts";
import { sweptAheadMs, toAsked } from "./sweep.ts";
import { partsOf, sweepsOf } from "./tick.ts";

describe("the sweeps of a tick", () => {
  const sweeps = (aheadMs: number, watchShards: number) =>
    sweepsOf("r", 1_000_000, { pollIntervalMs: 30_000, aheadMs, watchShards }).map(
      ({ message, delaySeconds }) =>
        message.kind === "sweep" && [message.rail, message.shard, message.age, message.untilMs, delaySeconds],
    );

  test("are two in an interval until the next tick, 20 s before their points, and one of far ones", () => {
    expect(sweeps(70_000, 2)).toEqual(
      [0, 1].flatMap((shard) => [
        ["r", shard, "far", 1_200_000, undefined],
        ...[0, 15, 30, 45, 60].map((after) => ["r", shard, "near", 1_020_000 + after * 1_000, after]),
      ]),
    );
  });

  test("are one of each where ticks follow at once", () => {
    expect(sweeps(0, 1)).toEqual([
      ["r", 0, "far", 1_200_000, undefined],
      ["r", 0, "near", 1_000_000, 0],
    ]);
  });

  test("reach so far ahead of their time", () => {
    const settings = { pollIntervalMs: 30_000 };
    expect([sweptAheadMs({ age: "near" }, settings), sweptAheadMs({ age: "far" }, settings)]).toEqual([
      30_000, 720_000,
    ]);
  });

  test("are of parts, each of which has a cursor", () => {
    expect(partsOf(["a", "b"], 2).map(({ rail, shard, age }) => `${rail} ${shard} ${age}`)).toEqual([
      "a 0 near",
      "a 0 far",
      "a 1 near",
      "a 1 far",
      "b 0 near",
      "b 0 far",
      "b 1 near",
      "b 1 far",
    ]);
  });
});

describe("a watch in a question", () => {
  const settings = { recoveryAfterMs: 100, checkoutHoldMs: 30, transferHoldMs: 40 } as Run["settings"];
  const of = { tenantId: "1001", id: "i", executionId: "e" };
  const watched = { ...of, seed: "i", startedMs: 7, isCheckout: false, isHolding: false };
  test.each([
    ["has the time from which it is looked into", { expectedMs: 50 }, { lookMs: 151 }],
    ["that holds a link is looked into at the end of the shorter hold", { isHolding: true }, { lookMs: 37 }],
    ["of a recipient has its order", { order: 0, expectedMs: 0 }, { order: 0, lookMs: 101 }],
    ["of which nothing is expected is looked into by its news alone", {}, {}],
  ])("%s", (_, changes, named) => {
    expect(toAsked({ settings } as Run, { ...watched, ...changes })).toEqual({ ...of, ...named });
  });

  test("has the hold of transfers where that is the shorter one", () => {
    const run = { settings: { ...settings, transferHoldMs: 20 } } as Run;
    expect(toAsked(run, { ...watched, isHolding: true }).lookMs).toBe(27);
  });
});

describe("a rail's lane", () => {
  const sent: string[] = [];
  const queueOf = (url: string) => {
    const client = {
      send: async ({ input }: { input: { Entries: { MessageBody: string }[] } }) => {
        for (const { MessageBody } of input.Entries) sent.push(`${url} ${JSON.parse(MessageBody).kind}`);
        return {};
      },
    };
    return { client, url } as unknown as Parameters<typeof openPost>[1];
  };
  const [timers, first, second] = ["timers", "first", "second"].map(queueOf);
  if (timers === undefined || first === undefined || second === undefined) throw new Error("Three queues were made");

  test.each([
    [0, first],
    [1, second],
    [2, first],
    [-1, first],
  ])("of rail %i is its own, in turn", (rail, lane) => {
    expect(laneOf([first, second], rail)).toBe(lane);
  });

  test("takes what the rail is asked, and the queue of timers all else", async () => {
    expect(() => laneOf([], 0)).toThrow("There is no queue for questions to rails");
    const rails = ["a", "b"].map((name) => ({ rail: { name, address: "there" } })) as unknown as Run["rails"];
    const rail = railKeys({ rails })[1] ?? "";
    const question: Question = { kind: "question", rail, shard: 0, age: "near", fromMs: 0, about: [] };
    await openPost({ rails }, timers, [first, second])([
      ...[{ message: question }, { message: { kind: "alone", rail } as const }],
      ...[{ message: { kind: "sweep", rail, shard: 0, age: "near", untilMs: 0 } as const }],
    ]);
    expect(sent.toSorted()).toEqual(["second alone", "second question", "timers sweep"]);
  });
});
