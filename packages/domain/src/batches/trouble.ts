import type { PaymentIntent } from "../intents/payment-intent.ts";
import { isOverdue, type Patience } from "../polling/watch.ts";
import type { BatchLeg, Trouble } from "./batch.ts";

/** The bound on the text of a fault. */
const WHAT_MAX = 200;
/** A recipient whose work failed is left alone for this long, and twice as long after each further failure. */
const PAUSE_MS = 30_000;
const PAUSE_MAX_MS = 3_600_000;
/** The text of a trouble that is no fault of ours: the rail denies what it had accepted. */
const UNKNOWN = "unknown to the rail";

/** The leg after its work has failed. Its attempt grows, so that a write of that work which still arrives fails. */
export function troubledLeg(leg: BatchLeg, what: string, nowMs: number): BatchLeg {
  const { sinceMs = nowMs, times = 0 } = leg.trouble ?? {};
  const retryAtMs = nowMs + Math.min(PAUSE_MS * 2 ** times, PAUSE_MAX_MS);
  return withTrouble(leg, { what: what.slice(0, WHAT_MAX), sinceMs, times: times + 1, retryAtMs });
}

/** The leg that its rail does not know any more; undefined where that stands there since an operator let the batch go on. */
export function deniedLeg(leg: BatchLeg, batch: Judged, nowMs: number): BatchLeg | undefined {
  if (isDenied(leg, batch)) return undefined;
  const { times = 0 } = leg.trouble ?? {};
  return withTrouble(leg, { what: UNKNOWN, sinceMs: nowMs, times: times + 1, retryAtMs: 0, isDenied: true });
}

const withTrouble = (leg: BatchLeg, trouble: Trouble): BatchLeg => ({ ...leg, attempt: leg.attempt + 1, trouble });

/** Whether a leg is left alone, because the work on it failed a while ago. */
export const isPaused = ({ trouble }: BatchLeg, nowMs: number): boolean => (trouble?.retryAtMs ?? 0) > nowMs;

/** The part of a batch on which it depends whether its legs are late. */
type Judged = Pick<PaymentIntent, "stopped" | "expectedSettlementMs">;

/** The legs about which nobody can tell any more how they will end, so that a person has to ask the rail. */
export const lateLegs = (
  batch: Judged,
  legs: readonly BatchLeg[],
  nowMs: number,
  patience: Pick<Patience, "recoveryAfterMs">,
): BatchLeg[] =>
  legs.filter((leg) => isDenied(leg, batch) || isOverdue(batch, expectedOf(leg, batch), nowMs, patience));

/** Whether the rail denies a leg, for all that is known since an operator last let the batch go on. */
const isDenied = ({ status, trouble }: BatchLeg, { expectedSettlementMs = 0 }: Judged): boolean =>
  status === "executing" && trouble?.isDenied === true && trouble.sinceMs > expectedSettlementMs;

/**
 * When a leg should have been heard of at the latest; undefined while nothing is asked about it. A leg that waits for the
 * end of the rail's window has been answered, and a held leg is not asked about.
 */
function expectedOf(leg: BatchLeg, { stopped }: Judged): number | undefined {
  const { status, triedAtMs, claimedAtMs, waiting, expectedSettlementMs, trouble } = leg;
  const isAsked = status === "executing" || (status === "pending" && stopped?.how !== "held");
  if (!isAsked) return undefined;
  const tried = claimedAtMs ?? (waiting === undefined ? triedAtMs : undefined);
  const times = [expectedSettlementMs ?? tried, trouble?.sinceMs].filter((ms) => ms !== undefined);
  return times.length === 0 ? undefined : Math.min(...times);
}

/** The troubles of legs in words: "recipient 3 (unknown to the rail)". */
export const namedLegs = (legs: readonly BatchLeg[], most: number): string =>
  [
    ...legs.slice(0, most).map(({ order, trouble }) => `recipient ${order}${trouble ? ` (${trouble.what})` : ""}`),
    ...(legs.length > most ? [`${legs.length - most} more`] : []),
  ].join(", ");
