import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startWorld, type World } from "./execution-fixture.ts";
import type { Run } from "./run.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

/** Runs one call to a store or to the rail; what it does instead is how a worker fails. */
type Edge = (call: () => Promise<unknown>) => Promise<unknown>;

/** A worker whose every call to the outside goes through `edge`: what it asks the table, and what it asks the rail. */
function through(edge: Edge): Run {
  const { table, connector } = world.run;
  const { db } = table;
  const send = (command: Parameters<typeof db.send>[0]) => edge(() => db.send(command));
  const execute: typeof connector.execute = async (order, executionId) => {
    const answer = await edge(() => connector.execute(order, executionId));
    return answer as Awaited<ReturnType<typeof connector.execute>>;
  };
  const watched = new Proxy(db, { get: (target, name) => (name === "send" ? send : Reflect.get(target, name)) });
  return { ...world.run, table: { ...table, db: watched }, connector: { ...connector, execute } };
}

const never = () => new Promise<never>(() => undefined);
const afterwards: Edge = async (call) => {
  await call();
  return never();
};
const lost = () => Promise.reject(new Error("the connection was reset"));

/** How the k-th call may go wrong. After a death nothing that the worker would have done happens any more (H64). */
const faults: Readonly<Record<string, Edge>> = {
  "dies before it": never,
  "dies after it": afterwards,
  "hears an error before it": lost,
  "hears an error although it happened": async (call) => {
    await call();
    return lost();
  },
};

/** Lets the k-th call of a submit go wrong, and resolves when the submit has ended or its worker is dead. */
async function submitFailingAt(k: number, fault: Edge, id: string): Promise<void> {
  const died = Promise.withResolvers<void>();
  let calls = 0;
  const edge: Edge = async (call) => {
    calls += 1;
    if (calls !== k) return call();
    let done: Promise<unknown> = Promise.resolve();
    const outcome = fault(() => {
      done = call();
      return done;
    });
    // By then the fault knows whether it makes the call at all.
    await done.catch(() => undefined);
    died.resolve();
    return outcome;
  };
  const ended = world.submit(id, "key", through(edge)).then(
    () => undefined,
    () => undefined,
  );
  await (fault === never || fault === afterwards ? died.promise : ended);
}

async function countCalls(): Promise<number> {
  const { id } = await world.newDraft();
  let calls = 0;
  await world.submit(
    id,
    "key",
    through((call) => {
      calls += 1;
      return call();
    }),
  );
  return calls;
}

describe("a submit whose worker", () => {
  test.each(Object.keys(faults).flatMap((fault) => ["a replay", "the timer"].map((rescuer) => ({ fault, rescuer }))))(
    "$fault, at any call, is finished by $rescuer with one payment",
    async ({ fault, rescuer }) => {
      const calls = await countCalls();
      expect(calls).toBeGreaterThan(5);
      for (let k = 1; k <= calls; k++) {
        const { id } = await world.newDraft();
        await submitFailingAt(k, faults[fault]!, id);
        const { submission } = await world.get(id);
        if (submission !== undefined) world.clock.ms = Math.max(world.clock.ms, submission.leaseUntilMs);
        // A claim is finished by whoever comes; without one nothing has happened, and only a submit starts over.
        if (submission !== undefined && rescuer === "the timer") expect(await world.tick(id)).toBe("recovered");
        const replay = await world.submit(id, "key");

        const intent = await world.get(id);
        expect([k, replay.ok, intent.status]).toEqual([k, true, "executing"]);
        expect(intent.executions).toHaveLength(1);
        expect(intent).not.toHaveProperty("submission");
        const [execution] = intent.executions;
        expect(await world.paymentsOf(id)).toMatchObject([{ executionId: execution?.executionId }]);
        expect(await world.documentOf(intent)).toMatchObject({ consumedBy: id, executionId: execution?.executionId });
        expect(await world.timerOf(id)).toMatchObject({ kind: "poll" });
      }
    },
  );
});
