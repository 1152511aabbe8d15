import type { RailDescription } from "@intents/domain/rails/description.ts";
import type { RailOffer } from "@intents/domain/rails/rail.ts";
import type { DeliveryMode, Scenario } from "@intents/domain/scenarios/scenario.ts";

/** The terms in which rails differ. The numbers that SPEC leaves to the rail are ours (DESIGN 8). */
export type ScenarioTerms = Readonly<{
  version: string;
  maxRecipients: Readonly<{ manual: number; link: number; bulk: number }>;
}>;

/** The terms of a rail behind HTTP. Its settings say its address. */
export type HttpTerms = Readonly<{ rail: Omit<RailDescription, "address">; scenarios: ScenarioTerms }>;

export const usualScenarios: ScenarioTerms = {
  version: "1.0.0",
  // SPEC, Limits: "one split-link connector allows at most 3".
  maxRecipients: { manual: 10, link: 3, bulk: 500 },
};

type Row = Pick<RailOffer, "action" | "acceptedLimitations"> &
  Readonly<{ limit: keyof ScenarioTerms["maxRecipients"] }>;

const linkRow = {
  limit: "link",
  // SPEC, "Link connector constraints".
  acceptedLimitations: [
    "links_are_reusable_by_many_payers",
    "links_cannot_be_cancelled_after_issue",
    "completion_is_reconciled_by_polling",
    "one_shared_reference_for_all_payees",
    "single_use_closes_after_first_successful_payment",
  ],
} as const satisfies Omit<Row, "action">;

/** The action and the limitations of our rails, by delivery mode. */
const rows = {
  manual: {
    action: "manual_payment",
    limit: "manual",
    acceptedLimitations: ["completion_is_reconciled_by_polling", "cleared_legs_are_not_reversed"],
  },
  reusable_payment_link: { action: "publish_link", ...linkRow },
  payment_link_submission: { action: "link_payment", ...linkRow },
  bulk: {
    action: "bulk_payment",
    limit: "bulk",
    acceptedLimitations: ["completion_is_reconciled_by_polling", "one_connector_payment_per_recipient"],
  },
} as const satisfies Record<DeliveryMode, Row>;

/** The description of a scenario, under the name of the rail that gives it and with that rail's terms. */
export function describeScenario(
  provider: string,
  { version, maxRecipients }: ScenarioTerms,
  scenario: Scenario,
): RailOffer {
  const { action, limit, acceptedLimitations } = rows[scenario.deliveryMode];
  return { provider, action, version, maxRecipients: maxRecipients[limit], acceptedLimitations };
}
