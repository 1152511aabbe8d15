import { deliveryModes } from "@intents/domain/payment-intent.ts";
import { expect, test } from "vitest";
import { describeScenario } from "./descriptions.ts";

test.each([
  ["manual", "manual_payment", 10],
  ["reusable_payment_link", "publish_link", 3],
  ["payment_link_submission", "link_payment", 3],
  ["bulk", "bulk_payment", 500],
] as const)("%s is carried out by %s for at most %i recipients", (deliveryMode, action, maxRecipients) => {
  const payer = { role: "student" } as const;
  const scenario = { useCase: "education_provider_tuition", amountMode: "payer_fixed", deliveryMode, payer } as const;
  expect(describeScenario("sandbox", scenario)).toMatchObject({ provider: "sandbox", action, maxRecipients });
  expect(deliveryModes).toContain(deliveryMode);
});
