// Written from docs/openapi.json by `pnpm openapi`, and never by hand.

import type {
  AmountMode,
  CountryCode,
  CurrencyCode,
  DeliveryMode,
  LegStatus,
  MoneyState,
  PayerRole,
  PayerType,
  PaymentIntentStatus,
  Purpose,
  RecipientRole,
  ReviewReason,
  SplitRole,
  UseCase,
} from "./words.ts";

/** What a `projection` leaves of an item, or a `population` makes of it. A field means what it means in the item */
export type PaymentIntentSelection = {
  id?: string;
  status?: PaymentIntentStatus;
  useCase?: UseCase;
  deliveryMode?: DeliveryMode;
  amountMode?: AmountMode;
  name?: string | null;
  externalId?: string;
  payer?: {
    role?: PayerRole;
    partyId?: unknown;
    details?: {
      payerType?: PayerType;
      companyName?: string;
      firstName?: string;
      lastName?: string;
      email?: string;
      phone?: string;
      dob?: string;
      addressLine1?: string;
      city?: string;
      state?: string;
      postcode?: string;
      countryCode?: CountryCode;
      taxIdentificationNumber?: string;
    };
  };
  subject?: {
    role?: PayerRole;
    partyId?: unknown;
    details?: {
      payerType?: PayerType;
      companyName?: string;
      firstName?: string;
      lastName?: string;
      email?: string;
      phone?: string;
      dob?: string;
      addressLine1?: string;
      city?: string;
      state?: string;
      postcode?: string;
      countryCode?: CountryCode;
      taxIdentificationNumber?: string;
    };
  };
  recipients?: readonly {
    role?: RecipientRole;
    order?: number;
    connectorPayeeId?: unknown;
    splitRole?: SplitRole;
    purposeProofDocumentId?: string;
    reference?: string;
    externalId?: string;
    purpose?: Purpose;
    amount?: {
      payerAmount?: string;
      payeeAmount?: string;
      currency?: CurrencyCode;
      portionBps?: number;
    };
  }[];
  instructions?: {
    manualPayment?: {
      quoteId?: string;
      selectedQuoteVariantId?: number;
      purpose?: Purpose;
      countryCode?: CountryCode;
      payerIdentityDocumentId?: string;
      quotePayoutOrderConfirmed?: boolean;
    };
    paymentLink?: {
      reference?: string;
      payFromCountryCode?: CountryCode;
      lockedFields?: readonly "pay_from_country"[];
      isSingleUse?: boolean;
    };
    reissue?: {
      paymentIntentId?: string;
    };
  };
  metadata?: Readonly<Record<string, string>>;
  termsAccepted?: boolean;
  publicLinkId?: string;
  createdFrom?: {
    paymentIntentId?: unknown;
  };
  payerChoice?: {
    quoteId?: string;
    selectedQuoteVariantId?: number;
    settlementMethod?: string;
    fxRate?: string;
    countryCode?: CountryCode;
    documentIds?: readonly string[];
  };
  hold?: {
    paymentIntentId?: string;
    until?: string;
  };
  linkClosedAt?: string;
  underReview?: {
    since?: string;
    about?: readonly ReviewReason[];
  };
  corrections?: readonly {
    number?: number;
    at?: string;
    executionId?: string;
    order?: number;
    outcome?: "arrived" | "cameBack" | "neverMoved";
    payerAmount?: string;
    payerCurrency?: CurrencyCode;
    payeeAmount?: string;
    payeeCurrency?: CurrencyCode;
  }[];
  createdAt?: string;
  updatedAt?: string;
  createdBy?: string;
  statusHistory?: readonly {
    status?: PaymentIntentStatus;
    at?: string;
    by?: string;
  }[];
  executions?: readonly {
    executionId?: string;
    connector?: string;
    status?:
      | "executing" | "completed" | "failed" | "partially_completed" | "cancelled";
    startedAt?: string;
    receivedAt?: string;
    endedAt?: string;
    connectorPaymentIds?: readonly number[];
    railPaymentId?: string;
    paymentLinkUrl?: string;
    checkoutUrl?: string;
    payer?: {
      payerType?: PayerType;
      companyName?: string;
      firstName?: string;
      lastName?: string;
      email?: string;
      phone?: string;
      dob?: string;
      addressLine1?: string;
      city?: string;
      state?: string;
      postcode?: string;
      countryCode?: CountryCode;
      taxIdentificationNumber?: string;
    };
    subject?: {
      payerType?: PayerType;
      companyName?: string;
      firstName?: string;
      lastName?: string;
      email?: string;
      phone?: string;
      dob?: string;
      addressLine1?: string;
      city?: string;
      state?: string;
      postcode?: string;
      countryCode?: CountryCode;
      taxIdentificationNumber?: string;
    };
    currency?: CurrencyCode;
    fee?: string;
    feeMoney?: MoneyState;
    legs?: readonly {
      order?: number;
      payeeId?: number;
      payeeName?: string;
      splitRole?: SplitRole;
      payerAmount?: string;
      payerCurrency?: CurrencyCode;
      payeeAmount?: string;
      payeeCurrency?: CurrencyCode;
      fxRate?: string;
      fee?: string;
      feeCurrency?: CurrencyCode;
      reference?: string;
      status?: LegStatus;
      money?: MoneyState;
      returnedAt?: string;
      feeMoney?: MoneyState;
      connectorPaymentId?: number;
      reason?: string;
      waitingUntil?: string;
      acceptedAt?: string;
      receivedAt?: string;
      endedAt?: string;
      endedBy?: "rail" | "operator";
    }[];
    cause?: string;
  }[];
  executionPlan?: {
    compiledAt?: string;
    connector?: {
      provider?: string;
      action?: string;
      version?: string;
    };
    quoteId?: string;
    selectedQuoteVariantId?: number;
    settlementMethod?: string;
    settlementChannel?: string;
    currency?: CurrencyCode;
    totalAmount?: string;
    fee?: string;
    legs?: readonly {
      order?: number;
      payeeId?: number;
      payeeName?: string;
      payerAmount?: string;
      payerCurrency?: CurrencyCode;
      payeeAmount?: string;
      payeeCurrency?: CurrencyCode;
      reference?: string;
    }[];
  };
  connectorPayment?: {
    transactionBankDetails?: {
      beneficiaryName?: string;
      accountNumber?: string;
      bankName?: string;
      bsb?: string;
      aba?: string;
      iban?: string;
      swift?: string;
    };
    reference?: string;
    dueDate?: string;
    amount?: string;
    announced?: string;
    received?: string;
    surplus?: string;
    currency?: CurrencyCode;
    payouts?: readonly {
      payeeName?: string;
      payerAmount?: string;
      payerCurrency?: CurrencyCode;
      payeeAmount?: string;
      payeeCurrency?: CurrencyCode;
      reference?: string;
    }[];
  };
  lastConnectorPaymentId?: number;
  lastPaymentLinkUrl?: string;
  lastExecutionConnector?: string;
  bulkProgress?: {
    total?: number;
    completed?: number;
    failed?: number;
    cancelled?: number;
  };
  _id?: string;
};
