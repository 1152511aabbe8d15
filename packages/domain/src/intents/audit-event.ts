import type { Caller } from "../parties/caller.ts";
import type { ClaimedIntent } from "./payment-intent.ts";

/** The cause of an event: a user of the tenant, the payer of a link, an operator, the rail, or the service itself. */
export const causes = ["caller", "payer", "operator", "rail", "schedule", "service"] as const;
export type Cause = (typeof causes)[number];

/**
 * The author of an event. Users and operators have names; all others are named like their cause. `clientId` is the client
 * of the key by which a user came.
 */
export type Actor<By extends Cause = Cause> = Readonly<{ cause: By; name: string; clientId?: string }>;

export const callerActor = ({ userId, clientId }: Pick<Caller, "userId" | "clientId">): Actor<"caller"> => ({
  cause: "caller",
  name: userId,
  clientId,
});

export const actorOf = <By extends "rail" | "schedule" | "service">(cause: By): Actor<By> => ({ cause, name: cause });

/** The actor who submitted a claimed intent: the user of a key, or the payer of a link. */
export const submitterOf = ({ deliveryMode, submission }: ClaimedIntent): Actor<"caller" | "payer"> => ({
  cause: deliveryMode === "payment_link_submission" ? "payer" : "caller",
  name: submission.actor,
  ...(submission.clientId !== undefined && { clientId: submission.clientId }),
});

const submitter = ["caller", "payer"] as const;
const rescuer = ["service", "operator"] as const;
// The rail tells an end, or an operator in its place; the service finds that nobody has told one.
const observer = ["rail", "operator", "service"] as const;
const outcome = {
  shows: ["executionId", "legs", "total", "completed", "failed", "cancelled"],
  keeps: ["cause"],
} as const;
const question = { shows: ["executionId", "attempt", "asked"], keeps: ["cause"] } as const;

/**
 * All events of an intent: the possible causes of each, and the fields of its audit entry. The tenant sees `shows`;
 * `keeps` is internal: texts of operators and of rails. An entry's name is `paymentIntent.` and the name here.
 */
export const intentEvents = {
  created: { by: submitter, shows: ["useCase", "deliveryMode", "amountMode"], keeps: [] },
  terms_accepted: { by: submitter, shows: [], keeps: [] },
  compiled: { by: ["caller"], shows: [], keeps: [] },
  submission_claimed: { by: submitter, shows: ["executionId"], keeps: [] },
  submission_taken_over: { by: rescuer, ...question },
  outcome_unknown: { by: ["service"], ...question },
  submission_released: { by: submitter, shows: ["executionId", "refusal"], keeps: [] },
  submitted: { by: submitter, shows: ["executionId", "attempt", "connectorPaymentIds", "splitRoles"], keeps: [] },
  link_published: { by: ["caller"], shows: ["executionId"], keeps: [] },
  link_closed: { by: ["service"], shows: ["paymentIntentId"], keeps: [] },
  // An event with the name of a status is a move to that status.
  executing: { by: observer, ...outcome },
  requires_recovery: { by: observer, ...outcome },
  completed: { by: observer, ...outcome },
  partially_completed: { by: observer, ...outcome },
  failed: { by: observer, ...outcome },
  // A payment is called off by the rail alone, and for whoever wanted that.
  cancelled: { by: [...observer, ...submitter, "schedule"], ...outcome },
  // These are an operator's orders to a batch, whose status stays the same.
  held: { by: ["operator"], shows: [], keeps: ["cause"] },
  resumed: { by: ["operator"], shows: [], keeps: ["cause"] },
  stopped: { by: ["operator"], shows: [], keeps: ["cause"] },
  resolved: { by: ["operator"], shows: [], keeps: ["cause"] },
} as const satisfies Record<
  string,
  Readonly<{ by: readonly Cause[]; shows: readonly string[]; keeps: readonly string[] }>
>;

type Events = typeof intentEvents;
export type IntentEventName = keyof Events;
/** The fields of audit entries that a tenant is told. */
export type ShownField = Events[IntentEventName]["shows"][number];

/** An event of an intent, as the table allows it. */
export type IntentEvent = {
  [Name in IntentEventName]: Readonly<{
    name: Name;
    actor: Actor<Events[Name]["by"][number]>;
    data?: Readonly<Partial<Record<(Events[Name]["shows"] | Events[Name]["keeps"])[number], unknown>>>;
  }>;
}[IntentEventName];

/** The events that an operator can cause. */
export type OperatorEventName = {
  [Name in IntentEventName]: "operator" extends Events[Name]["by"][number] ? Name : never;
}[IntentEventName];
