import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import {
  agreesWith,
  type BookedPayment,
  bookedPayments,
  contraryOutcome,
  differenceOf,
} from "@intents/domain/ledger/rail-match.ts";
import type { RailRecord } from "@intents/domain/rails/rail.ts";
import { listLegs } from "@intents/storage/intents/batch-legs.ts";
import { findIntent, findIntents } from "@intents/storage/intents/intents.ts";
import { findChanged } from "@intents/storage/intents/scan.ts";
import { findTenantIds } from "@intents/storage/parties/registers.ts";
import { findReconciliations } from "@intents/storage/reviews/reconciliation.ts";
import { findReviewState } from "@intents/storage/reviews/reviews.ts";
import { mapInTurns } from "@intents/storage/table/in-turns.ts";
import type { IntentKey } from "@intents/storage/table/keys.ts";
import { chunksOf } from "@intents/storage/table/records.ts";
import type { Run } from "../run.ts";
import { listHeld } from "./ask.ts";

/** A difference between the books and a rail, as a sentence about one intent. */
export type MatchFinding = Readonly<{ tenantId: string; intentId: string; executionId: string; problem: string }>;

export type Match = Readonly<{
  /** The numbers of compared payments: those that rails hold, and those that are booked. */
  held: number;
  booked: number;
  /** The number of payments of the last minutes, which are not compared because they may not be booked yet. */
  young: number;
  /** The first findings, up to a limit; `problems` counts all of them. */
  findings: readonly MatchFinding[];
  problems: number;
  /** The rails that did not tell what they hold: nothing of theirs was compared. */
  unlisted: readonly Error[];
}>;

export type MatchOptions = Readonly<{
  /** Older payments are not compared, because a rail may have forgotten them. Milliseconds since 1970. */
  sinceMs: number;
  /** Compares only this tenant's payments. */
  tenantId?: string;
  /**
   * The time by which the whole comparison must have ended, milliseconds since 1970: a part of it would report payments
   * that the rest explains.
   */
  deadlineMs?: number;
}>;

/** Younger payments may not be booked yet, milliseconds. */
const GRACE_MS = 5 * 60_000;
const FINDINGS_MAX = 1_000;
const SIDE_BY_SIDE = 8;
const READ_AT_ONCE = 100;
/** A whole comparison takes its time on a machine without a deadline. */
const TOO_LATE = "The comparison was not over in time: make it by `operator ledger match --days 3`";

/** The span of the daily comparison: three days, so that payments are compared again and one missed day is no gap. */
const DAILY_MS = 3 * 86_400_000;
/** The number of findings that a log line names. */
const NAMED_MAX = 20;

/** The comparison that is made once a day; throws when something does not fit, which raises an alarm. */
export async function matchDaily(run: Run, deadlineMs: number): Promise<Pick<Match, "held" | "booked" | "young">> {
  const matched = await matchRails(run, { sinceMs: run.now() - DAILY_MS, deadlineMs });
  const { findings, problems, unlisted, ...sums } = matched;
  const faults = unlisted.map(({ message }) => message);
  if (problems > 0) faults.push(`${problems} payments do not fit: ${JSON.stringify(findings.slice(0, NAMED_MAX))}`);
  if (faults.length === 0) return sums;
  throw new Error(faults.join("; "));
}

/**
 * Compares the payments of every rail with the books, in both directions: each payment at a rail is booked, claimed, or
 * under reconciliation, and each booked payment is at its rail, where its money went as it is booked. Reads only the
 * intents that rails hold payments of or that changed since, as all have that a rail was asked to pay since. Writes
 * nothing. A payment that cannot be compared is a finding, and a rail that cannot be read to its end is left out: neither
 * keeps others from being compared.
 */
export async function matchRails(run: Run, options: MatchOptions): Promise<Match> {
  const { sinceMs, tenantId, deadlineMs = Number.POSITIVE_INFINITY } = options;
  const untilMs = run.now() - GRACE_MS;
  const found: { findings: MatchFinding[]; problems: number } = { findings: [], problems: 0 };
  const find = (finding: MatchFinding) => {
    found.problems += 1;
    if (found.findings.length < FINDINGS_MAX) found.findings.push(finding);
  };
  const { held, unlisted } = await readHeld(run, sinceMs, tenantId);
  const isYoung = ({ acceptedAtMs }: RailRecord) => acceptedAtMs > untilMs;
  const unmatched = new Map([...held].filter(([, record]) => !isYoung(record)));
  const young = held.size - unmatched.size;
  const compared = unmatched.size;

  let booked = 0;
  const compare = async (payment: BookedPayment): Promise<void> => {
    if (payment.askedAtMs < sinceMs || payment.askedAtMs > untilMs || unlisted.has(payment.rail)) return;
    booked += 1;
    const record = held.get(nameOf(payment));
    unmatched.delete(nameOf(payment));
    const problem =
      record === undefined ? "it is booked, and the rail does not hold it" : await problemOf(run, payment, record);
    if (problem !== undefined) find(toFinding(payment, problem));
  };
  for await (const keys of findCompared(run, held.values(), options)) {
    if (run.now() > deadlineMs) throw new Error(TOO_LATE);
    const payments = await settle(
      await findIntents(run.table, keys),
      (intent) => bookedOf(run, intent),
      (intent, problem) => {
        for (const [name, { intentId }] of unmatched) if (intentId === intent.id) unmatched.delete(name);
        find({ tenantId: intent.tenantId, intentId: intent.id, executionId: "", problem });
      },
    );
    await settle(payments.flat(), compare, (payment, problem) => find(toFinding(payment, problem)));
  }
  const judge = async (record: RailRecord): Promise<void> => {
    if (!(await isKnown(run, record)))
      find(toFinding(record, "the rail holds it, and it is neither booked nor under reconciliation"));
  };
  await settle([...unmatched.values()], judge, (record, problem) => find(toFinding(record, problem)));
  return { held: compared, booked, young, ...found, unlisted: [...unlisted.values()] };
}

