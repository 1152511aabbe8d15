import { askSteps, type Execution, railSteps, unasked, type Worker, withWorker } from "./rail.ts";
import type { Step, World } from "./search.ts";

/** One intent. An attempt is only compared: with the first one, and with the one that a worker knows (`isOurs`). */
type Payment = Readonly<{
  status: "draft" | "executing" | "requires_recovery" | "cancelled";
  claim: Readonly<{ id: number; isFirst: boolean; isLeased: boolean; isOld: boolean }> | null;
  /** The Idempotency-Key's owner: this submit, or, once its 24 hours have passed, a later request. */
  key: "free" | "ours" | "later";
  wasLater: boolean;
  rail: readonly Execution[];
  claims: number;
  booked: readonly number[];
  released: readonly number[];
  workers: readonly (Worker & Readonly<{ id: number }>)[];
}>;
const idle = { at: "idle", id: -1, isOurs: false } as const;

/**
 * Submit, take-over and release. Where workers may be slow, one may go on long after its lease has ended. An operator
 * acts where they are not: there a lease outlives its worker (H5). The command asks the rail once it has the claim, and
 * once no request is on its way. The mistake, if one is given, is made.
 */
export function paymentWorld(workers: number, submits: number, areSlow: boolean, mistake = ""): World<Payment> {
  const isUnconditional = (write: string) => mistake === `a ${write} is not conditional on the claim`;
  const paidOf = ({ rail }: Payment) => rail.flatMap(({ paid }, id) => (paid > 0 ? [id] : []));
  /** A worker whose claim another has taken can only ask: what it writes fails. */
  const overtaken = (worker: Payment["workers"][number]) =>
    worker.at === "holds" || mistake.endsWith("is not conditional on the claim") ? { ...worker, isOurs: false } : idle;
  const after = (payment: Payment, by: number, worker: Payment["workers"][number], write: Partial<Payment> = {}) => {
    const others = write.claim === undefined ? payment.workers : payment.workers.map(overtaken);
    return { ...payment, ...write, workers: withWorker(others, by, worker) };
  };

  function* begin(payment: Payment, by: number): Generator<Step<Payment>> {
    const { status, claim, claims, key, rail } = payment;
    if (status === "draft" && claims < submits && (claim === null || isUnconditional("claim"))) {
      const taken = { id: claims, isFirst: true, isLeased: true, isOld: false };
      const write = { claim: taken, claims: claims + 1, key: key === "free" ? "ours" : key } as const;
      yield ["submit/claim.ts claim", after(payment, by, { at: "holds", id: claims, isOurs: true }, write)];
    }
    if (claim === null) return;
    if (mistake !== "a take-over is never made" && (!claim.isLeased || mistake === "a take-over ignores the lease")) {
      const id = mistake === "a take-over has a new executionId" && claims < submits ? claims : claim.id;
      const isKept = mistake === "a take-over keeps the attempt";
      const write = { claim: { ...claim, id, isFirst: false, isLeased: true }, claims: Math.max(claims, id + 1) };
      const at = mistake === "a release asks nobody" ? "refused" : "holds";
      yield ["submit/claim.ts takeOver", after(payment, by, { at, id, isOurs: true }, isKept ? {} : write)];
    }
    const isBusy = claim.isLeased && mistake !== "an operator releases while a worker executes";
    const mayArrive = rail[claim.id]?.onWay && mistake !== "an operator releases while a request is on its way";
    if (areSlow || status !== "requires_recovery" || isBusy || mayArrive) return;
    const at = rail[claim.id]?.paid && mistake !== "an operator releases what the rail has" ? "accepted" : "refused";
    const write = { claim: { ...claim, isFirst: false, isLeased: true } };
    yield ["operations/payment.ts endSubmission", after(payment, by, { at, id: claim.id, isOurs: true }, write)];
  }

  function* write(payment: Payment, by: number): Generator<Step<Payment>> {
    const { at, id, isOurs } = payment.workers[by] ?? idle;
    const { claim, key, booked, released, status } = payment;
    const rested = after(payment, by, idle);
    const isFirst = claim?.isFirst || mistake === "a later attempt that reaches nobody releases";
    if (at === "accepted") {
      const executing = { claim: null, status: "executing", booked: [...booked, id] } as const;
      const isDone = isOurs || isUnconditional("commit");
      yield ["submit/commit.ts commit", isDone ? after(payment, by, idle, executing) : rested];
    } else if (at === "unknown" || (at === "unreachable" && !isFirst)) {
      const waiting = isOurs && claim ? { ...rested, claim: { ...claim, isLeased: false } } : rested;
      yield ["submit/postpone.ts postpone", waiting];
      if (waiting !== rested) yield ["submit/postpone.ts postpone", { ...waiting, status: "requires_recovery" }];
    } else {
      const frees =
        at === "duplicate" ? mistake !== "a key stays bound after a duplicate" : mistake === "a refusal frees its key";
      const isFreed = frees && (key === "ours" || mistake === "a release frees a later request's key");
      const end = status === "draft" ? status : "cancelled";
      const freed = { claim: null, status: end, key: isFreed ? "free" : key, released: [...released, id] } as const;
      const isDone = isOurs || isUnconditional("release");
      yield ["submit/release.ts release", isDone ? after(payment, by, idle, freed) : rested];
    }
  }

  function* steps(payment: Payment): Generator<Step<Payment>> {
    const { rail, claim, key, workers } = payment;
    for (const [name, to, fault] of railSteps(rail, (id) => claim?.id === id && claim.isOld))
      yield [name, { ...payment, rail: to }, fault];
    if (key === "ours" && !areSlow) yield ["time: 24 hours", { ...payment, key: "later", wasLater: true }, "fault"];
    if (claim?.isLeased && (areSlow || !workers.some(({ isOurs }) => isOurs))) {
      yield ["time: the lease ends", { ...payment, claim: { ...claim, isLeased: false } }];
    }
    if (claim && !areSlow && !rail[claim.id]?.onWay) {
      yield ["time: what a rail remembers", { ...payment, claim: { ...claim, isOld: true } }, "fault"];
    }
    for (const [by, worker] of workers.entries()) {
      const { at, id, isOurs } = worker;
      const isOver = at === "holds" && claim?.id === id && claim.isOld && mistake !== "a stale claim is asked again";
      if (at !== "idle") yield ["a worker dies", after(payment, by, idle), "fault"];
      if (at === "idle") yield* begin(payment, by);
      else if (isOver) yield ["rails/ask.ts isForgotten", after(payment, by, { ...worker, at: "unknown" })];
      else if (at !== "holds" && at !== "waits") yield* write(payment, by);
      else {
        for (const [name, said, asked, fault] of askSteps(at, id, rail)) {
          const heard = said === "unknown" && mistake === "a timeout counts as not reached" ? "unreachable" : said;
          const isHeard = isOurs || mistake.endsWith("is not conditional on the claim");
          yield [name, after(payment, by, isHeard ? { ...worker, at: heard } : idle, { rail: asked }), fault];
        }
      }
    }
  }

  const none = {
    status: "draft",
    claim: null,
    key: "free",
    wasLater: false,
    claims: 0,
    booked: [],
    released: [],
  } as const;
  return {
    begins: [{ ...none, rail: Array(submits).fill(unasked), workers: Array(workers).fill(idle) }],
    steps,
    laws: {
      "nothing is paid twice": ({ rail }) => rail.reduce((sum, { paid }) => sum + paid, 0) <= 1,
      "what is paid is claimed or committed": (payment) =>
        paidOf(payment).every((id) => payment.claim?.id === id || payment.booked.includes(id)),
      "what is released is not paid": (payment) => !paidOf(payment).some((id) => payment.released.includes(id)),
      "the books hold what the rail accepted, once": (payment) =>
        payment.booked.length === (payment.status === "executing" ? 1 : 0) &&
        payment.booked.every((id) => paidOf(payment).includes(id)),
      "one worker at a time asks": ({ workers }) =>
        areSlow || workers.filter(({ at }) => at === "holds" || at === "waits").length <= 1,
      "a later request keeps its key": ({ key, wasLater }) => !wasLater || key === "later",
      "a duplicate frees its key, and no other refusal does": ({ status, claim, key, rail, released }) => {
        const word = rail[released.at(-1) ?? -1]?.word;
        if (status !== "draft" || claim !== null || key === "later") return true;
        return word === "duplicate" ? key === "free" : word !== "refused" || key === "ours";
      },
    },
    isEnd: ({ claim }) => claim === null,
  };
}
