// Written from docs/openapi.json by `pnpm openapi`, and never by hand.

import type { CommissionRequestStatus, CurrencyCode } from "./words.ts";

/**
 * There while the payment is under review. The commission is not outstanding then, and a request that holds it is not
 * paid
 */
export type CommissionUnderReview = {
  /** Since when an operator is to look into it, ISO 8601 in UTC */ since: string;
};

/** A commission in a list */
export type CommissionItem = {
  /** Sorts by the payment's date */ id: string;
  /** The payment: the `connectorPaymentIds` of an execution */ paymentId: number;
  /** Who was paid for */ studentName: string;
  /** What the tenant earned, below zero where money came back: a decimal string in major units */
  commissionAmount: string;
  commissionCurrency: CurrencyCode;
  /** The `number` of the payment's correction that made it; absent from what a payment earns as it ends */
  correction?: number;
  /** Who was paid */ payeeName: string;
  /**
   * What was paid, without fees, and below zero what came back: the commission is a part of it: a decimal string in
   * major units
   */
  payerAmount: string;
  payerCurrency: CurrencyCode;
  /** The part of `payerAmount` that is earned: 0.01 is 1 % */ commissionSpread: number;
  /** When the payment completed, or was corrected, ISO 8601 in UTC */ paymentDate: string;
  /** When the request that holds it was made, ISO 8601 in UTC */ commissionRequestDate?: string;
  /** When it was paid out, ISO 8601 in UTC */ commissionPaidDate?: string;
  underReview?: CommissionUnderReview;
  /** The same as `id` */ _id: string;
};

/** A commission that no request holds */
export type OutstandingCommission = {
  /** Names the payment in a request, which takes all outstanding commissions of it */ paymentId: number;
  /** What the tenant earned, below zero where money came back: a decimal string in major units */
  commissionAmount: string;
  commissionCurrency: CurrencyCode;
  /** When the payment completed, or was corrected, ISO 8601 in UTC */ paymentDate: string;
};

/** The outstanding commissions of one currency */
export type CommissionTotal = {
  currency: CurrencyCode;
  /** The sum, below zero where more came back: a decimal string in major units */ amount: string;
};

/** What can be requested */
export type OutstandingCommissions = {
  /** The oldest first */ items: readonly OutstandingCommission[];
  /** Of all outstanding commissions, listed or not */ totals: readonly CommissionTotal[];
  /** The total of one currency reaches the minimum payout */ thresholdMet: boolean;
  /** There are more than one answer can list: request some of them first */ hasMore: boolean;
};

/** A commission as a part of a request */
export type RequestedCommission = {
  /** The payment: the `connectorPaymentIds` of an execution */ paymentId: number;
  /** Who was paid for */ studentName: string;
  /** What the tenant earned, below zero where money came back: a decimal string in major units */
  commissionAmount: string;
  commissionCurrency: CurrencyCode;
};

/** A tenant's request to be paid what it has earned */
export type CommissionRequest = {
  /** Names the request */ requestId: string;
  status: CommissionRequestStatus;
  /** The exact sum of its commissions: a decimal string in major units */ totalAmount: string;
  currency: CurrencyCode;
  /** The number of its commissions */ paymentCount: number;
  /** When it was made, ISO 8601 in UTC */ createdOn: string;
  /** When it was paid or rejected, ISO 8601 in UTC */ decidedOn?: string;
  /** Why it was rejected */ reason?: string;
  /** Whether there is an invoice to read */ hasInvoice: boolean;
  /** When the invoice was added or replaced, ISO 8601 in UTC */ invoicedOn?: string;
  /** Whether there is a proof of payment to read */ hasProof: boolean;
  /** Its commissions, in the order of their payment ids, several of a corrected payment; in lists the first 90 only */
  payments: readonly RequestedCommission[];
};

/** A request for commissions in a list */
export type CommissionRequestItem = {
  /** Names the request */ requestId: string;
  status: CommissionRequestStatus;
  /** The exact sum of its commissions: a decimal string in major units */ totalAmount: string;
  currency: CurrencyCode;
  /** The number of its commissions */ paymentCount: number;
  /** When it was made, ISO 8601 in UTC */ createdOn: string;
  /** When it was paid or rejected, ISO 8601 in UTC */ decidedOn?: string;
  /** Why it was rejected */ reason?: string;
  /** Whether there is an invoice to read */ hasInvoice: boolean;
  /** When the invoice was added or replaced, ISO 8601 in UTC */ invoicedOn?: string;
  /** Whether there is a proof of payment to read */ hasProof: boolean;
  /** Its commissions, in the order of their payment ids, several of a corrected payment; in lists the first 90 only */
  payments: readonly RequestedCommission[];
  /** The same as `requestId` */ id: string;
  /** The same as `requestId` */ _id: string;
};
