import { intentStatuses, isTerminal, terminalStatuses } from "@intents/domain/intents/statuses.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { answered, ok, openMachine, type Reply } from "../test/machine-fixture.ts";
import { openClient } from "./client.ts";
import { ApiError, NotFinalError } from "./errors.ts";

const settings = { baseUrl: "https://api.example.com", apiKey: "demo:s3cr3t" };
const intent = (status: string) => ok({ id: "i1", status });

function open(replies: readonly (() => Reply)[], random?: () => number) {
  const world = openMachine(replies, random);
  return { ...world, wait: openClient(settings, world.machine).paymentIntents.waitUntilFinal };
}

test.each([...terminalStatuses])("%s ends the wait, and it is the service's own word for an end", async (status) => {
  const { wait, slept } = open([intent("executing"), intent(status)]);
  expect(await wait("i1")).toEqual({ id: "i1", status });
  expect(slept).toEqual([30_000]);
});

test("no other status does, but that of a link", async () => {
  for (const status of intentStatuses.filter((one) => !isTerminal(one) && one !== "pending_link_payment")) {
    const { wait, slept } = open([intent(status), intent("completed")]);
    await wait("i1");
    expect(slept).toHaveLength(1);
  }
});

test("it asks every 30 seconds, every 60 after 5 minutes of executing, each up to 20 % off, and hands over after 30", async () => {
  await fc.assert(
    fc.asyncProperty(fc.double({ min: 0, max: 1, noNaN: true }), async (chance) => {
      const { wait, slept } = open([intent("executing")], () => chance);
      await expect(wait("i1")).rejects.toBeInstanceOf(NotFinalError);
      let passedMs = 0;
      for (const [index, ms] of slept.entries()) {
        const cadenceMs = passedMs >= 5 * 60_000 ? 60_000 : 30_000;
        expect(ms).toBeLessThanOrEqual(cadenceMs * 1.2 + 1e-6);
        // The last question comes when the time is over.
        if (index < slept.length - 1) expect(ms).toBeGreaterThanOrEqual(cadenceMs * 0.8 - 1e-6);
        passedMs += ms;
      }
      expect(passedMs).toBeGreaterThanOrEqual(30 * 60_000);
      expect(passedMs).toBeLessThan(30 * 60_000 + 10);
    }),
  );
});

describe("the wait", () => {
  test("is as long as the service says, or the caller", async () => {
    const respond = () => {
      const response = intent("executing")();
      response.headers.set("Retry-After", "7");
      return response;
    };
    const { wait, slept } = open([respond, intent("completed")]);
    await wait("i1");
    const quick = open([respond, intent("completed")]);
    await quick.wait("i1", { intervalMs: 500 });
    expect([slept, quick.slept]).toEqual([[7000], [500]]);
  });

  test("is not none where the service says so, nor longer than the whole", async () => {
    const respondAfter = (seconds: string) => () => {
      const response = intent("executing")();
      response.headers.set("Retry-After", seconds);
      return response;
    };
    const { wait, slept } = open([respondAfter("0"), respondAfter("999999999"), intent("completed")]);
    await wait("i1");
    expect(slept).toEqual([30_000, 29.5 * 60_000]);
  });

  test("ends with the caller's budget, however seldom it asks, and gives the intent as it was seen last", async () => {
    const { wait, slept, sent } = open([intent("executing")]);
    const given = { budgetMs: 45_000, timeoutMs: 1000, headers: { "X-Trace": "t1" } };
    const error = await wait("i1", given).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: "NotFinalError", intent: { id: "i1", status: "executing" } });
    expect(slept).toEqual([30_000, 15_000]);
    expect(sent.map(({ headers }) => headers.get("X-Trace"))).toEqual(["t1", "t1", "t1"]);
    await expect(wait("i1", { budgetMs: 0 })).rejects.toThrow(/^budgetMs must be/);
  });

  test.each([0, -5, Number.NaN, Number.POSITIVE_INFINITY])("is none of %s milliseconds", async (intervalMs) => {
    const { wait, sent } = open([intent("executing")]);
    await expect(wait("i1", { intervalMs })).rejects.toThrow(/^intervalMs must be/);
    expect(sent).toEqual([]);
  });

  test("outlives answers that are not the service's", async () => {
    const { wait } = open([answered({ status: 200 }), ok({ page: "maintenance" }), intent("completed")]);
    expect(await wait("i1")).toMatchObject({ status: "completed" });
  });

  test("outlives an outage, and no refusal", async () => {
    const down = Array(8).fill(answered({ status: 502 }));
    const { wait } = open([...down, intent("completed")]);
    expect(await wait("i1")).toMatchObject({ status: "completed" });
    await expect(open([answered({ status: 404, code: "[GEN9003]" })]).wait("i1")).rejects.toBeInstanceOf(ApiError);
    await expect(open([answered({ status: 502 })]).wait("i1")).rejects.toMatchObject({ status: 502, retrySafe: true });
  });

  test("is none for a link, which has no end", async () => {
    const { wait, slept } = open([intent("pending_link_payment")]);
    await expect(wait("i1")).rejects.toMatchObject({ name: "NotFinalError", intent: { id: "i1" } });
    expect(slept).toEqual([]);
  });

  test("ends with the signal", async () => {
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(open([intent("executing")]).wait("i1", { signal })).rejects.toThrow("enough");
  });
});
