// Written from docs/openapi.json by `pnpm openapi`, and never by hand.

import type { CurrencyCode } from "./words.ts";

/** The account that the payer deposits to; the currency decides which of the codes there are */
export type TransactionBankDetails = {
  /** The account's holder */ beneficiaryName: string;
  /** The account's number */ accountNumber: string;
  /** The bank */ bankName: string;
  /** The branch, in Australia */ bsb?: string;
  /** The routing number, in the United States */ aba?: string;
  /** The IBAN, where there is one */ iban?: string;
  /** The bank's SWIFT code, for transfers from abroad */ swift?: string;
};

/** A recipient's share of a deposit */
export type Payout = {
  /** Who is paid */ payeeName: string;
  /** What of the deposit it takes, in `payerCurrency`: a decimal string in major units */ payerAmount: string;
  payerCurrency?: CurrencyCode;
  /** What the payee receives, in `payeeCurrency`: a decimal string in major units */ payeeAmount: string;
  payeeCurrency?: CurrencyCode;
  /** What the payee's bank shows */ reference: string;
};

/** The deposit of a payer who pays by bank transfer */
export type ConnectorPayment = {
  transactionBankDetails: TransactionBankDetails;
  /** What the payer must quote, so that the deposit is found */ reference: string;
  /** The day by which the deposit must arrive */ dueDate: string;
  /**
   * What to deposit, in `currency`: the payouts and the fee; of a batch, what its recipients need now: a decimal string
   * in major units
   */
  amount: string;
  /**
   * Of a batch: the deposit as it was first announced, whatever its recipients need now: a decimal string in major
   * units
   */
  announced?: string;
  /** Of a batch: all that came in, where the rail tells it: a decimal string in major units */ received?: string;
  /**
   * Of a batch: what came in and is needed no more, which is owed back to the tenant: a decimal string in major units
   */
  surplus?: string;
  currency: CurrencyCode;
  /** What the deposit is for */ payouts: readonly Payout[];
};
