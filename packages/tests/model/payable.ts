import type { Step, World } from "./search.ts";

/** An execution at the rail: its first word, how often it has paid, and whether a request to pay it is on its way. */
type Execution = Readonly<{ word: "none" | "accepted" | "refused"; paid: number; isOnWay: boolean }>;

/**
 * A worker reads a payment, then its hold; it claims the payment, asks the rail, and writes what it heard. `id`: the
 * execution of the claim that it has, or has read. `isCurrent`: nobody has written since.
 */
type Worker = Readonly<{
  at: "idle" | "has read" | "may claim" | "has claim" | "waits" | "unreachable" | "unknown" | "accepted" | "refused";
  id: number;
  isCurrent: boolean;
}>;
const idle: Worker = { at: "idle", id: -1, isCurrent: false };

/** An intent; or a recipient of a batch, whom `payLeg` claims, asks about and books by the same rules. */
type Payable = Readonly<{
  status: "open" | "executing" | "cancelled";
  claim: Readonly<{ id: number; isFirst: boolean; isLeased: boolean }> | null;
  claims: number;
  rail: readonly Execution[];
  booked: readonly number[];
  released: readonly number[];
  /** `told`: the operator has been told that nobody is paid any more. */
  hold: "none" | "begun" | "told";
  workers: readonly Worker[];
}>;

type Operator = "none" | "releases" | "holds";

/**
 * Submit, take-over and release. Workers may be slow: one may go on long after its lease has ended. Where there is an
 * operator, who releases a payment, or holds and resumes a batch, a lease outlives its worker. `mistake` names a planted
 * mistake.
 */
