import type { RailDescription } from "@intents/domain/rails.ts";
import { type ScenarioTerms, usualScenarios } from "./descriptions.ts";
import type { DepositBank } from "./sandbox-bank-details.ts";

export const DAY_MS = 86_400_000;

/** What one simulated rail does otherwise than another; all of them are run by sandbox.ts. */
export type SandboxTerms = Readonly<{
  /** Its state lies in the service's own account, and so its address is always the same. */
  rail: RailDescription & Readonly<{ address: "embedded" }>;
  scenarios: ScenarioTerms;
  /** What its keys begin with in the table that the simulated rails share: none knows what another holds. */
  keySpace: string;
  /** What the ids of its payments begin with. */
  paymentPrefix: string;
  bank: DepositBank;
  /** How many times SANDBOX_SETTLE_SECONDS its payments take. */
  settleFactor: number;
  /** How long it keeps what was executed. It says to remember a day less, which is then sure (docs/rail-api.yaml). */
  retentionMs: number;
}>;

/** The simulated rail for every corridor. */
export const sandbox: SandboxTerms = {
  rail: { name: "sandbox", address: "embedded", remembersMs: 29 * DAY_MS, maxUsd: "2000000", corridors: "all" },
  scenarios: usualScenarios,
  keySpace: "",
  paymentPrefix: "sbx_",
  bank: { beneficiaryName: "Sandbox Client Account", bankName: "Sandbox Test Bank", institution: "SBXA" },
  settleFactor: 1,
  retentionMs: 30 * DAY_MS,
};
