import type { CommissionRequestStatus } from "../commissions/request.ts";
import { commissionRequestStatuses } from "../commissions/request.ts";
import { type LegStatus, legStatuses, shownStatus } from "../intents/leg-status.ts";
import type { PaymentIntent } from "../intents/payment-intent.ts";
import { type IntentStatus, intentStatuses } from "../intents/statuses.ts";
import { inOrder } from "../scenarios/draft.ts";

/** A link is held while a payer is about to pay it, and closed once it has been paid, if it is for one payment. */
export const linkStatuses = ["open", "held", "closed"] as const;
export type LinkStatus = (typeof linkStatuses)[number];

/** A webhook endpoint that is disabled by itself. */
const webhookStatuses = ["disabled"] as const;

/** The kinds of things that events are about, with the statuses that each may have. */
export const statusesOf = {
  paymentIntent: intentStatuses,
  leg: legStatuses,
  paymentLink: linkStatuses,
  commissionRequest: commissionRequestStatuses,
  webhookEndpoint: webhookStatuses,
} as const;
export type EventSubject = keyof typeof statusesOf;

/** The events of an intent that leave its status as it is: an operator looks into it, or has corrected its money. */
export const intentNews = ["reviewOpened", "reviewClosed", "corrected"] as const;
export type IntentNews = (typeof intentNews)[number];

/** The types of events: `paymentIntent.completed`. */
export type EventType =
  | { [Of in EventSubject]: `${Of}.${(typeof statusesOf)[Of][number]}` }[EventSubject]
  | `paymentIntent.${IntentNews}`;
export const eventTypes: readonly EventType[] = [
  ...Object.entries(statusesOf).flatMap(([of, statuses]) => statuses.map((status) => `${of}.${status}` as EventType)),
  ...intentNews.map((news) => `paymentIntent.${news}` as const),
];

/** From the first to the last, both included. */
type Range = readonly [first: number, last: number];

/**
 * A change of status as it is stored. `id` is that of the intent, also where legs of it or its link have changed; `news` is
 * an event that leaves the status as it is.
 */
export type StatusChange =
  | Readonly<{ of: "paymentIntent"; id: string; status: IntentStatus; news?: IntentNews }>
  | Readonly<{ of: "leg"; id: string; status: LegStatus; orders: readonly Range[] }>
  | Readonly<{ of: "paymentLink"; id: string; status: LinkStatus }>
  | Readonly<{ of: "commissionRequest"; id: string; status: CommissionRequestStatus }>
  | Readonly<{ of: "webhookEndpoint"; id: string; status: (typeof webhookStatuses)[number] }>;

/** The changes of status that a change of an intent makes: of itself, of its legs, and of the link that it publishes. */
export function changesOf(before: PaymentIntent | undefined, after: PaymentIntent): StatusChange[] {
  const { id } = after;
  const steps = newSteps(before, after).map((status) => ({ of: "paymentIntent", id, status }) as const);
  const isPublished = steps.some(({ status }) => status === "pending_link_payment");
  const link = isPublished ? [{ of: "paymentLink", id, status: "open" } as const] : [];
  return [...steps, ...link, ...changedLegs(before, after)];
}

/** The statuses that an intent has come to, one after the other. A draft that is compiled stays one. */
function newSteps(before: PaymentIntent | undefined, { statusHistory }: PaymentIntent): IntentStatus[] {
  const last = before?.statusHistory.at(-1);
  const known = statusHistory.findLastIndex(
    ({ status, at, by }) => status === last?.status && at === last.at && by === last.by,
  );
  return statusHistory
    .map(({ status }) => status)
    .filter((status, index, all) => index > known && status !== all[index - 1]);
}

function changedLegs(before: PaymentIntent | undefined, after: PaymentIntent): StatusChange[] {
  const known = legsOf(before);
  const changed = [...legsOf(after)].filter(([order, status]) => known.get(order) !== status);
  return [...Map.groupBy(changed, ([, status]) => status)].map(([status, legs]) => ({
    of: "leg",
    id: after.id,
    status,
    orders: toRanges(legs.map(([order]) => order)),
  }));
}

/**
 * The statuses of an intent's legs, by their order, as far as the intent holds them. The legs of a batch are records of
 * their own, and begin with the intent's.
 */
function legsOf(intent: PaymentIntent | undefined): Map<number, LegStatus> {
  if (intent?.bulkProgress !== undefined) {
    return new Map(inOrder(intent.recipients).map(({ order }) => [order, "pending"]));
  }
  const { status, legs = [] } = intent?.executions.at(-1) ?? {};
  return new Map(legs.map((leg) => [leg.order, shownStatus(leg.status, status)]));
}

function toRanges(orders: readonly number[]): Range[] {
  const ranges: [number, number][] = [];
  for (const order of orders.toSorted((one, other) => one - other)) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === order - 1) last[1] = order;
    else ranges.push([order, order]);
  }
  return ranges;
}

/** One thing that has changed its status, as callers are told of it. */
export type ChangeEvents = Readonly<{
  type: EventType;
  /** `order` is that of the leg in its intent. */
  resource: Readonly<{ type: EventSubject; id: string; order?: number }>;
  status: StatusChange["status"];
}>;

/** Stored changes as callers see them, one thing each, in their order. */
export const changeEvents = (changes: readonly StatusChange[]): ChangeEvents[] =>
  changes.flatMap((change): ChangeEvents[] => {
    const { of, id, status } = change;
    const name = (of === "paymentIntent" ? change.news : undefined) ?? status;
    const stated = { type: `${of}.${name}` as EventType, status };
    if (of !== "leg") return [{ ...stated, resource: { type: of, id } }];
    return change.orders
      .flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, index) => first + index))
      .map((order) => ({ ...stated, resource: { type: of, id, order } }));
  });
