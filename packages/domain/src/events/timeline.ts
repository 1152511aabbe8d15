import { type Cause, type IntentEventName, intentEvents, type ShownField } from "../intents/audit-event.ts";
import { type LegStatus, legStatuses, shownStatus } from "../intents/leg-status.ts";
import type { ReviewReason } from "../intents/review.ts";
import type { Correction } from "../money-state/correction.ts";
import { amountModes, deliveryModes, splitRoles, useCases } from "../scenarios/scenario.ts";
import type { IntentNews } from "./status-change.ts";

/** Why a submission was given up: the rail has the same payment, will not take it, or was provably not reached. */
export const submitRefusals = ["duplicate_transaction", "rail_refused", "rail_unavailable"] as const;

/** A value as a tenant is told it; undefined for what is not of that form. */
type Form<Value> = (value: unknown, event: IntentEventName) => Value | undefined;

const oneOf =
  <const Word extends string>(words: readonly Word[]): Form<Word> =>
  (value) =>
    words.find((word) => word === value);
const recordId: Form<string> = (value) =>
  typeof value === "string" && /^[\da-f]{24}$/.test(value) ? value : undefined;
const count: Form<number> = (value) => (Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined);
const listOf =
  <Value extends number | object>(form: Form<Value>): Form<Value[]> =>
  (value, event) =>
    Array.isArray(value) ? value.flatMap((one) => form(one, event) ?? []) : undefined;

const splitLeg: Form<{ order: number; splitRole: (typeof splitRoles)[number] }> = (value, event) => {
  const leg = Object(value);
  const [order, splitRole] = [count(leg.order, event), oneOf(splitRoles)(leg.splitRole, event)];
  return order === undefined || splitRole === undefined ? undefined : { order, splitRole };
};
const endedLeg: Form<{ order: number; status: LegStatus }> = (value, event) => {
  const leg = Object(value);
  const [order, status] = [count(leg.order, event), oneOf(legStatuses)(leg.status, event)];
  return order === undefined || status === undefined ? undefined : { order, status: shownStatus(status, event) };
};

/** The forms of told fields: numbers, the service's ids and words, and no free text. */
const forms = {
  useCase: oneOf(useCases),
  deliveryMode: oneOf(deliveryModes),
  amountMode: oneOf(amountModes),
  executionId: recordId,
  attempt: count,
  asked: count,
  refusal: oneOf(submitRefusals),
  connectorPaymentIds: listOf(count),
  splitRoles: listOf(splitLeg),
  legs: listOf(endedLeg),
  paymentIntentId: recordId,
  total: count,
  completed: count,
  failed: count,
  cancelled: count,
} satisfies Readonly<Record<ShownField, Form<unknown>>>;

type Forms = typeof forms;
type Details = { [Field in ShownField]?: NonNullable<ReturnType<Forms[Field]>> } & { about?: ReviewReason };

/** The events beside the changes of an intent that its timeline has. */
export const timelineNews = ["reviewOpened", "reviewClosed", "corrected"] as const satisfies readonly IntentNews[];

/** An event of an intent as its tenant sees it: its cause without a name, and no internal details. */
export type TimelineEvent = Readonly<{
  type: `paymentIntent.${IntentEventName | (typeof timelineNews)[number]}`;
  /** When it happened, where it is no part of the change with which it is told. */
  at?: string;
  by: Cause;
  clientId?: string;
  details: Readonly<Details>;
}>;

/** An audit entry of one change, as it is stored. */
type AuditEntry = Readonly<{
  version: number;
  at: string;
  events: readonly Readonly<{
    event: string;
    actor: string;
    clientId?: string;
    data?: Readonly<Record<string, unknown>>;
  }>[];
  hash: string;
  previous: string | null;
}>;

/** A change of an intent, as its tenant is told of it. Its hash covers the stored entry, with all that is not told. */
export type TimelineEntry = Omit<AuditEntry, "events"> & Readonly<{ events: readonly TimelineEvent[] }>;

export const toTimelineEntry = ({ version, at, events, hash, previous }: AuditEntry): TimelineEntry => ({
  version,
  at,
  events: events.flatMap(toTimelineEvent),
  hash,
  previous,
});

/** An event beside the changes of an intent: its own time stands in place of an audit entry. */
export type TimelineNews = TimelineEvent & Readonly<{ at: string }>;

/** A correction as the timeline shows it. */
export const toCorrectionNews = ({ at, executionId }: Pick<Correction, "at" | "executionId">): TimelineNews => ({
  type: "paymentIntent.corrected",
  by: "operator",
  at,
  details: { executionId },
});

/**
 * A page of a timeline with what happened beside it: each news is told with the change that it came behind. `isFirst` says
 * that no change comes before the page, `nextAt` when the one behind it happened.
 */
export const withNews = (
  entries: readonly TimelineEntry[],
  news: readonly TimelineNews[],
  { isFirst, nextAt }: Readonly<{ isFirst: boolean; nextAt: string | undefined }>,
): TimelineEntry[] =>
  entries.map((entry, index) => {
    const from = isFirst && index === 0 ? "" : entry.at;
    const until = entries[index + 1]?.at ?? nextAt;
    const between = news.filter(({ at }) => at >= from && (until === undefined || at < until));
    return { ...entry, events: [...entry.events, ...between] };
  });

/** Events that the table does not know, of a later version, are not told. */
function toTimelineEvent({ event, actor, clientId, data = {} }: AuditEntry["events"][number]): TimelineEvent[] {
  const name = event.replace(/^paymentIntent\./, "");
  if (!isEvent(name)) return [];
  const { by, shows } = intentEvents[name];
  const details = Object.fromEntries(
    shows.flatMap((field) => {
      const shown = forms[field](data[field], name);
      return shown === undefined ? [] : [[field, shown]];
    }),
  );
  const cause = clientId === undefined ? causeOf(by, actor) : "caller";
  return [{ type: `paymentIntent.${name}`, by: cause, ...(clientId !== undefined && { clientId }), details }];
}

const isEvent = (name: string): name is IntentEventName => Object.hasOwn(intentEvents, name);

/** The cause of an event by its author's name, where no client is told: operators have names of their own. */
const causeOf = (causes: readonly [Cause, ...Cause[]], actor: string): Cause =>
  causes.find((cause) => cause === actor) ??
  causes.find((cause) => cause === "operator") ??
  causes.find((cause) => cause === "caller") ??
  causes[0];
