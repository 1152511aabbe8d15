// Written from docs/openapi.json by `pnpm openapi`, and never by hand.

import type { CurrencyCode } from "./words.ts";

/** One recipient's part of a simulated payment */
export type SandboxLeg = {
  /** The recipient's place */ order: number;
  /** Who is paid */ payeeId: number;
  /** The payee's name */ payeeName: string;
  /** What the payer pays for it: a decimal string in major units */ payerAmount: string;
  /** What the payee receives: a decimal string in major units */ payeeAmount: string;
  payeeCurrency: CurrencyCode;
  /** What the payee's bank shows */ reference?: string;
  /** How it ended, once it has */ outcome?: "cleared" | "failed";
  /** Why it failed */ reason?: string;
  /** Until when a tester keeps it from arriving, ISO 8601 in UTC */ delayedUntil?: string;
};

/** A payment as a simulated rail holds it */
export type SandboxPayment = {
  /** Which simulated rail holds it */ rail: string;
  /** The execution that it carries out */ executionId: string;
  /** The rail's own id */ railPaymentId: string;
  /** The intent that is paid */ paymentIntentId: string;
  /** The payment id, which the payer quotes as the bank reference */ connectorPaymentId: number;
  /** The payment method */ settlementMethod: string;
  currency: CurrencyCode;
  /** What the payer sends in all, in `currency`: a decimal string in major units */ totalAmount: string;
  /** When the rail took it, ISO 8601 in UTC */ acceptedAt: string;
  /** How it stands with the rail */ status: "pending" | "received" | "settled" | "cancelled";
  /** Where it is paid, if on a page */ checkoutUrl?: string;
  /** The deposit of the batch that it is part of */ fundingReference?: string;
  /** Its recipients */ legs: readonly SandboxLeg[];
};

/** What the simulated rails hold for a tenant */
export type SandboxPayments = {
  /** The newest first */ payments: readonly SandboxPayment[];
};
