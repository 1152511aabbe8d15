/**
 * How a leg stands, as it is shown and told: a leg is a recipient, of one payment or of a batch. `pending` are those of a
 * batch that are not paid yet, `held` and `waiting` those that are not paid for a while.
 */
export const legStatuses = ["pending", "held", "waiting", "executing", "cleared", "failed", "cancelled"] as const;
export type LegStatus = (typeof legStatuses)[number];

/** How a leg of one payment stands: a payment that was called off has no leg that is still under way. */
export const shownStatus = (leg: LegStatus, execution: string | undefined): LegStatus =>
  execution === "cancelled" && leg === "executing" ? "cancelled" : leg;
