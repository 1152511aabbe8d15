import { describe, expect, test } from "vitest";
import { storedIntent } from "../../test/intent-fixture.ts";
import type { PaymentIntent } from "../intents/payment-intent.ts";
import type { Submission } from "../intents/submission.ts";
import { firstHoldMs, isOver, keptHoldMs, opensAgainMs } from "./hold.ts";

const NOW_MS = Date.UTC(2026, 10, 22, 12);
const settings = { checkoutHoldMs: 600_000, transferHoldMs: 1_800_000 };
const byCard = storedIntent({ status: "executing" });
const byBank = storedIntent({
  status: "executing",
  connectorPayment: { dueDate: "2026-11-24" } as NonNullable<PaymentIntent["connectorPayment"]>,
});

describe("a payment keeps others from its link", () => {
  test.each([
    ["redirect", 600_000],
    ["bank-details", 1_800_000],
  ] as const)("by %s for %i ms at first", (uiFlow, ms) => {
    const meta = { category: "card", uiFlow, eta: { disbursement: { unit: "days", min: 1, max: 2 } }, noticeKeys: [] };
    expect(firstHoldMs({ meta } as Parameters<typeof firstHoldMs>[0], settings, NOW_MS)).toBe(NOW_MS + ms);
  });

  test.each([
    ["by card, for as long again after a sign of life", byCard, false, NOW_MS + 600_000],
    ["by card, no longer for a promise", byCard, true, NOW_MS + 600_000],
    ["by bank, no longer for a sign of life", byBank, false, undefined],
    ["by bank, until the end of its due date once it is promised", byBank, true, Date.UTC(2026, 10, 25)],
  ])("%s", (_, payment, willTransfer, untilMs) => {
    expect(keptHoldMs(payment, willTransfer, settings, NOW_MS)).toBe(untilMs);
  });

  test.each([
    ["until the rail has called it off, though its time is over", byCard, false],
    ["while it is looked into", { ...byCard, status: "requires_recovery" as const }, false],
    ["while a worker is asking the rail", { ...byCard, submission: {} as Submission }, false],
    ["no more once it has failed", { ...byBank, status: "failed" as const }, true],
    ["no more once it was called off", { ...byCard, status: "cancelled" as const }, true],
  ])("%s", (_, payment, over) => {
    expect(isOver(payment)).toBe(over);
  });
});

test("a held link opens at the end of the hold, or within a minute when that has passed", () => {
  expect(opensAgainMs(NOW_MS + 600_000, NOW_MS)).toBe(NOW_MS + 600_000);
  expect(opensAgainMs(NOW_MS - 600_000, NOW_MS)).toBe(NOW_MS + 60_000);
});
