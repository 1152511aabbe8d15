import { DAY_MS } from "@intents/domain/durations.ts";
import type { SandboxTerms } from "./terms.ts";

const NORDIC = ["DK", "NO", "SE"];

/**
 * A second simulated rail, for corridors out of three Nordic countries. Its limits, settlement times, memory and bank
 * differ from the first one's, so that code which confuses the two rails is found out.
 */
export const sandboxBank: SandboxTerms = {
  rail: {
    name: "sandbox-bank",
    address: "embedded",
    remembersMs: 13 * DAY_MS,
    maxUsd: "1500000",
    questionMax: 100,
    corridors: [{ from: NORDIC, to: ["AU", "CA", "DE", "GB", "IE", "NZ", "US", ...NORDIC] }],
  },
  scenarios: { version: "2.0.0", maxRecipients: { manual: 6, link: 3, bulk: 200 } },
  keySpace: "sandbox-bank#",
  paymentPrefix: "sbb_",
  bank: { beneficiaryName: "Nordic Sandbox Clients", bankName: "Sandbox Nordic Bank", institution: "SBNB" },
  settleFactor: 1.5,
  retentionMs: 14 * DAY_MS,
};