/**
 * The intents to be compared, each once, so many at a time: those of the rails' payments, and those that changed. One
 * that the index of changes does not have yet is compared on another day; whatever is found is judged by the table.
 */
async function* findCompared(
  { table }: Run,
  held: Iterable<RailRecord>,
  { sinceMs, tenantId }: MatchOptions,
): AsyncGenerator<IntentKey[]> {
  const compared = new Map<string, IntentKey>();
  const add = (key: IntentKey) => compared.set(`${key.tenantId} ${key.id}`, key);
  for (const record of held) add({ tenantId: record.tenantId, id: record.intentId });
  const tenants = tenantId === undefined ? await findTenantIds(table) : [tenantId];
  for (const id of tenants) {
    for await (const keys of findChanged(table, id, Math.max(0, sinceMs - GRACE_MS))) keys.forEach(add);
  }
  yield* chunksOf([...compared.values()], READ_AT_ONCE);
}

/**
 * The misfit, if any. Money that went otherwise fits while an open reconciliation record tells it. A closed record has
 * corrected the books, which must then fit the rail as they stand.
 */
async function problemOf(run: Run, booked: BookedPayment, held: RailRecord): Promise<string | undefined> {
  const difference = differenceOf(booked, held);
  const said = contraryOutcome(booked, held);
  if (difference !== undefined || said === undefined) return difference;
  const { tenantId, intentId, executionId } = booked;
  const records = await findReconciliations(run.table, tenantId, intentId);
  const isRecorded = records.some(
    (record) => record.executionId === executionId && record.said === said && record.closed === undefined,
  );
  return isRecorded
    ? undefined
    : `the rail says "${said}" against what is booked, and no open reconciliation record tells it`;
}

const toFinding = ({ tenantId, intentId, executionId }: BookedPayment | RailRecord, problem: string): MatchFinding => ({
  tenantId,
  intentId,
  executionId,
  problem,
});

/** The key of an execution within its tenant: two tenants never meet, whatever ids they have. */
const nameOf = ({ tenantId, executionId }: BookedPayment | RailRecord): string => `${tenantId} ${executionId}`;

/** Does something with all items, some at a time. One that fails is told as one that could not be compared. */
async function settle<Item, Done>(
  items: readonly Item[],
  work: (item: Item) => Promise<Done>,
  report: (item: Item, problem: string) => void,
): Promise<Done[]> {
  const done = await mapInTurns(items, SIDE_BY_SIDE, async (item): Promise<readonly Done[]> => {
    try {
      return [await work(item)];
    } catch (error) {
      report(item, `it could not be compared: ${error}`);
      return [];
    }
  });
  return done.flat();
}

/** The rails' payments, and the faults of unreadable rails, both by name. */
async function readHeld(run: Run, sinceMs: number, tenantId: string | undefined) {
  const held = new Map<string, RailRecord>();
  const unlisted = new Map<string, Error>();
  for (const payment of await listHeld(run, sinceMs)) {
    if ("fault" in payment) unlisted.set(payment.rail, payment.fault);
    else
      for (const record of payment.payments)
        if (tenantId === undefined || record.tenantId === tenantId) held.set(nameOf(record), record);
  }
  return { held, unlisted };
}

async function bookedOf(run: Run, intent: PaymentIntent): Promise<BookedPayment[]> {
  const [legs, { corrections }] = await Promise.all([
    intent.bulkProgress === undefined ? [] : listLegs(run.table, intent),
    findReviewState(run.table, intent),
  ]);
  return bookedPayments(intent, legs, corrections);
}

/**
 * Whether a worker is at a payment, or a reconciliation record tells of it. The intent is read anew: it may have changed
 * since it was compared.
 */
async function isKnown(run: Run, held: RailRecord): Promise<boolean> {
  const { tenantId, intentId, executionId } = held;
  const found = await findIntent(run.table, tenantId, intentId);
  if (found.ok) {
    const { submission } = found.value;
    if (submission?.executionId === executionId) return true;
    const legs = found.value.bulkProgress === undefined ? [] : await listLegs(run.table, found.value);
    if (legs.some((leg) => leg.executionId === executionId && leg.status === "pending")) return true;
    const booked = bookedPayments(found.value, legs);
    if (booked.some((payment) => payment.executionId === executionId)) return true;
  }
  const records = await findReconciliations(run.table, tenantId, intentId);
  const theirs = records.filter((record) => record.executionId === executionId);
  if (theirs.some(({ closed }) => closed === undefined)) return true;
  const { corrections = [] } = await findReviewState(run.table, { tenantId, id: intentId });
  return theirs.length > 0 && agreesWith(held, corrections);
}
