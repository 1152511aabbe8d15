import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import { TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import type { Rail } from "@intents/domain/rails/rail.ts";
import type { Queue } from "@intents/storage/queue/queue.ts";
import type { Run } from "../src/run.ts";

/** Runs one call to a store or to the rail. An edge that does something else makes the worker fail. */
export type Edge = (call: () => Promise<unknown>) => Promise<unknown>;

/** How a worker fails at one of its calls. `isMade` tells whether the call has its effect all the same. */
type Fault = Readonly<{ isMade: boolean; fate: "dies" | "hears an error" | "stalls" }>;

/** For tests: every way in which a worker's call may go wrong. */
export const faults = {
  "dies before it": { isMade: false, fate: "dies" },
  "dies after it": { isMade: true, fate: "dies" },
  "hears an error before it": { isMade: false, fate: "hears an error" },
  "hears an error although it happened": { isMade: true, fate: "hears an error" },
  "stalls before it, and comes back when all is over": { isMade: false, fate: "stalls" },
  "stalls after it, and comes back when all is over": { isMade: true, fate: "stalls" },
} as const satisfies Record<string, Fault>;
export type FaultName = keyof typeof faults;
export const faultNames = Object.keys(faults) as FaultName[];

/** The suite tries each fault at one call of a piece of work; the whole at every call. */
const SAMPLE = process.env["WHOLE"] === "1" ? Number.POSITIVE_INFINITY : 1;

/** A worker's access to the outside; only a dispatcher has a queue. */
type Worker = Run & Readonly<{ queue?: Queue }>;

/** A worker whose calls to the table, the files, the rail and the queue all go through `edge`. */
function through<As extends Worker>(run: As, edge: Edge): As {
  const { table, files, rails, queue } = run;
  const watched = watchSend(table.db, edge);
  return {
    ...run,
    table: { ...table, db: watched },
    files: { ...files, client: async () => watchSend(await files.client(), edge) },
    rails: rails.map((rail) => watchRail(rail, edge)),
    ...(queue !== undefined && { queue: { ...queue, client: watchSend(queue.client, edge) } }),
  };
}

/** A rail whose every question goes through `edge`. */
function watchRail(rail: Rail, edge: Edge): Rail {
  const through =
    <Asked extends unknown[], Answer>(ask: (...asked: Asked) => Promise<Answer>) =>
    async (...asked: Asked) =>
      (await edge(() => ask(...asked))) as Answer;
  return {
    ...rail,
    execute: through(rail.execute),
    status: through(rail.status),
    statuses: rail.statuses && through(rail.statuses),
    cancel: through(rail.cancel),
    fund: through(rail.fund),
    ...(rail.forget !== undefined && { forget: through(rail.forget) }),
  };
}

/** An SDK client whose `send` goes through `edge`. */
const watchSend = <Client extends { send: (command: never) => Promise<unknown> }>(client: Client, edge: Edge): Client =>
  new Proxy(client, {
    get: (target, name) =>
      name === "send" ? (command: never) => edge(() => target.send(command)) : Reflect.get(target, name),
  });

/**
 * A worker for whom each call to the table, the files or the queue fails for good that `isFailing` picks, by the name of
 * its command and what it asks, as text.
 */
export function failing<As extends Pick<Worker, "table"> & Partial<Worker>>(
  run: As,
  isFailing: (call: string) => boolean,
): As {
  const guarded = <Client extends { send: (command: never) => Promise<unknown> }>(client: Client): Client =>
    new Proxy(client, {
      get: (target, name) =>
        name === "send"
          ? async (command: { input: object }) => {
              const call = `${command.constructor.name} ${JSON.stringify(command.input)}`;
              if (isFailing(call)) throw new Error("The store refuses this for good");
              return target.send(command as never);
            }
          : Reflect.get(target, name),
    });
  const { table, files, queue } = run;
  return {
    ...run,
    table: { ...table, db: guarded(table.db) },
    ...(files !== undefined && { files: { ...files, client: async () => guarded(await files.client()) } }),
    ...(queue !== undefined && { queue: { ...queue, client: guarded(queue.client) } }),
  };
}

/** A worker before each of whose transactions, tries again included, `before` gets the transaction, as text. */
export function beforeTransactions(run: Run, before: (transaction: string) => Promise<unknown>): Run {
  const db = new Proxy(run.table.db, {
    get: (target, name) => {
      if (name !== "send") return Reflect.get(target, name);
      return async (command: object) => {
        if (command instanceof TransactWriteCommand) await before(JSON.stringify(command.input));
        return target.send(command as never);
      };
    },
  });
  return { ...run, table: { ...run.table, db } };
}

/** A worker before whose first transaction something else happens. */
export function overtaken(run: Run, meanwhile: () => Promise<unknown>): Run {
  let happened: Promise<unknown> | undefined;
  return beforeTransactions(run, () => (happened ??= meanwhile()));
}

/** A worker whose transactions are cancelled by a conflict at every try, where `isContended` says so. */
export const contended = (run: Run, isContended: (transaction: string) => boolean): Run =>
  beforeTransactions(run, async (transaction) => {
    if (!isContended(transaction)) return;
    const CancellationReasons = [{ Code: "TransactionConflict" }];
    throw new TransactionCanceledException({ message: "", $metadata: {}, CancellationReasons });
  });

/**
 * The calls of `work` at which a test tries a fault, counted from 1. The suite spreads its samples over the work, and
 * takes another one for each fault; `test:whole` tries all of them.
 */
export async function callsToFail<As extends Worker>(
  run: As,
  fault: FaultName,
  work: (as: As) => Promise<unknown>,
): Promise<number[]> {
  const calls = await countCalls(run, work);
  if (calls === 0) throw new Error("The work makes no call, so none can fail");
  const step = Math.max(1, Math.floor(calls / SAMPLE));
  const first = Math.floor((faultNames.indexOf(fault) * step) / faultNames.length);
  return Array.from({ length: calls }, (_, index) => index + 1).filter((k) => k % step === first);
}

/** The number of calls that `work` makes when nothing goes wrong. */
export async function countCalls<As extends Worker>(run: As, work: (as: As) => Promise<unknown>): Promise<number> {
  let calls = 0;
  await work(
    through(run, (call) => {
      calls += 1;
      return call();
    }),
  );
  return calls;
}

/** A worker before whose k-th call something else happens. */
export function overtakenAt<As extends Worker>(run: As, k: number, meanwhile: () => Promise<unknown>): As {
  let calls = 0;
  return through(run, async (call) => {
    calls += 1;
    if (calls === k) await meanwhile();
    return call();
  });
}

/**
 * Makes the k-th call of `work` go wrong, and resolves when its worker has ended, is dead or stands still. `letGo`
 * makes a stalled worker go on, and resolves when it has ended; a dead worker does nothing any more (H64).
 */
export async function failAt<As extends Worker>(
  run: As,
  k: number,
  { isMade, fate }: Fault,
  work: (as: As) => Promise<unknown>,
): Promise<{ letGo: () => Promise<void> }> {
  const reached = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  let calls = 0;
  const edge: Edge = async (call) => {
    calls += 1;
    if (calls < k || (calls > k && fate === "hears an error")) return call();
    const isFaulty = calls === k;
    const made = isFaulty && isMade ? await settle(call) : undefined;
    if (isFaulty) reached.resolve();
    if (fate === "dies") return new Promise<never>(() => undefined);
    if (fate === "hears an error") throw new Error("the connection was reset");
    await gate.promise;
    return made === undefined ? call() : made();
  };
  const ended = work(through(run, edge)).then(
    () => undefined,
    () => undefined,
  );
  await (fate === "hears an error" ? ended : Promise.race([reached.promise, ended]));
  return {
    letGo: () => {
      gate.resolve();
      return fate === "stalls" ? ended : Promise.resolve();
    },
  };
}

/** Makes a call now, and gives a function that tells its outcome later. */
const settle = (call: () => Promise<unknown>): Promise<() => Promise<unknown>> =>
  call().then(
    (value) => async () => value,
    (error: unknown) => () => Promise.reject(error as Error),
  );
