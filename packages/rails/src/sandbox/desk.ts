import { fail } from "@intents/domain/result.ts";
import type { SandboxDesk } from "./sandbox.ts";

/** Joins several simulated rails into one desk, so that a tester and a payer need not know which holds a payment. */
export const joinDesks = (desks: readonly SandboxDesk[]): SandboxDesk => ({
  async listPayments(tenantId, query) {
    const lists = await Promise.all(desks.map((desk) => desk.listPayments(tenantId, query)));
    // An executionId begins with the time at which it was made.
    const newestFirst = lists.flat().toSorted((one, other) => (one.executionId < other.executionId ? 1 : -1));
    return newestFirst.slice(0, query.limit);
  },
  async findCheckout(token) {
    for (const desk of desks) {
      const checkout = await desk.findCheckout(token);
      if (checkout !== undefined) return checkout;
    }
    return undefined;
  },
  async finishCheckout(token, outcome) {
    for (const desk of desks) {
      const finished = await desk.finishCheckout(token, outcome);
      if (finished.ok || finished.failure.kind !== "not_found") return finished;
    }
    return fail({ kind: "not_found" });
  },
});
