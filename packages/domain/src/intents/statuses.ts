export const intentStatuses = [
  "draft",
  "ready_for_quote",
  "quoted",
  "ready_for_execution",
  "executing",
  "completed",
  "failed",
  "partially_completed",
  "requires_recovery",
  "cancelled",
  "pending_link_payment",
] as const;

export type IntentStatus = (typeof intentStatuses)[number];

/** The statuses that are never left, at which a poller stops. `requires_recovery` is deliberately not one of them. */
export const terminalStatuses = [
  "completed",
  "failed",
  "partially_completed",
  "cancelled",
] as const satisfies readonly IntentStatus[];

export const isTerminal = (status: IntentStatus): boolean =>
  (terminalStatuses as readonly IntentStatus[]).includes(status);

/** The payer's money has arrived, all of it or some. */
export const isPaid = (status: IntentStatus): boolean => status === "completed" || status === "partially_completed";
