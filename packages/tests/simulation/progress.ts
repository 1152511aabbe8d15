import type { BatchLeg } from "@intents/domain/batches/batch.ts";
import { watchForLeg } from "@intents/domain/batches/leg.ts";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { isTerminal } from "@intents/domain/intents/statuses.ts";
import { distanceMs } from "@intents/domain/polling/points.ts";
import { type Watch, watchFor } from "@intents/domain/polling/watch.ts";
import { listLegs } from "@intents/storage/intents/batch-legs.ts";
import { findReviewState } from "@intents/storage/reviews/reviews.ts";
import type { Context } from "./context.ts";
import { must } from "./ledger.ts";

/** A healthy payment ends here within so many of its intervals and so long after its rail could tell that. */
const INTERVALS_MAX = 3;
const FINDING_MS = 12 * 60_000;
/** A recipient of a batch that goes on is sent to its rail within so long. */
const SENT_WITHIN_MS = 45 * 60_000;

/** One payment, or one recipient of a batch, that has not ended here. */
type Open = Readonly<{ intent: PaymentIntent; executionId: string; watch: Watch | undefined; leg?: BatchLeg }>;

/**
 * Watches how healthy payments go on while rails stumble over others. Two laws: each ends within a bound once its rail is
 * well and can tell that, and none later because of another one.
 */
export function openProgress({ world, ledger, scheduler }: Context) {
  const { run, clock, sandboxes, stumbles } = world;
  const sinceMs = new Map<string, number>();
  const seen = { latestMs: 0 };

  async function listOpen(): Promise<Open[]> {
    const open: Open[] = [];
    for (const intent of ledger.intents.values()) {
      const execution = intent.executions.at(-1);
      if (isTerminal(intent.status) || intent.submission !== undefined || execution === undefined) continue;
      if (intent.bulkProgress === undefined) {
        open.push({ intent, executionId: execution.executionId, watch: watchFor(intent) });
        continue;
      }
      for (const leg of await listLegs(run.table, intent)) {
        const isOpen = leg.status === "pending" || leg.status === "executing";
        if (isOpen) open.push({ intent, executionId: leg.executionId, watch: watchForLeg(intent, leg), leg });
      }
    }
    return open.filter(({ executionId }) => !stumbles.isChosen(executionId));
  }

  async function canEnd({ intent, executionId }: Open): Promise<boolean> {
    const rail = sandboxes.find(({ port }) => port.rail.name === intent.rail?.name);
    const answer = await rail?.port.status(intent.tenantId, executionId);
    return answer?.kind === "settled" || answer?.kind === "cancelled";
  }

  /** A recipient that only its batch keeps from being sent, or a payment whose end its rail can tell; and the time for it. */
  async function boundOf(open: Open): Promise<number | undefined> {
    const { intent, leg, watch } = open;
    if (leg?.status === "pending") {
      // Nobody sends a recipient whose money an operator is looking for, nor one that a rail may have taken long ago.
      const { underReview } = await findReviewState(run.table, intent);
      const isUnknown = underReview !== undefined || leg.claimedAtMs !== undefined;
      const isFree = intent.stopped === undefined && leg.waiting === undefined && leg.held !== true && !isUnknown;
      return isFree ? SENT_WITHIN_MS : undefined;
    }
    if (watch === undefined || !(await canEnd(open))) return undefined;
    return INTERVALS_MAX * distanceMs(watch, clock.ms, run.settings) + FINDING_MS;
  }

  async function look(): Promise<void> {
    const open = await listOpen();
    const current = new Set(open.map(({ executionId, leg }) => `${executionId} ${leg?.status}`));
    for (const known of sinceMs.keys()) if (!current.has(known)) sinceMs.delete(known);
    for (const each of open) {
      const key = `${each.executionId} ${each.leg?.status}`;
      const boundMs = await boundOf(each);
      if (boundMs === undefined) continue;
      const since = sinceMs.get(key) ?? clock.ms;
      sinceMs.set(key, since);
      const waitedMs = clock.ms - since;
      if (each.leg?.status !== "pending") seen.latestMs = Math.max(seen.latestMs, waitedMs);
      const what = each.leg?.status === "pending" ? "could be sent" : "could end";
      must(
        waitedMs <= boundMs,
        `${each.executionId} ${what} ${Math.round(waitedMs / 1000)} s ago, and nothing happened`,
      );
    }
  }

  return { look: () => scheduler.outside(look), latestMs: () => seen.latestMs };
}
