// The answers of a link's public endpoints, as far as this page uses them (packages/contract/src/payment-links.ts).

/** A link as its payers may see it. Amounts are decimal strings. */
export type PublicLink = Readonly<{
  status: "open" | "closed";
  recipientName: string;
  amountType: "fixed" | "open";
  currency: string;
  /** The principal recipients, and what each of them receives where that is fixed. */
  recipients: readonly Readonly<{ name: string; amount?: string }>[];
  reference?: string;
  payFromCountryCode?: string;
  payFromCountryLocked: boolean;
  isSingleUse: boolean;
  /** While another payment keeps a single-use link: the time at which it probably opens again. */
  held?: Readonly<{ until: string }>;
}>;

/** One way to pay. `fromAmount` includes `feesAndCharges`; `fxRate` is `toCurrency` per 1 `fromCurrency`. */
export type Variant = Readonly<{
  id: number;
  settlementMethod: string;
  fromCurrency: string;
  toCurrency: string;
  fromAmount: number;
  fxRate: number;
  feesAndCharges: number;
  minAmount: number;
  maxAmount: number;
  isWithinLimits: boolean;
  meta: Readonly<{
    uiFlow: string;
    eta: Readonly<{ disbursement: Readonly<{ unit: "hours" | "days"; min: number; max: number }> }>;
    noticeKeys: readonly string[];
  }>;
}>;

export type Quote = Readonly<{
  quoteId: string;
  expiresOn: string;
  variants: readonly Variant[];
  /** The amount for each recipient, in the link's order. */
  payouts: readonly Readonly<{ name: string; payeeAmount: number; toCurrency: string }>[];
}>;

export type PayerDetails = Readonly<{
  firstName: string;
  lastName: string;
  email: string;
  phone?: string;
  dob?: string;
  addressLine1?: string;
  city?: string;
  state?: string;
  postcode?: string;
  countryCode?: string;
}>;

/** Account fields by name; which ones there are depends on the currency. */
export type BankDetails = Readonly<Record<string, string>>;

export type NextAction =
  | Readonly<{ type: "redirect"; url: string }>
  | Readonly<{
      type: "bank_transfer";
      transactionBankDetails: BankDetails;
      reference: string | number;
      amount: string | number;
      currency: string;
      /** ISO date. */
      dueDate: string;
    }>;

/** The agreed amounts: the total, the charges in it, and what each recipient of the link gets. */
export type PaymentTerms = Readonly<{
  amount: string;
  feesAndCharges: string;
  currency: string;
  recipients: readonly Readonly<{ amount: string; currency: string }>[];
}>;

export type SessionBody = Readonly<{
  payerDetails: PayerDetails;
  quoteId: string;
  selectedQuoteVariantId: number;
  documentIds?: readonly string[];
}>;

/** A payment that was begun; without `nextAction` once it has ended. */
export type Session = Readonly<{ paymentIntentId: string; nextAction?: NextAction }>;

/** Where the money is, and since when somebody looks into that. */
type WhereMoneyIs = Readonly<{
  /** Absent while recipients differ and one of them has it, or may still get it. */
  money?: "planned" | "owed" | "received" | "delivered" | "failed" | "returned";
  underReview?: Readonly<{ since: string }>;
}>;

/** A payment as its own payer sees it. Times are ISO; `rate` is `toCurrency` per 1 `fromCurrency`. */
export type PayerPayment = WhereMoneyIs &
  Readonly<{
    paymentIntentId: string;
    status: string;
    startedAt: string;
    endedAt?: string;
    payer: Readonly<{ name: string }>;
    paymentMethod: NextAction["type"];
    settlementMethod: string;
    rate?: string;
    fromCurrency: string;
    toCurrency: string;
    /** The link's, in the tenant's words. */
    reference?: string;
    /** The transfer's reference. */
    bankReference?: string;
    /** The account of a transfer, recognizable and no more. */
    sentTo?: Readonly<{ beneficiaryName: string; accountEnding: string }>;
    payment: PaymentTerms;
    /** Present for as long as the payer can still do something. */
    nextAction?: NextAction;
    /** The time until which the payment keeps a single-use link. */
    held?: Readonly<{ until: string }>;
  }>;

/** The visible part of a payment: without its secret, only how it stands. */
export type KnownPayment = Pick<PayerPayment, "paymentIntentId" | "status"> & Partial<PayerPayment>;

/** A payment as everybody sees it who knows its number. */
export type PaymentState = WhereMoneyIs &
  Readonly<{ status: "open" | "closed"; paymentStatus: string; paymentMethod?: NextAction["type"] }>;
