import type { PaymentIntent } from "./payment-intent.ts";

/**
 * Why an operator has to look into a payment: the rail accepted it after its submission was released, tells another end
 * than the one that stands, or was paid for a single-use link that another payment had closed.
 */
export const reviewReasons = ["accepted_after_release", "contradicts_outcome", "paid_after_close"] as const;
export type ReviewReason = (typeof reviewReasons)[number];

/** The review of a payment: the time since which the rail's word and the books disagree about it, and how. */
export type UnderReview = Readonly<{ since: string; about: readonly ReviewReason[] }>;

/**
 * Whether an earlier submission of a payment that has ended may have been released, so that its rail may have accepted it.
 * `intent` has the version from
 * before its end, and the step of it: an only submit leads to three steps more than changes, and each further claim,
 * take-over or release is a change without a step.
 */
export const mayHaveBeenReleased = ({ version, statusHistory }: PaymentIntent): boolean =>
  version > statusHistory.length - 3;

/**
 * Whether no rail was ever asked to pay a draft, so that no rail can have accepted it. A claim is a change without a step
 * of the history; the create and each compile are changes with one.
 */
export const wasNeverClaimed = ({ status, version, statusHistory }: PaymentIntent): boolean =>
  status === "draft" && version === statusHistory.length;
