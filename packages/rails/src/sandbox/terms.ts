import { DAY_MS } from "@intents/domain/durations.ts";
import type { RailDescription } from "@intents/domain/rails/description.ts";
import { type ScenarioTerms, usualScenarios } from "../descriptions.ts";
import type { DepositBank } from "./bank-details.ts";

/** The terms in which simulated rails differ; sandbox.ts runs all of them. */
export type SandboxTerms = Readonly<{
  /** The address is always the same, because the rail's state lies in the service's own account. */
  rail: RailDescription & Readonly<{ address: "embedded" }>;
  scenarios: ScenarioTerms;
  /** The prefix of its keys in the table that the simulated rails share; each rail sees only its own. */
  keySpace: string;
  /** The prefix of the ids of its payments. */
  paymentPrefix: string;
  bank: DepositBank;
  /** Its payments take so many times SANDBOX_SETTLE_SECONDS to settle. */
  settleFactor: number;
  /** How long it keeps executions. It promises a day less, which it surely keeps (docs/rail-api.yaml). */
  retentionMs: number;
}>;

/** The simulated rail for every corridor. */
export const sandbox: SandboxTerms = {
  rail: {
    name: "sandbox",
    address: "embedded",
    remembersMs: 29 * DAY_MS,
    maxUsd: "2000000",
    questionMax: 100,
    corridors: "all",
  },
  scenarios: usualScenarios,
  keySpace: "",
  paymentPrefix: "sbx_",
  bank: { beneficiaryName: "Sandbox Client Account", bankName: "Sandbox Test Bank", institution: "SBXA" },
  settleFactor: 1,
  retentionMs: 30 * DAY_MS,
};
