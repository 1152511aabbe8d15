// Written from docs/openapi.json by `pnpm openapi`, and never by hand.

import type { PaymentScenario } from "./scenarios.ts";
import type {
  AmountMode,
  CountryCode,
  CurrencyCode,
  DeliveryMode,
  PayerRole,
  PayerType,
  Purpose,
  RecipientRole,
  SplitRole,
  UseCase,
} from "./words.ts";

/** A person or company, stated inline */
export type PartyDetailsInput = {
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

/** Who pays, by id or by details; of `unknown_link_payer` neither is given */
export type IntentPayerInput = {
  role: PayerRole;
  /** The `_id` of a saved student or payer */ partyId?: string;
  details?: PartyDetailsInput;
};

/** Whom a payment is for, by id or by details, where that is not the payer */
export type SubjectInput = {
  role: PayerRole;
  /** The `_id` of a saved student or payer */ partyId?: string;
  details?: PartyDetailsInput;
};

/** What a recipient gets. The scenario's amount mode says which of the fields it takes */
export type RecipientAmountInput = {
  /** What the payer pays for this recipient: a decimal string above zero, in major units */ payerAmount?: string;
  /** What this recipient receives: a decimal string above zero, in major units */ payeeAmount?: string;
  currency?: CurrencyCode;
  /** The recipient's share of what a link's payer enters, in basis points: 10000 is all of it */ portionBps?: number;
};

/** Who is paid how much. A draft may leave out anything; a dry-run tells what submit needs */
export type RecipientInput = {
  role?: RecipientRole;
  /** Its place; by default the one in the array */ order?: number;
  /** The numeric id of a payee */ connectorPayeeId?: number;
  splitRole?: SplitRole;
  /** A document that proves the purpose, for this payment only */ purposeProofDocumentId?: string;
  /** What the payee's bank shows */ reference?: string;
  /** The caller's own id, by which lists find it; it need not be unique. No payer and no rail sees it */
  externalId?: string;
  purpose?: Purpose;
  amount?: RecipientAmountInput;
};

/** What a single payment needs */
export type ManualPaymentInput = {
  /** The quote at whose rates it is paid */ quoteId?: string;
  /** The `id` of one of the quote's `variants`: the way to pay that was chosen */
  selectedQuoteVariantId?: number | string;
  purpose?: Purpose;
  countryCode?: CountryCode;
  /** A document that shows who the payer is, for this payment only */ payerIdentityDocumentId?: string;
  /** The caller has checked that the quote's `payouts` are in the recipients' order */
  quotePayoutOrderConfirmed?: boolean;
};

/** What a payment link needs */
export type PaymentLinkInput = {
  /** What the payees' banks show */ reference?: string;
  payFromCountryCode?: CountryCode;
  /** What payers of the link cannot change */ lockedFields?: readonly "pay_from_country"[];
  /** The link closes with its first successful payment */ isSingleUse?: boolean;
};

/** A draft: it may be incomplete, and is judged by dry-run and submit */
export type PaymentIntentInput = {
  useCase: UseCase;
  /** How the payment is made */ deliveryMode: "manual" | "reusable_payment_link" | "bulk";
  amountMode: AmountMode;
  /** The tenant's own name for it */ name?: string;
  /** The caller's own id, by which lists find it; it need not be unique. No payer and no rail sees it */
  externalId?: string;
  payer: IntentPayerInput;
  subject?: SubjectInput;
  /** Who is paid; one of them, some of them a split, or the people of a batch */
  recipients?: readonly RecipientInput[];
  /** How it is to be paid, by the way in which it is delivered */ instructions?: {
    manualPayment?: ManualPaymentInput;
    paymentLink?: PaymentLinkInput;
    /** What paying again needs */ reissue?: {
      /** The intent that is paid again: it has ended, and money of it failed or came back */ paymentIntentId?: string;
    };
  };
  /** The caller's own notes: at most 20 keys. No payer and no rail sees them */
  metadata?: Readonly<Record<string, string>>;
  /** The caller has accepted the terms: only `true` is taken */ termsAccepted: boolean;
} & PaymentScenario;

/** What is left out stays; null removes a key */
export type PaymentIntentChanges = {
  /** Notes to set by their keys; null removes one */ metadata: Readonly<Record<string, string | null>>;
};

/** The fields that decide which rule applies */
export type ScenarioQuestion = {
  useCase: UseCase;
  deliveryMode: DeliveryMode;
  amountMode: AmountMode;
  /** Who pays */ payer: {
    role: PayerRole;
  };
};
