import type { Permission } from "./caller.ts";
import type { RailOffer } from "./connector.ts";
import type { DocumentHolder, PaymentDocument } from "./document.ts";
import type { ExchangeRates } from "./exchange-rates.ts";
import type { IntentDraft } from "./intent-draft.ts";
import type { PartyDetails } from "./party.ts";
import type { Payee } from "./payee.ts";
import type { PaymentIntent } from "./payment-intent.ts";
import type { Quote } from "./quote.ts";
import type { RailDescription } from "./rails.ts";
import type { RequirementPath, RequirementText } from "./requirement-texts.ts";
import type { ScenarioRule } from "./scenario-rules.ts";

/** One thing that keeps an intent from being submitted. `path` is a dotted path, or the name of a check. */
export type Requirement = RequirementText & Readonly<{ path: string }>;

/** The things that an intent names, as far as they exist for its tenant. */
export type Facts = Readonly<{
  tenantId: string;
  permissions: readonly Permission[];
  offer: RailOffer;
  /** The rail that the payment would go to. */
  rail: RailDescription;
  nowMs: number;
  /** The rates that price a payment without a quote of its own. */
  rates: ExchangeRates;
  quote?: Quote;
  payees: ReadonlyMap<number, Payee>;
  parties: ReadonlyMap<string, PartyDetails>;
  documents: ReadonlyMap<string, PaymentDocument>;
  /** The intent that is to be paid again, when one is named. */
  reissued?: Pick<PaymentIntent, "status"> & Readonly<{ by?: string }>;
  /** The stored intent, when there is one: documents that it has reserved or consumed itself count as usable. */
  holder?: DocumentHolder;
}>;

/** A check finds the paths that are missing or wrong, with a reason where the general one says too little. */
export type Check = (intent: IntentDraft, facts: Facts, rule: ScenarioRule) => readonly Finding[];

export type Finding = RequirementPath | (Readonly<{ path: RequirementPath; at?: string }> & Partial<RequirementText>);
