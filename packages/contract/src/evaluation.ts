import * as z from "zod";
import { Connector } from "./executions.ts";
import { lazily } from "./route.ts";
import { count, plainText } from "./shapes.ts";
import { AmountMode, DeliveryMode, PayerRole, RecipientRole, SplitRole, UseCase } from "./vocabulary.ts";

export const Requirement = lazily(() =>
  z
    .object({
      path: plainText("The dotted path of what is missing or wrong, or the name of a check"),
      reason: plainText("Why it keeps the intent from being submitted"),
      satisfiedBy: plainText("What would meet it"),
      example: z.unknown().describe("A value that would meet it"),
    })
    .meta({ id: "Requirement", description: "One thing that keeps an intent from being submitted" }),
);

export const Evaluation = lazily(() =>
  z
    .object({
      rule: z
        .object({
          status: z
            .enum(["enabled", "blocked", "contract_gated"])
            .describe("`blocked`: no rule allows it; `contract_gated`: the key lacks a permission"),
          missingRequirements: z.array(z.string()).describe("The `path` of each requirement; none: submit would pay"),
        })
        .meta({ id: "RuleVerdict", description: "What the rule of the scenario says" }),
      connector: Connector(),
      limits: z
        .object({ maxRecipients: count("The most recipients that the rail takes") })
        .meta({ id: "EvaluationLimits", description: "The rail's limits" }),
      controls: z
        .object({
          acceptedLimitations: z.array(z.string()).describe("What the rail cannot do, and the caller accepts"),
          allowedRecipientRoles: z.array(RecipientRole()).describe("The roles that recipients may have"),
          allowedSplitRoles: z.array(SplitRole()).describe("The split roles that recipients may have"),
          ignored: z.array(z.string()).describe("Dotted paths of what is stated and has no effect"),
        })
        .meta({ id: "EvaluationControls", description: "What the scenario allows" }),
      requirements: z.array(Requirement()).describe("Everything that keeps the intent from being submitted"),
    })
    .meta({ id: "Evaluation", description: "The judgement that requirements, dry-run and submit go by" }),
);

export const ScenarioQuestion = lazily(() =>
  z
    .strictObject({
      useCase: UseCase(),
      deliveryMode: DeliveryMode(),
      amountMode: AmountMode(),
      payer: z.strictObject({ role: PayerRole() }).describe("Who pays"),
    })
    .meta({ id: "ScenarioQuestion", description: "The fields that decide which rule applies" }),
);
