/** The outcomes that a tester may choose by a leg's reference, on the sandbox rail (DESIGN 6). */
export const testOutcomes = [
  "SANDBOX-FAIL",
  "SANDBOX-PARTIAL",
  "SANDBOX-OVERDUE",
  "SANDBOX-DUPLICATE",
  "SANDBOX-UNAVAILABLE",
  "SANDBOX-TIMEOUT",
] as const;
export type TestOutcome = (typeof testOutcomes)[number];
