import { askSteps, type Execution, railSteps, unasked, type Worker, withWorker } from "./rail.ts";
import type { Step, World } from "./search.ts";

type Leg = Readonly<{
  status: "pending" | "executing" | "cleared" | "failed";
  execution: number;
  isLeased: boolean;
  isHeld: boolean;
  booked: number;
}>;

/** A worker that pays a leg first reads the leg, then the batch. */
type LegWorker = Readonly<{
  at: Worker["at"] | "leg read" | "batch read";
  execution: number;
  isOurs: boolean;
  sawHeld: boolean;
}>;

type Batch = Readonly<{
  isHeld: boolean;
  /** The command that an operator has begun, and has not gone through the legs for; whether one was told: it is held. */
  command: "none" | "hold" | "resume";
  isToldHeld: boolean;
  leg: Leg;
  rail: readonly Execution[];
  workers: readonly LegWorker[];
}>;
const idle: LegWorker = { at: "idle", execution: -1, isOurs: false, sawHeld: false };
const isOpen = ({ status }: Leg) => status === "pending" || status === "executing";

/**
 * A batch that an operator holds and resumes, of one leg: legs meet nowhere else. Workers may be slow. The second
 * `duplicate` is the last for which a leg waits.
 */
export function batchWorld(workers: number, mistake = ""): World<Batch> {
  const isEarly = mistake === "a worker reads the batch before its legs";
  const isCareless = isEarly || mistake.endsWith("is not conditional on the leg");
  /** A worker whose leg another has written can only ask: what it writes fails. */
  const overtaken = (worker: LegWorker) => (worker.at === "holds" || isCareless ? { ...worker, isOurs: false } : idle);
  const written = (batch: Batch, change: Partial<Leg>, isRaised = true): Batch => ({
    ...{ ...batch, leg: { ...batch.leg, ...change } },
    workers: isRaised ? batch.workers.map(overtaken) : batch.workers,
  });
  const by = (batch: Batch, index: number, worker: LegWorker): Batch => ({
    ...batch,
    workers: withWorker(batch.workers, index, worker),
  });

  function* operate(batch: Batch): Generator<Step<Batch>> {
    const { isHeld, command, leg } = batch;
    const done = { ...batch, command: "none" } as const;
    const isFree = leg.status === "pending" && !leg.isLeased;
    if (command !== "none") yield ["an operator's command breaks off", done, "fault"];
    if (command === "hold") {
      const isKept = isFree && mistake !== "a hold leaves a worker in flight alone";
      const held = isKept ? written(done, { isHeld: true }) : done;
      yield ["operations/batch.ts keepUnpaid", { ...held, isToldHeld: !leg.isLeased }];
    } else if (command === "resume") {
      const isNew = mistake === "a leg whose outcome is unknown resumes as a new one";
      const free = written(done, { isHeld: false, execution: isNew ? 1 : leg.execution });
      yield ["operations/batch.ts letGo", isFree && leg.isHeld ? free : done];
    } else if (isHeld) {
      yield ["operations/batch.ts resumeBatch", { ...batch, isHeld: false, command: "resume", isToldHeld: false }];
    }
    if (command === "none")
      yield ["operations/batch.ts holdBatch", { ...batch, isHeld: true, command: "hold" }, "fault"];
  }

  function* work(batch: Batch, index: number, worker: LegWorker): Generator<Step<Batch>> {
    const { leg, isHeld } = batch;
    const rested = by(batch, index, idle);
    if (worker.at === "idle") {
      const read = { ...worker, at: "leg read", isOurs: true, sawHeld: isEarly && isHeld } as const;
      if (isOpen(leg) && !leg.isLeased) yield ["batches/advance.ts readBatch", by(batch, index, read)];
    } else if (worker.at === "leg read") {
      const read = { ...worker, at: "batch read", isOurs: isEarly || worker.isOurs } as const;
      const sawHeld = isEarly ? worker.sawHeld : isHeld;
      yield ["batches/advance.ts readBatch", by(batch, index, { ...read, sawHeld })];
    } else if (!worker.isOurs && mistake !== "a claim is not conditional on the leg") {
      yield ["batches/advance.ts stepOf", rested];
    } else if (worker.isOurs && leg.status === "executing") {
      yield ["batches/advance.ts heedAnswer", written(rested, { status: "cleared" })];
    } else if (leg.isHeld !== worker.sawHeld && !mistake.startsWith("a worker goes past")) {
      yield ["batches/advance.ts workOn", written(rested, { isHeld: worker.sawHeld })];
    } else if (worker.sawHeld && mistake !== "a worker goes past a hold") {
      yield ["batches/advance.ts stepOf", rested];
    } else if (leg.isHeld && mistake === "a worker goes past a leg that a broken command left held") {
      yield ["batches/advance.ts stepOf", rested];
    } else {
      const claimed = written(batch, { status: "pending", isLeased: true });
      const holds = { at: "holds", execution: leg.execution, isOurs: true, sawHeld: false } as const;
      yield ["batches/leg-work.ts payLeg", by(claimed, index, holds)];
    }
  }

  function heed(batch: Batch, index: number, { at, isOurs, execution }: LegWorker): Batch {
    const rested = by(batch, index, idle);
    const isNew = at === "duplicate" || (at === "unknown" && mistake === "an unknown outcome gets a new executionId");
    const executing = { status: "executing", booked: batch.leg.booked + 1 } as const;
    const isOver = at === "refused" || (at === "duplicate" && execution === 1);
    const other = isOver ? ({ status: "failed" } as const) : { execution: isNew ? 1 : execution };
    if (!isOurs && mistake !== "an answer is not conditional on the leg") return rested;
    const isRaised = mistake !== "an answer keeps the attempt of its claim";
    return written(rested, { isLeased: false, ...(at === "accepted" ? executing : other) }, isRaised);
  }

  function* steps(batch: Batch): Generator<Step<Batch>> {
    const { leg, workers } = batch;
    for (const [name, rail, fault] of railSteps(batch.rail, () => false)) yield [name, { ...batch, rail }, fault];
    if (leg.isLeased) yield ["time: the lease ends", { ...batch, leg: { ...leg, isLeased: false } }];
    yield* operate(batch);
    for (const [index, worker] of workers.entries()) {
      const { at, execution, isOurs } = worker;
      if (at !== "idle") yield ["a worker dies", by(batch, index, idle), "fault"];
      if (at === "idle" || at === "leg read" || at === "batch read") yield* work(batch, index, worker);
      else if (at !== "holds" && at !== "waits") yield ["batches/leg-work.ts payLeg", heed(batch, index, worker)];
      else {
        for (const [name, heard, rail, fault] of askSteps(at, execution, batch.rail)) {
          const next = isOurs || isCareless ? { ...worker, at: heard } : idle;
          yield [name, { ...by(batch, index, next), rail }, fault];
        }
      }
    }
  }

  const leg: Leg = { status: "pending", execution: 0, isLeased: false, isHeld: false, booked: 0 };
  const rail = [unasked, unasked];
  return {
    begins: [{ isHeld: false, command: "none", isToldHeld: false, leg, rail, workers: Array(workers).fill(idle) }],
    steps,
    laws: {
      "no recipient is paid twice": (batch) => batch.rail.reduce((sum, { paid }) => sum + paid, 0) <= 1,
      "a paid leg is under way, or will be asked about": (batch) =>
        batch.rail.every(({ paid }, id) => !paid || (batch.leg.execution === id && batch.leg.status !== "failed")),
      "the books hold what the rail accepted, once": (batch) => {
        const isBooked = batch.leg.status === "executing" || batch.leg.status === "cleared";
        return batch.leg.booked === (isBooked ? 1 : 0) && (!isBooked || batch.rail[batch.leg.execution]?.paid === 1);
      },
      "nobody is paid once an operator was told that the batch is held": (batch) =>
        !batch.isToldHeld || !batch.leg.isLeased,
    },
    isEnd: (batch) => !isOpen(batch.leg),
  };
}
