import { deliveryModes } from "@intents/domain/scenarios/scenario.ts";
import { expect, test } from "vitest";
import { describeScenario, usualScenarios } from "./descriptions.ts";
import { sandboxBank } from "./sandbox/bank.ts";

test.each([
  ["manual", "manual_payment", 10, 6],
  ["reusable_payment_link", "publish_link", 3, 3],
  ["payment_link_submission", "link_payment", 3, 3],
  ["bulk", "bulk_payment", 500, 200],
] as const)(
  "%s is carried out by %s for at most %i recipients, at sandbox-bank %i",
  (deliveryMode, action, usual, own) => {
    const payer = { role: "student" } as const;
    const scenario = { useCase: "education_provider_tuition", amountMode: "payer_fixed", deliveryMode, payer } as const;
    const described = describeScenario("sandbox", usualScenarios, scenario);
    expect(described).toMatchObject({ provider: "sandbox", action, version: "1.0.0", maxRecipients: usual });
    const { acceptedLimitations } = described;
    expect(describeScenario("sandbox-bank", sandboxBank.scenarios, scenario)).toEqual({
      ...{ provider: "sandbox-bank", action, version: "2.0.0", maxRecipients: own, acceptedLimitations },
    });
    expect(deliveryModes).toContain(deliveryMode);
  },
);
