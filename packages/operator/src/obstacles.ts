import type { Obstacle } from "@intents/execution/operations/obstacle.ts";

/** The recipients of a batch as a sentence names them. */
const named = ({ orders }: Readonly<{ orders: readonly number[] }>): string =>
  orders.length === 1 ? `recipient ${orders[0]}` : `the recipients ${orders.join(", ")}`;

const words: Readonly<{
  [Kind in Obstacle["kind"]]: (obstacle: Extract<Obstacle, { kind: Kind }>) => string;
}> = {
  no_intent: () => "There is no such intent",
  changed: () => "The intent was changed at the same moment: look at it again",
  submitting: () => "A submit of the intent is being carried out: try again once it has ended",
  not_cancellable: ({ status }) => `The intent is ${status}, which cannot be cancelled`,
  not_executing: ({ status }) => `The intent is ${status}: only an executing one can be lost track of`,
  not_in_recovery: ({ status }) => `The intent is ${status}: only one in requires_recovery can be resolved`,
  not_published: ({ status }) => `The intent is ${status}: only a published link can be released`,
  not_begun: ({ status }) => `The intent is ${status}, and no batch that has been begun`,
  batch_ended: ({ status }) => `The batch is ${status}: nothing is left to stop`,
  ended_before: ({ status }) => `The rail had already finished the payment: the intent is ${status} now`,
  rail_has_it: ({ status }) => `The rail has the payment: the intent is ${status} now`,
  batch_cancelled: () => "The batch was cancelled: what is left of it was sent before",
  batch_not_held: () => "The batch is not held",
  batch_never_begun: () =>
    "The batch was never begun: it goes on by itself once the rail answers, or is resolved as cancelled",
  ended_by_recipients: () => "A batch ends by its recipients: cancel it, or resolve it as settled, with none cleared",
  not_asked: ({ reason }) => `The rail was not asked: ${reason}`,
  rail_silent: ({ reason, order }) =>
    `The rail does not tell whether it ${order === undefined ? "has the payment" : `paid recipient ${order}`}: ${reason}. Try again once it answers`,
  not_called_off: ({ answer }) =>
    answer === undefined
      ? "The rail did not call the payment off: it may be paid at any moment"
      : `The rail did not call the payment off: it says "${answer}"`,
  money_received: () =>
    "The payer's money came in, and the rail did not call the payment off: ask the rail to return it",
  link_money_received: () =>
    "The payer's money came in: the payment that holds the link is delivered, or fails, by its rail alone",
  link_closed: () => "The link has been paid and is closed",
  on_its_way: ({ waitSeconds, order }) =>
    `The rail was asked to pay ${order === undefined ? "" : `recipient ${order} `}a moment ago: try again in ${waitSeconds} seconds`,
  rail_has_recipient: ({ order }) =>
    `The rail has the payment of recipient ${order}: resolve the batch as executing first`,
  never_confirmed: () => "The rail never confirmed this payment: resolve it as executing or as cancelled first",
  unknown_order: () => "The intent has no recipient with one of these orders",
  id_needed: () => "The rail never confirmed this payment: its own id of the payment is needed",
  id_not_needed: () => "The rail has told its own id of this payment: none is needed",
  ids_of_recipients: () => "The rail has an id for each recipient of a batch: <order>=<id>",
  ids_without_batch: () => "The intent is no batch, whose recipients alone have ids by their order",
  id_named_twice: () => "Each of the rail's ids is that of one payment: one is named twice",
  ids_needed: (recipients) =>
    `The rail never confirmed ${named(recipients)}: its own id of each payment is needed (--rail-payment)`,
  other_id: (recipients) => `The rail's id of ${named(recipients)} is another, or none: leave it out`,
  under_way: (recipients) =>
    `The batch is held, but for ${named(recipients)} under way at this moment: hold it again in a minute`,
  being_asked: (recipients) => `The rail is being asked about ${named(recipients)}: try again in a minute`,
  never_paid: (recipients) => `Nothing was paid to ${named(recipients)}: that is certain already`,
  never_sent: (recipients) => `Nothing was sent for ${named(recipients)}: no rail can have paid that`,
  no_record: ({ id }) => `There is no open record ${id}`,
  no_recipient_in_record: () => "The record is about no recipient",
  no_more_commissions: ({ count }) =>
    `The payment has ${count} commissions by its corrections, and takes no more: say what the books have, and settle the rest with the tenant`,
  outcomes_missing: ({ orders }) =>
    `Say what has become of the money of recipients ${orders.join(", ")}: --as or --recipient`,
  outcome_missing: ({ order }) => `Say what has become of the money of recipient ${order}, too`,
  others_in_record: ({ orders, others }) =>
    `The record is about recipients ${orders.join(", ")}, and not about ${others.join(", ")}`,
};

/** Tells an operator, in a sentence, why an operation was not carried out or what is left of it to do. */
export const sentenceOf = <Kind extends Obstacle["kind"]>(obstacle: Extract<Obstacle, { kind: Kind }>): string =>
  words[obstacle.kind as Kind](obstacle);
