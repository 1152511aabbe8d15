import { DAY_MS } from "@intents/domain/durations.ts";
import { countriesWithoutRail, paymentMethods } from "@intents/domain/quotes/payment-methods.ts";
import { testOutcomes } from "@intents/domain/rails/test-outcomes.ts";
import type { SandboxOptions } from "./sandbox.ts";
import { CHECKOUT_OPEN_MS, type CheckoutOutcome, checkoutOutcomes, testReferences } from "./scenarios.ts";
import type { SandboxTerms } from "./terms.ts";

/** Every way to make something happen on these simulated rails, from the tables by which they act. */
export const describeScenarios = (
  rows: readonly SandboxTerms[],
  { settleSeconds, dedupSeconds }: Pick<SandboxOptions, "settleSeconds" | "dedupSeconds">,
) => ({
  references: testOutcomes.map((reference) => ({ reference, ...testReferences[reference] })),
  checkoutOutcomes: (Object.keys(checkoutOutcomes) as CheckoutOutcome[]).map((outcome) => ({
    outcome,
    ...checkoutOutcomes[outcome],
  })),
  checkoutOpenSeconds: CHECKOUT_OPEN_MS / 1000,
  duplicateWindowSeconds: dedupSeconds,
  rails: rows.map(({ rail: { name, corridors, maxUsd, remembersMs }, scenarios, settleFactor }) => ({
    name,
    maxUsd,
    maxRecipients: scenarios.maxRecipients,
    ...(corridors !== "all" && { corridors }),
    settleSeconds: settleSeconds * settleFactor,
    remembersDays: remembersMs / DAY_MS,
  })),
  countriesWithoutRail,
  paymentMethods: paymentMethods.map(({ settlementMethod, settlementChannel, countries, minUsd, maxUsd, meta }) => ({
    settlementMethod,
    settlementChannel,
    minUsd,
    maxUsd,
    uiFlow: meta.uiFlow,
    ...(countries !== "all" && { countries }),
  })),
});
