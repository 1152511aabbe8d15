import type { ClaimedIntent } from "./payment-intent.ts";

/** Who causes what happens to an intent: a user of the tenant, the payer of a link, an operator, or a part of us. */
export type Cause = "caller" | "payer" | "operator" | "rail" | "schedule" | "service";

/** Users and operators have names; everybody else is called as what it is. */
export type Actor<By extends Cause = Cause> = Readonly<{ cause: By; name: string }>;

export const actorOf = <By extends "rail" | "schedule" | "service">(cause: By): Actor<By> => ({ cause, name: cause });

/** Who submitted what is claimed: the user of a key, or the payer of a link. */
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
 * Everything that can happen to an intent: who may cause it, and what its audit entry carries. Entries are internal
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
  // What has a status's name is a move to that status.
  executing: { by: observer, carries: outcome },
  requires_recovery: { by: observer, carries: outcome },
  completed: { by: observer, carries: outcome },
  partially_completed: { by: observer, carries: outcome },
  failed: { by: observer, carries: outcome },
  cancelled: { by: [...observer, "schedule"], carries: outcome },
  // What an operator does to a batch, whose status stays.
  held: { by: ["operator"], carries: ["cause"] },
  resumed: { by: ["operator"], carries: ["cause"] },
  stopped: { by: ["operator"], carries: ["cause"] },
  resolved: { by: ["operator"], carries: ["cause"] },
} as const satisfies Record<string, Readonly<{ by: readonly Cause[]; carries: readonly string[] }>>;

type Events = typeof intentEvents;
export type IntentEventName = keyof Events;

/** Something that has happened to an intent, as the table allows it. */
export type IntentEvent = {
  [Name in IntentEventName]: Readonly<{
    name: Name;
    actor: Actor<Events[Name]["by"][number]>;
    data?: Readonly<Partial<Record<Events[Name]["carries"][number], unknown>>>;
  }>;
}[IntentEventName];

/** What an operator can cause. */
export type OperatorEventName = {
  [Name in IntentEventName]: "operator" extends Events[Name]["by"][number] ? Name : never;
}[IntentEventName];
