// Written from docs/openapi.json by `pnpm openapi`, and never by hand.

import type { CountryCode } from "./words.ts";

/** A reference by which a tester chooses what happens */
export type TestReference = {
  /** The `reference` of a recipient, or of a link for all of its recipients */ reference: string;
  /** What it makes happen to a payment */ effect: string;
  /** What it makes happen to one recipient of a batch, who is a payment of its own */ inBatch: string;
  /** What the rail answers to the order; after `unknown` it has taken it all the same */
  answers?: "unreachable" | "duplicate" | "unknown";
  /** How many times the usual time the money takes */ settlementTimes?: number;
  /** Whom the money does not reach */ fails?: {
    /** All recipients, or those with the reference */ legs: "all" | "marked";
    /** Why, as the intent tells it */ reason: string;
  };
};

/** What a payer may do on the simulated checkout page */
export type CheckoutOutcome = {
  /** The field `outcome` that the page sends */ outcome: "pay" | "decline";
  /** How the checkout ends */ end: "paid" | "declined";
  /** What it makes happen */ effect: string;
};

/** A simulated rail, and what it serves */
export type SimulatedRail = {
  /** As `connector.provider` of a dry-run */ name: string;
  /** The countries that it serves; without any it serves what the rails before it do not */ corridors?: readonly {
    /** Paid from one of these countries */ from: readonly CountryCode[];
    /** To payees in these countries alone */ to: readonly CountryCode[];
  }[];
  /** The most that a payment takes, worth in US dollars: a decimal string in major units */ maxUsd: string;
  /** How many recipients an intent may have */ maxRecipients: {
    /** Of a manual payment */ manual: number;
    /** Of a link */ link: number;
    /** Of a batch */ bulk: number;
  };
  /** How long its transfers take, unless a tester asks for something else */ settleSeconds: number;
  /** How long it remembers a payment */ remembersDays: number;
};

/** A way to pay, from where, and how much */
export type SimulatedMethod = {
  /** The method, as quotes name it */ settlementMethod: string;
  /** How the payer hands the money over */ settlementChannel: string;
  /** Whether a payer gets bank details, or a checkout page */ uiFlow: "bank-details" | "redirect";
  /** From where it can be paid so; without any from every country */ countries?: readonly CountryCode[];
  /** The least that a payer sends, worth in US dollars: a decimal string in major units */ minUsd: string;
  /** The most that a payer sends, worth in US dollars, where the rail takes no less: a decimal string in major units */
  maxUsd: string;
};

/** Every way to make something happen in a sandbox */
export type SandboxScenarios = {
  /** What the reference of a recipient makes happen */ references: readonly TestReference[];
  /** What a payer may do on a checkout page */ checkoutOutcomes: readonly CheckoutOutcome[];
  /** How long a checkout waits for its payer, before it ends unpaid */ checkoutOpenSeconds: number;
  /** How long an equal payment is refused as a duplicate */ duplicateWindowSeconds: number;
  /** The rails, in the order in which a payment's countries are looked for */ rails: readonly SimulatedRail[];
  /** No quote is made from or to these countries: [QOT0003] */ countriesWithoutRail: readonly CountryCode[];
  /** The ways to pay, with their countries and amounts */ paymentMethods: readonly SimulatedMethod[];
};
