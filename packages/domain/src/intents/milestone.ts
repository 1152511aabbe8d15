import type { Execution, PaymentIntent } from "./payment-intent.ts";

/** A step of an intent that business figures count: its rail took a payment, or that payment ended. */
export type Milestone = Readonly<{ rail: string; currency: string }> &
  Readonly<{ kind: "submitted" } | { kind: "ended"; outcome: Execution["status"]; afterMs: number }>;

/** The milestone that a change has passed, if any: a payment passes each once. */
export function milestoneOf(before: PaymentIntent | undefined, after: PaymentIntent): Milestone | undefined {
  const last = after.executions.at(-1);
  if (last === undefined) return undefined;
  const known = before?.executions.find(({ executionId }) => executionId === last.executionId);
  if (known?.status === last.status) return undefined;
  const { connector: rail, currency, status: outcome, startedAt, endedAt = after.updatedAt } = last;
  if (outcome === "executing") return { kind: "submitted", rail, currency };
  return { kind: "ended", rail, currency, outcome, afterMs: Date.parse(endedAt) - Date.parse(startedAt) };
}
