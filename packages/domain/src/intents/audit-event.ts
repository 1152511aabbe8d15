import type { ClaimedIntent } from "./payment-intent.ts";

/** The cause of an event: a user of the tenant, the payer of a link, an operator, the rail, or the service itself. */
export type Cause = "caller" | "payer" | "operator" | "rail" | "schedule" | "service";

/** The author of an event. Users and operators have names; all others are named like their cause. */
export type Actor<By extends Cause = Cause> = Readonly<{ cause: By; name: string }>;

export const actorOf = <By extends "rail" | "schedule" | "service">(cause: By): Actor<By> => ({ cause, name: cause });

/** The actor who submitted a claimed intent: the user of a key, or the payer of a link. */
export const submitterOf = ({ deliveryMode, submission }: ClaimedIntent): Actor<"caller" | "payer"> => ({
  cause: deliveryMode === "payment_link_submission" ? "payer" : "caller",
  name: submission.actor,
});

const submitter = ["caller", "payer"] as const;
const rescuer = ["service", "operator"] as const;
const observer = ["rail", "operator"] as const;
const outcome = ["executionId", "cause", "legs", "total", "completed", "failed", "cancelled"] as const;
const question = ["executionId", "attempt", "asked", "cause"] as const;

/**
 * All events of an intent: the causes that each may have, and the fields of its audit entry. Entries are internal
 * records, which no caller is told of. An entry's name is `paymentIntent.` and the name here.
 */
export const intentEvents = {
  created: { by: submitter, carries: ["useCase", "deliveryMode", "amountMode"] },
  terms_accepted: { by: submitter, carries: [] },
  compiled: { by: ["caller"], carries: [] },
  submission_claimed: { by: submitter, carries: ["executionId"] },
  submission_taken_over: { by: rescuer, carries: question },
  outcome_unknown: { by: ["service"], carries: question },
  submission_released: { by: submitter, carries: ["executionId", "cause"] },
  submitted: { by: submitter, carries: ["executionId", "attempt", "connectorPaymentIds", "splitRoles"] },
  link_published: { by: ["caller"], carries: ["executionId"] },
  link_closed: { by: ["service"], carries: ["paymentIntentId"] },
  // An event with the name of a status is a move to that status.
  executing: { by: observer, carries: outcome },
  requires_recovery: { by: observer, carries: outcome },
  completed: { by: observer, carries: outcome },
  partially_completed: { by: observer, carries: outcome },
  failed: { by: observer, carries: outcome },
  cancelled: { by: [...observer, "schedule"], carries: outcome },
  // These are an operator's orders to a batch, whose status stays the same.
  held: { by: ["operator"], carries: ["cause"] },
  resumed: { by: ["operator"], carries: ["cause"] },
  stopped: { by: ["operator"], carries: ["cause"] },
  resolved: { by: ["operator"], carries: ["cause"] },
} as const satisfies Record<string, Readonly<{ by: readonly Cause[]; carries: readonly string[] }>>;

type Events = typeof intentEvents;
export type IntentEventName = keyof Events;

/** An event of an intent, as the table allows it. */
export type IntentEvent = {
  [Name in IntentEventName]: Readonly<{
    name: Name;
    actor: Actor<Events[Name]["by"][number]>;
    data?: Readonly<Partial<Record<Events[Name]["carries"][number], unknown>>>;
  }>;
}[IntentEventName];

/** The events that an operator can cause. */
export type OperatorEventName = {
  [Name in IntentEventName]: "operator" extends Events[Name]["by"][number] ? Name : never;
}[IntentEventName];
