import type { ConnectorDescription } from "@intents/domain/connector.ts";
import type { DeliveryMode, Scenario } from "@intents/domain/payment-intent.ts";

type Row = Omit<ConnectorDescription, "provider">;

const linkRow = {
  version: "1.0.0",
  // SPEC, Limits: "one split-link connector allows at most 3".
  maxRecipients: 3,
  // SPEC, "Link connector constraints".
  acceptedLimitations: [
    "links_are_reusable_by_many_payers",
    "links_cannot_be_cancelled_after_issue",
    "completion_is_reconciled_by_polling",
    "one_shared_reference_for_all_payees",
    "single_use_closes_after_first_successful_payment",
  ],
} as const satisfies Omit<Row, "action">;

/** What our rails do per delivery mode. The numbers that SPEC leaves to the connector are ours (DESIGN 8). */
const rows = {
  manual: {
    action: "manual_payment",
    version: "1.0.0",
    maxRecipients: 10,
    acceptedLimitations: ["completion_is_reconciled_by_polling", "cleared_legs_are_not_reversed"],
  },
  reusable_payment_link: { action: "publish_link", ...linkRow },
  payment_link_submission: { action: "link_payment", ...linkRow },
  bulk: {
    action: "bulk_payment",
    version: "1.0.0",
    maxRecipients: 500,
    acceptedLimitations: ["completion_is_reconciled_by_polling", "one_connector_payment_per_recipient"],
  },
} as const satisfies Record<DeliveryMode, Row>;

/** The description of a scenario, under the name of the rail that gives it. */
export const describeScenario = (provider: string, scenario: Scenario): ConnectorDescription => ({
  provider,
  ...rows[scenario.deliveryMode],
});
