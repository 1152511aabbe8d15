import type { ExchangeRates } from "../amounts/exchange-rates.ts";
import type { IntentExtras } from "../answers/intent-answer.ts";
import type { PaymentIntent } from "../intents/payment-intent.ts";
import type { Correction } from "../money-state/correction.ts";
import type { Reissuable } from "../money-state/reissuable.ts";
import type { Permission } from "../parties/caller.ts";
import type { DocumentHolder, PaymentDocument } from "../parties/document.ts";
import type { PartyDetails } from "../parties/party.ts";
import type { Payee } from "../parties/payee.ts";
import type { Quote } from "../quotes/quote.ts";
import type { RailDescription } from "../rails/description.ts";
import type { RailOffer } from "../rails/rail.ts";
import type { IntentDraft } from "../scenarios/draft.ts";
import type { ScenarioRule } from "../scenarios/rules.ts";
import type { RequirementPath, RequirementText } from "../scenarios/texts.ts";

/** One thing that keeps an intent from being submitted. `path` is a dotted path, or the name of a check. */
export type Requirement = RequirementText & Readonly<{ path: string }>;

/** An intent whose money would be paid again, with its corrections, and how much of it may be. */
export type Paid = Readonly<{ id: string; corrections: readonly Correction[]; again: Reissuable }>;

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
  reissued?: Pick<PaymentIntent, "status"> &
    Readonly<{
      by?: string;
      /** All intents whose money this one would pay again: the named one, the one that it was to pay again, and so on. */
      chain: readonly Paid[];
      /** The review of one of these. */
      underReview?: Readonly<{ id: string; since: string }>;
    }>;
  /** The review of the stored intent itself, and its corrections: a rail may have accepted an earlier submission. */
  beside?: IntentExtras;
  /** The stored intent, when there is one: documents that it has reserved or consumed itself count as usable. */
  holder?: DocumentHolder;
}>;

/** A check finds the paths that are missing or wrong, with a reason where the general one says too little. */
export type Check = (intent: IntentDraft, facts: Facts, rule: ScenarioRule) => readonly Finding[];

export type Finding = RequirementPath | (Readonly<{ path: RequirementPath; at?: string }> & Partial<RequirementText>);