export function payableWorld(workers: number, submits: number, operator: Operator, mistake = ""): World<Payable> {
  const areSlow = operator === "none";
  const isUnconditional = (write: string) => mistake === `a ${write} is not conditional`;
  const isEarly = mistake === "a worker reads the hold before the payment";
  const isCareless = isEarly || mistake.endsWith("is not conditional");
  const paidOf = ({ rail }: Payable) => rail.flatMap(({ paid }, id) => (paid > 0 ? [id] : []));
  /** Once another has written the payment, a worker can still ask the rail, but its writes fail. */
  const overtaken = (worker: Worker) =>
    worker.at === "has claim" || isCareless ? { ...worker, isCurrent: false } : idle;
  /** Writes a payment, as one worker or an operator. It does not matter which of the workers is which. */
  function write(payable: Payable, change: Partial<Payable>, by?: number, worker = idle): Payable {
    const others = "claim" in change ? payable.workers.map(overtaken) : payable.workers;
    const all = by === undefined ? others : others.with(by, worker);
    const sorted = all.toSorted((one, other) => (Object.values(one).join() < Object.values(other).join() ? -1 : 1));
    return { ...payable, ...change, workers: sorted };
  }

  function* begin(payable: Payable, by: number, { at, id, isCurrent }: Worker): Generator<Step<Payable>> {
    const { status, claim, claims, hold } = payable;
    const isHeld = hold !== "none" && mistake !== "a worker goes past a hold";
    const isBusy = claim?.isLeased && mistake !== "a take-over ignores the lease";
    const isFree = claim === null ? claims < submits : !isBusy && mistake !== "a take-over is never made";
    if (at === "idle" && status === "open" && isFree && !(isEarly && isHeld)) {
      const read = { at: "has read", id: claim?.id ?? -1, isCurrent: true } as const;
      yield ["batches/advance.ts readBatch", write(payable, {}, by, read)];
    } else if (at === "has read") {
      const next = isHeld && !isEarly ? idle : ({ at: "may claim", id, isCurrent: isCurrent || isEarly } as const);
      yield ["batches/advance.ts readBatch", write(payable, {}, by, next)];
    } else if (at === "may claim" && (isCurrent || isUnconditional("claim"))) {
      const isNew = id < 0 || mistake === "a take-over has a new executionId";
      const own = isNew ? Math.min(claims, submits - 1) : id;
      const taken = { claim: { id: own, isFirst: id < 0, isLeased: true }, claims: Math.max(claims, own + 1) };
      const isKept = id >= 0 && mistake === "a take-over keeps the attempt";
      const next = id >= 0 && mistake === "a release asks nobody" ? "refused" : "has claim";
      const name = `submit/claim.ts ${id < 0 ? "claim" : "takeOver"}`;
      yield [name, write(payable, isKept ? {} : taken, by, { at: next, id: own, isCurrent: true })];
    }
  }

  const ended = (payable: Payable, word: Worker["at"], id: number, status: Payable["status"]): Partial<Payable> =>
    word === "accepted"
      ? { claim: null, status: "executing", booked: [...payable.booked, id] }
      : { claim: null, status, released: [...payable.released, id] };

  function* finish(payable: Payable, by: number, { at, id, isCurrent }: Worker): Generator<Step<Payable>> {
    const { claim } = payable;
    const isFirst = claim?.isFirst || mistake === "a later attempt that reaches nobody releases";
    const does =
      at === "accepted" ? "commit" : at === "refused" || (at === "unreachable" && isFirst) ? "release" : "postpone";
    const isDone = isCurrent || isUnconditional(does);
    const postponed = claim && { claim: { ...claim, isLeased: false } };
    const change = does === "postpone" ? postponed : ended(payable, at, id, "open");
    yield [`submit/${does}.ts ${does}`, write(payable, (isDone && change) || {}, by)];
  }

  function* operate(payable: Payable): Generator<Step<Payable>> {
    const { claim, hold, rail } = payable;
    if (operator === "holds") {
      if (hold === "none") yield ["operations/batch.ts holdBatch", { ...payable, hold: "begun" }, "fault"];
      else yield ["operations/batch.ts resumeBatch", { ...payable, hold: "none" }];
      const isKept = mistake === "a hold leaves a worker in flight alone";
      const changes = { hold: "told", ...(!isKept && { claim }) } as const;
      const isSure = !rail.some(({ isOnWay }) => isOnWay) || mistake === "a hold is told while a request is on its way";
      if (hold === "begun" && !claim?.isLeased && isSure)
        yield ["operations/batch.ts keepUnpaid", write(payable, changes)];
    } else if (operator === "releases" && claim !== null) {
      const { paid = 0, isOnWay } = rail[claim.id] ?? {};
      const isBusy = claim.isLeased && mistake !== "an operator releases while a worker executes";
      if (isBusy || (isOnWay && mistake !== "an operator releases while a request is on its way")) return;
      const word = paid && mistake !== "an operator releases what the rail has" ? "accepted" : "refused";
      yield ["operations/payment.ts endSubmission", write(payable, ended(payable, word, claim.id, "cancelled"))];
    }
  }

  /** The rail's first word about an execution stands. A request arrives late or twice, or is lost. */
  function* steps(payable: Payable): Generator<Step<Payable>> {
    const { rail, claim } = payable;
    for (const [id, { word, paid, isOnWay }] of rail.entries()) {
      const at = (by: Partial<Execution>) => ({ ...payable, rail: rail.with(id, { word, paid, isOnWay, ...by }) });
      if (isOnWay) yield ["network: loses the request", at({ isOnWay: false }), "fault"];
      for (const said of isOnWay ? (word === "none" ? (["accepted", "refused"] as const) : [word]) : []) {
        const heard = { word: said, paid: word === "none" && said === "accepted" ? paid + 1 : paid };
        yield [`rail: ${said}`, at({ ...heard, isOnWay: false })];
        yield ["network: doubles the request", at(heard), "fault"];
      }
    }
    if (claim?.isLeased && (areSlow || !payable.workers.some(({ isCurrent }) => isCurrent)))
      yield ["time: the lease ends", { ...payable, claim: { ...claim, isLeased: false } }];
    yield* operate(payable);
    for (const [by, worker] of payable.workers.entries()) {
      const { at, id, isCurrent } = worker;
      const { word = "none", paid = 0 } = rail[id] ?? {};
      const heard = (next: Worker["at"]) => (isCurrent || isCareless ? { ...worker, at: next } : idle);
      if (at !== "idle") yield ["a worker dies", write(payable, {}, by), "fault"];
      if (at === "has claim") {
        const asked = { rail: rail.with(id, { word, paid, isOnWay: true }) };
        yield ["rails/ask.ts askToExecute", write(payable, asked, by, heard("waits"))];
        yield ["network: reaches nobody", write(payable, {}, by, heard("unreachable")), "fault"];
      } else if (at === "waits") {
        if (word !== "none") yield ["network: brings the answer", write(payable, {}, by, heard(word))];
        const silent = heard(mistake === "a timeout counts as not reached" ? "unreachable" : "unknown");
        yield ["network: is silent", write(payable, {}, by, silent)];
      } else if (at === "idle" || at === "has read" || at === "may claim") yield* begin(payable, by, worker);
      else yield* finish(payable, by, worker);
    }
  }

  const rail = Array(submits).fill({ word: "none", paid: 0, isOnWay: false });
  const none = { status: "open", claim: null, claims: 0, rail, booked: [], released: [], hold: "none" } as const;
  return {
    begins: [{ ...none, workers: Array(workers).fill(idle) }],
    steps,
    laws: {
      "nothing is paid twice": ({ rail }) => rail.reduce((sum, { paid }) => sum + paid, 0) <= 1,
      "what is paid is claimed or committed": (payable) =>
        paidOf(payable).every((id) => payable.claim?.id === id || payable.booked.includes(id)),
      "what is released is not paid": (payable) => !paidOf(payable).some((id) => payable.released.includes(id)),
      "the books hold what the rail accepted, once": (payable) =>
        payable.booked.length === (payable.status === "executing" ? 1 : 0) &&
        payable.booked.every((id) => paidOf(payable).includes(id)),
      "one worker at a time asks": ({ workers }) =>
        areSlow || workers.filter(({ at }) => at === "has claim" || at === "waits").length <= 1,
      "nobody is paid once an operator was told of a hold": ({ hold, claim, rail }) =>
        hold !== "told" || !(claim?.isLeased || rail.some(({ isOnWay }) => isOnWay)),
    },
    isEnd: ({ claim, claims }) => claim === null && claims > 0,
  };
}
