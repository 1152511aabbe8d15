// Written from docs/openapi.json by `pnpm openapi`, and never by hand.

import type {
  CountryCode,
  CurrencyCode,
  LegStatus,
  MoneyState,
  PayerRole,
  PayerType,
  PaymentIntentStatus,
  Purpose,
  RecipientRole,
  ReviewReason,
  SplitRole,
} from "./words.ts";

/** What is known of a person or company */
export type PartyDetails = {
  payerType?: PayerType;
  /** The company's name, where a company pays */ companyName?: string;
  /** Given name */ firstName?: string;
  /** Family name */ lastName?: string;
  /** An email address, kept as it is written */ email?: string;
  /** 5 to 20 digits as people write them, best with + and the country's code: +55 (11) 98765-4321 */ phone?: string;
  /** The date of birth, a day in the past */ dob?: string;
  /** Street and number */ addressLine1?: string;
  /** City */ city?: string;
  /** State or region */ state?: string;
  /** Postal code */ postcode?: string;
  countryCode?: CountryCode;
  /** The number by which the tax office knows the person */ taxIdentificationNumber?: string;
};

/** A payer or subject, as it was stated */
export type IntentParty = {
  role: PayerRole;
  /** The `_id` of a saved student or payer */ partyId?: string;
  details?: PartyDetails;
};

/** The amounts as they were stated */
export type RecipientAmount = {
  /** What the payer pays for this recipient: a decimal string in major units */ payerAmount?: string;
  /** What this recipient receives: a decimal string in major units */ payeeAmount?: string;
  currency?: CurrencyCode;
  /** Its share of what a link's payer enters, in basis points */ portionBps?: number;
};

/** Who is paid, as it was stated */
export type Recipient = {
  role?: RecipientRole;
  /** Its place; by default the one in the array */ order?: number;
  /** The payee */ connectorPayeeId?: number;
  splitRole?: SplitRole;
  /** A document that proves the purpose */ purposeProofDocumentId?: string;
  /** What the payee's bank shows */ reference?: string;
  /** The caller's own id, as it was given */ externalId?: string;
  purpose?: Purpose;
  amount?: RecipientAmount;
};

/** What a single payment needs */
export type ManualPayment = {
  /** The quote at whose rates it is paid */ quoteId?: string;
  /** The way to pay that was chosen */ selectedQuoteVariantId?: number;
  purpose?: Purpose;
  countryCode?: CountryCode;
  /** A document that shows who the payer is */ payerIdentityDocumentId?: string;
  /** The order of the payouts was checked */ quotePayoutOrderConfirmed?: boolean;
};

/** What a payment link needs */
export type PaymentLink = {
  /** What the payees' banks show */ reference?: string;
  payFromCountryCode?: CountryCode;
  /** What payers cannot change */ lockedFields?: readonly "pay_from_country"[];
  /** The link closes with its first successful payment */ isSingleUse?: boolean;
};

/** What paying again needs */
export type Reissue = {
  /** The failed or cancelled intent that is paid again */ paymentIntentId?: string;
};

/** How it is to be paid, as it was stated */
export type Instructions = {
  manualPayment?: ManualPayment;
  paymentLink?: PaymentLink;
  reissue?: Reissue;
};

/** The link by which a payer made the intent */
export type CreatedFrom = {
  /** The link */ paymentIntentId: string;
};

/** What the payer of a link chose */
export type PayerChoice = {
  /** The quote that the payer got */ quoteId: string;
  /** The way to pay that the payer chose */ selectedQuoteVariantId: number;
  /** Its name, as in the quote */ settlementMethod?: string;
  /** What 1 of the payer's currency is in the payee's, by the quote: a decimal string */ fxRate?: string;
  countryCode: CountryCode;
  /** The documents that the payer uploaded */ documentIds: readonly string[];
};

/** The payment that keeps other payers from a single-use link */
export type LinkHold = {
  /** The payment */ paymentIntentId: string;
  /**
   * When the rail is asked to call it off, if it was not paid by then; none once the payer's money came in, ISO 8601 in
   * UTC
   */
  until?: string;
};

/** There while an operator looks into what has become of the money. Nothing pays it again meanwhile */
export type UnderReview = {
  /** Since when an operator is to look into it, ISO 8601 in UTC */ since: string;
  /** How the rail's word and the books disagree */ about: readonly ReviewReason[];
};

/** What has become of a recipient's money, as an operator found out */
export type Correction = {
  /** Counts the corrections of the payment; of several about one recipient the highest holds */ number: number;
  /** When it was made, ISO 8601 in UTC */ at: string;
  /** The execution that it is about */ executionId: string;
  /** The recipient's place */ order: number;
  /** The payee has the money; it came back; or it never moved */ outcome: "arrived" | "cameBack" | "neverMoved";
  /** What the payer paid for this recipient: a decimal string in major units */ payerAmount: string;
  payerCurrency: CurrencyCode;
  /** What this recipient gets: a decimal string in major units */ payeeAmount: string;
  payeeCurrency: CurrencyCode;
};

/** A status that the intent came to */
export type StatusStep = {
  status: PaymentIntentStatus;
  /** Since when, ISO 8601 in UTC */ at: string;
  /** Who caused it */ by: string;
};

