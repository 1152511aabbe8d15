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
  /** What each recipient of the link receives, in their order. */
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

export type Session = Readonly<{
  paymentIntentId: string;
  status: string;
  nextAction: NextAction;
  payment: PaymentTerms;
}>;

export type PaymentState = Readonly<{
  status: "open" | "closed";
  paymentStatus: string;
  paymentMethod?: NextAction["type"];
}>;
