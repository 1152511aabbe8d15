// Written from docs/openapi.json by `pnpm openapi`, and never by hand.

import type { CommissionRequestStatus, CurrencyCode } from "./words.ts";

/** What a `projection` leaves of an item, or a `population` makes of it. A field means what it means in the item */
export type CommissionSelection = {
  id?: string;
  paymentId?: number;
  studentName?: string;
  commissionAmount?: string;
  commissionCurrency?: CurrencyCode;
  correction?: number;
  payeeName?: string;
  payerAmount?: string;
  payerCurrency?: CurrencyCode;
  commissionSpread?: number;
  paymentDate?: string;
  commissionRequestDate?: string;
  commissionPaidDate?: string;
  underReview?: {
    since?: string;
  };
  _id?: string;
};

/** What a `projection` leaves of an item, or a `population` makes of it. A field means what it means in the item */
export type CommissionRequestSelection = {
  requestId?: string;
  status?: CommissionRequestStatus;
  totalAmount?: string;
  currency?: CurrencyCode;
  paymentCount?: number;
  createdOn?: string;
  decidedOn?: string;
  reason?: string;
  hasInvoice?: boolean;
  invoicedOn?: string;
  hasProof?: boolean;
  payments?: readonly {
    paymentId?: number;
    studentName?: string;
    commissionAmount?: string;
    commissionCurrency?: CurrencyCode;
  }[];
  id?: string;
  _id?: string;
};
