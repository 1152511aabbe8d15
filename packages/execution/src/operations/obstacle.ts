import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";

/** An intent's status, which keeps an operation from being carried out. */
type Stands = Readonly<{ status: PaymentIntent["status"] }>;
/** Recipients of a batch or of a record, by their order. */
type Recipients = Readonly<{ orders: readonly number[] }>;

/** Why an operation was not carried out, or what is left of it to do. `packages/operator` has the words for each. */
export type Obstacle =
  | Readonly<{ kind: "no_intent" | "changed" | "submitting" }>
  | (Stands & Readonly<{ kind: "not_cancellable" | "not_executing" | "not_in_recovery" | "not_published" }>)
  | (Stands & Readonly<{ kind: "not_begun" | "batch_ended" | "ended_before" | "rail_has_it" }>)
  | Readonly<{ kind: "batch_cancelled" | "batch_not_held" | "batch_never_begun" | "ended_by_recipients" }>
  /** The rail was not asked, or does not tell, and why; `order` is that of a batch's recipient. */
  | Readonly<{ kind: "not_asked"; reason: string }>
  | Readonly<{ kind: "rail_silent"; reason: string; order?: number }>
  | Readonly<{ kind: "not_called_off"; answer?: string }>
  | Readonly<{ kind: "money_received" | "link_money_received" | "link_closed" }>
  | Readonly<{ kind: "on_its_way"; waitSeconds: number; order?: number }>
  | Readonly<{ kind: "rail_has_recipient"; order: number }>
  | Readonly<{ kind: "never_confirmed" | "unknown_order" }>
  /** The rail's own payment ids, as the operator gave them. */
  | Readonly<{ kind: "id_needed" | "id_not_needed" | "ids_of_recipients" | "ids_without_batch" | "id_named_twice" }>
  | (Recipients & Readonly<{ kind: "ids_needed" | "other_id" }>)
  | (Recipients & Readonly<{ kind: "under_way" | "being_asked" | "never_paid" | "never_sent" }>)
  /** The record that is to be closed, and the outcomes given. */
  | Readonly<{ kind: "no_record"; id: string }>
  | Readonly<{ kind: "no_recipient_in_record" }>
  | Readonly<{ kind: "no_more_commissions"; count: number }>
  | (Recipients & Readonly<{ kind: "outcomes_missing" }>)
  | Readonly<{ kind: "outcome_missing"; order: number }>
  | (Recipients & Readonly<{ kind: "others_in_record"; others: readonly number[] }>);
