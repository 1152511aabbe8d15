import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { railOf } from "@intents/domain/intents/rail-of.ts";
import { addressOf, type Corridor, pickRail, type RailAddress, railKeyOf } from "@intents/domain/rails/description.ts";
import type {
  ExecuteAnswer,
  ExecutionKey,
  FundAnswer,
  FundingOrder,
  PaymentOrder,
  Rail,
  RailRecord,
  StatusAnswer,
} from "@intents/domain/rails/rail.ts";
import { askForAll } from "@intents/rails/statuses.ts";
import { mapInTurns } from "@intents/storage/table/in-turns.ts";
import type { Run } from "../run.ts";

// Every question to a rail goes through here, for payments, payers' sessions and recipients of a batch alike: the claim
// names the rail, and no rail is asked to pay an execution that it may have forgotten.

/** The subject of a question: an execution of an intent, or of one recipient of a batch. */
export type Subject = Readonly<{ intent: PaymentIntent; executionId: string }>;

/** The question was not put: the rail may have forgotten the execution and pay it again, or is not configured. */
export type NotAsked = Readonly<{ kind: "not_asked"; why: "forgotten" | "rail_missing"; reason: string }>;

/** A rail's description of itself; any question to it needs a subject. */
export type KnownRail = Pick<Rail, "rail" | "describe">;

/** The rail for payments of this corridor; while the corridor is not known, the rail that serves all corridors. */
export const railFor = ({ rails }: Pick<Run, "rails">, corridor?: Corridor): KnownRail => pickRail(rails, corridor);

/** The rail and address that a claim for this corridor records. */
export const claimedRail = (run: Pick<Run, "rails">, corridor?: Corridor): RailAddress =>
  addressOf(railFor(run, corridor).rail);

/** The rail that an intent's claim or execution went to; undefined when it is no longer configured at that address. */
export const findClaimedRail = (run: Pick<Run, "rails">, intent: PaymentIntent): KnownRail | undefined =>
  railOf(intent, run.rails);

/** Asks the rail of the claim to pay, unless the claim is so old that the rail may pay a second time (H1). */
export async function askToExecute(
  run: Run,
  subject: Subject & Readonly<{ claimedAtMs: number }>,
  order: PaymentOrder,
): Promise<ExecuteAnswer | NotAsked> {
  const rail = railOf(subject.intent, run.rails);
  if (rail === undefined) return missing(subject);
  if (isForgotten(run, subject))
    return { kind: "not_asked", why: "forgotten", reason: "the rail may have forgotten it" };
  return rail.execute(order, subject.executionId);
}

/** Whether the rail may have forgotten an execution that was claimed at `claimedAtMs`. */
export function isForgotten(
  run: Run,
  { intent, claimedAtMs }: Readonly<{ intent: PaymentIntent; claimedAtMs: number }>,
): boolean {
  const rail = railOf(intent, run.rails);
  return rail !== undefined && run.now() - claimedAtMs > rail.rail.remembersMs;
}

/** Asks how an execution stands. */
export async function askForStatus(run: Run, subject: Subject): Promise<StatusAnswer | NotAsked> {
  const { intent, executionId } = subject;
  return railOf(intent, run.rails)?.status(intent.tenantId, executionId) ?? missing(subject);
}

/**
 * Asks a rail, by its key, how many executions stand: one answer for each, in their order, without those at the end for
 * which there was no time. Undefined where no rail with that key is configured.
 */
export async function askForStatuses(
  { rails }: Pick<Run, "rails">,
  key: string,
  asked: readonly ExecutionKey[],
): Promise<readonly StatusAnswer[] | undefined> {
  const rail = findRailByKey(rails, key);
  if (rail === undefined) return undefined;
  const answers: StatusAnswer[] = [];
  const { questionMax } = rail.rail;
  for (let start = 0; start < asked.length; start += questionMax) {
    answers.push(...(await askForAll(rail, asked.slice(start, start + questionMax))));
    if (answers.length < Math.min(start + questionMax, asked.length)) break;
  }
  return answers;
}

/** The largest question that a rail is asked; undefined where no rail with that key is configured. */
export const questionMaxOf = ({ rails }: Pick<Run, "rails">, key: string): number | undefined =>
  findRailByKey(rails, key)?.rail.questionMax;

/** The keys of all rails that are configured. */
export const railKeys = ({ rails }: Pick<Run, "rails">): string[] => rails.map(({ rail }) => railKeyOf(rail));

/** The place of a rail among those that are configured, from which its lane follows; -1 where there is none. */
export const railNumber = (run: Pick<Run, "rails">, key: string): number => railKeys(run).indexOf(key);

const findRailByKey = (rails: readonly Rail[], key: string): Rail | undefined =>
  rails.find(({ rail }) => railKeyOf(rail) === key);

/** Asks the rail to cancel an execution, and how it stands then. */
export async function askToCancel(run: Run, subject: Subject): Promise<StatusAnswer | NotAsked> {
  const { intent, executionId } = subject;
  return railOf(intent, run.rails)?.cancel(intent.tenantId, executionId) ?? missing(subject);
}

/** Announces the deposit of a batch to the rail of its claim. */
export async function announceFunding(
  run: Run,
  intent: PaymentIntent,
  order: FundingOrder,
): Promise<FundAnswer | NotAsked> {
  return railOf(intent, run.rails)?.fund(order) ?? missing({ intent });
}

/** A rail that does not tell which payments it holds. */
export class RailUnavailable extends Error {}

/** The size of a page of a rail's payments, and the largest number of pages. */
const LIST_PAGE = 1_000;
const LIST_PAGES_MAX = 10_000;

/** The payments that a rail has accepted, or why it does not tell. */
export type Held = Readonly<{ rail: string }> &
  (Readonly<{ payments: readonly RailRecord[] }> | Readonly<{ fault: Error }>);

/** The payments that every rail has accepted since `sinceMs`. One that does not tell all of them keeps no other from it. */
export const listHeld = ({ rails }: Pick<Run, "rails">, sinceMs: number): Promise<Held[]> =>
  mapInTurns(rails, 1, async (rail): Promise<Held> => {
    const { name } = rail.rail;
    try {
      return { rail: name, payments: await listOne(rail, sinceMs) };
    } catch (error) {
      return { rail: name, fault: error instanceof Error ? error : new Error(String(error)) };
    }
  });

async function listOne(rail: Rail, sinceMs: number): Promise<RailRecord[]> {
  const payments: RailRecord[] = [];
  let after: string | undefined;
  for (let page = 0; page < LIST_PAGES_MAX; page++) {
    const answer = await rail.list({ sinceMs, limit: LIST_PAGE, ...(after !== undefined && { after }) });
    if (answer.kind === "unavailable")
      throw new RailUnavailable(`The rail ${rail.rail.name} cannot be listed: ${answer.reason}`);
    payments.push(...answer.payments);
    after = answer.after;
    if (after === undefined) return payments;
  }
  throw new Error(`The list of the rail ${rail.rail.name} does not end`);
}

function missing({ intent }: Pick<Subject, "intent">): NotAsked {
  const { name, address } = intent.submission?.rail ?? intent.rail ?? {};
  const reason = `the rail ${name ?? intent.executions.at(-1)?.connector} is not configured${address ? ` at ${address}` : ""}`;
  return { kind: "not_asked", why: "rail_missing", reason };
}

/** Erases an execution's people from the rails that keep them for us, whichever of these has the execution. */
export async function forgetPeople(
  { rails }: Pick<Run, "rails">,
  tenantId: string,
  executionId: string,
): Promise<void> {
  for (const rail of rails) await rail.forget?.(tenantId, executionId);
}