/** One recipient's part of an execution */
export type ExecutionLeg = {
  /** The recipient's place */ order: number;
  /** Who is paid */ payeeId: number;
  /** The payee's name, in a batch */ payeeName?: string;
  splitRole: SplitRole;
  /** What the payer pays for it, in `payerCurrency`: a decimal string in major units */ payerAmount: string;
  payerCurrency?: CurrencyCode;
  /** What the payee receives, in `payeeCurrency`: a decimal string in major units */ payeeAmount?: string;
  payeeCurrency?: CurrencyCode;
  /** `payeeCurrency` per 1 `payerCurrency`, in a batch */ fxRate?: string;
  /** The rail's fee for it, in a batch, in `feeCurrency`: a decimal string in major units */ fee?: string;
  feeCurrency?: CurrencyCode;
  /** What the payee's bank shows, in a batch */ reference?: string;
  status: LegStatus;
  money: MoneyState;
  /** When the money came back, if it is `returned`, ISO 8601 in UTC */ returnedAt?: string;
  feeMoney?: MoneyState;
  /** Its own payment id, in a batch */ connectorPaymentId?: number;
  /** Why it failed, or is not paid */ reason?: string;
  /** Until when it waits, because the rail took an equal payment before, ISO 8601 in UTC */ waitingUntil?: string;
  /** When the rail took it, in a batch, ISO 8601 in UTC */ acceptedAt?: string;
  /** When the rail told that the money for it came in, in a batch, ISO 8601 in UTC */ receivedAt?: string;
  /** When it ended, in a batch, ISO 8601 in UTC */ endedAt?: string;
  /** Who ended it, in a batch */ endedBy?: "rail" | "operator";
};

/** One attempt to move the money. `payer` and `subject` are as they were at the submit */
export type Execution = {
  /** Names the attempt */ executionId: string;
  /** The rail that carries it out */ connector: string;
  /** How the attempt stands */ status:
    | "executing" | "completed" | "failed" | "partially_completed" | "cancelled";
  /** When the rail accepted it, ISO 8601 in UTC */ startedAt: string;
  /** When the rail told that the payer's money came in, where it tells that, ISO 8601 in UTC */ receivedAt?: string;
  /** When it ended, ISO 8601 in UTC */ endedAt?: string;
  /** Its payments; a bank transfer quotes the id as its reference */ connectorPaymentIds: readonly number[];
  /** The rail's own id, where the execution is one payment */ railPaymentId?: string;
  /** Where payers open the link */ paymentLinkUrl?: string;
  /** Where the payer pays, if on a page of the rail */ checkoutUrl?: string;
  payer: PartyDetails;
  subject?: PartyDetails;
  currency: CurrencyCode;
  /** The rail's fee, in `currency`: a decimal string in major units */ fee: string;
  feeMoney?: MoneyState;
  /** The recipients; those of a batch only in the answer about that one batch */ legs?: readonly ExecutionLeg[];
  /** Why it failed */ cause?: string;
};

/** The rail that a payment would go to */
export type Connector = {
  /** The rail */ provider: string;
  /** What it would do */ action: string;
  /** The version of its terms */ version: string;
};

/** One recipient's part of a plan */
export type PlannedLeg = {
  /** The recipient's place */ order: number;
  /** Who is paid */ payeeId: number;
  /** The payee's name, unless it is another tenant's */ payeeName?: string;
  /** What the payer pays for it, in `payerCurrency`: a decimal string in major units */ payerAmount: string;
  payerCurrency?: CurrencyCode;
  /** What the payee receives, in `payeeCurrency`: a decimal string in major units */ payeeAmount: string;
  payeeCurrency: CurrencyCode;
  /** What the payee's bank shows */ reference?: string;
};

/** What `/draft` compiled. A submit plans anew */
export type ExecutionPlan = {
  /** When it was compiled, ISO 8601 in UTC */ compiledAt: string;
  connector: Connector;
  /** The quote that it goes by */ quoteId: string;
  /** The way to pay */ selectedQuoteVariantId: number;
  /** The payment method */ settlementMethod: string;
  /** How the payer hands the money over */ settlementChannel: string;
  currency: CurrencyCode;
  /** What the payer pays in all, in `currency`: a decimal string in major units */ totalAmount: string;
  /** The rail's fee, in `currency`: a decimal string in major units */ fee: string;
  /** What the rail would be asked to pay */ legs: readonly PlannedLeg[];
};

/** How far a batch is, in recipients */
export type BatchProgress = {
  /** The recipients */ total: number;
  /** Those who were paid */ completed: number;
  /** Those who could not be paid */ failed: number;
  /** Those who were never paid, because the batch was stopped */ cancelled?: number;
};

/** What the rule of the scenario says */
export type RuleVerdict = {
  /** `blocked`: no rule allows it; `contract_gated`: the key lacks a permission */
  status: "enabled" | "blocked" | "contract_gated";
  /** The `path` of each requirement; none: submit would pay */ missingRequirements: readonly string[];
};

/** The rail's limits */
export type EvaluationLimits = {
  /** The most recipients that the rail takes */ maxRecipients: number;
};

/** What the scenario allows */
export type EvaluationControls = {
  /** What the rail cannot do, and the caller accepts */ acceptedLimitations: readonly string[];
  /** The roles that recipients may have */ allowedRecipientRoles: readonly RecipientRole[];
  /** The split roles that recipients may have */ allowedSplitRoles: readonly SplitRole[];
  /** Dotted paths of what is stated and has no effect */ ignored: readonly string[];
};

/** One thing that keeps an intent from being submitted */
export type Requirement = {
  /** The dotted path of what is missing or wrong, or the name of a check */ path: string;
  /** Why it keeps the intent from being submitted */ reason: string;
  /** What would meet it */ satisfiedBy: string;
  /** A value that would meet it */ example: unknown;
};

/** What has changed */
export type EventResource = {
  /** A payment intent, a recipient of one, the link that one is, a request for commissions, or a webhook endpoint */
  type:
    | "paymentIntent" | "leg" | "paymentLink" | "commissionRequest" | "webhookEndpoint";
  /**
   * The intent's id, also of its legs and its link; of a request for commissions the `requestId`, of a webhook endpoint
   * its own
   */
  id: string;
  /** The leg's `order` in its intent */ order?: number;
};
