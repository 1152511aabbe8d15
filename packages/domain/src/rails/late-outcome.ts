import type { StatusAnswer } from "./rail.ts";

/** A recipient's part of a payment that has ended here; whatever is not `cleared` has moved no money. */
type EndedLeg = Readonly<{ order: number; status: string }>;

/** A rail's report about a payment that has already ended here. */
type LateOutcome = Readonly<{
  /** The outcome as the rail has it; of recipients whose money went otherwise here: "failed: recipient 1 failed". */
  said: string;
  /** Whether there are such recipients. */
  isContrary: boolean;
}>;

/** The final outcome that a rail reports of a payment with these legs; undefined while it reports none. */
export function lateOutcome(legs: readonly EndedLeg[], answer: StatusAnswer): LateOutcome | undefined {
  if (answer.kind !== "settled" && answer.kind !== "cancelled") return undefined;
  const outcomes = new Map(answer.kind === "settled" ? answer.legs.map(({ order, outcome }) => [order, outcome]) : []);
  const reported = legs.map(({ order, status }) => {
    const isPaid = status === "cleared";
    const isReportedPaid = answer.kind === "settled" && (outcomes.get(order) ?? status) === "cleared";
    return { order, isReportedPaid, isContrary: isReportedPaid !== isPaid };
  });
  const contrary = reported.filter(({ isContrary }) => isContrary);
  const named = contrary.map(
    ({ order, isReportedPaid }) => `recipient ${order} ${isReportedPaid ? "cleared" : "failed"}`,
  );
  const paid = reported.filter(({ isReportedPaid }) => isReportedPaid).length;
  const settled = paid === reported.length ? "completed" : paid === 0 ? "failed" : "partially_completed";
  const outcome = answer.kind === "cancelled" ? "cancelled" : settled;
  return { said: [outcome, ...(named.length > 0 ? [named.join(", ")] : [])].join(": "), isContrary: named.length > 0 };
}
