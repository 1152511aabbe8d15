import type { ErrorTable } from "./error-row.ts";

/** Refusals about commissions. */
export const commissionErrors = {
  commission_state: {
    status: 409,
    code: "[COM0001]",
    message: "The state of the commissions does not allow this",
    next: "Read the commissions and their request: go on as details.reason says, without or with the payments that it names.",
    details: ["reason", "status", "paymentIds"],
    bindsKey: true,
  },
} as const satisfies Partial<ErrorTable>;
