// Written from docs/openapi.json by `pnpm openapi`, and never by hand.

import type { Connector } from "./payment-intents-parts.ts";
import type { CurrencyCode, SplitRole } from "./words.ts";

/** All amounts of one currency, added up */
export type PreviewSum = {
  currency: CurrencyCode;
  /** How much, in `currency`: a decimal string in major units */ amount: string;
};

/** What the tenant earns once all legs have arrived */
export type PreviewCommission = {
  currency: CurrencyCode;
  /** How much, in `currency`: a decimal string in major units */ amount: string;
  /** The part of the principal that it is, 0.01 for 1 %: a decimal string */ spread: string;
};

/** One recipient's part of what would be paid */
export type PreviewLeg = {
  /** The recipient's place */ order: number;
  /** Who is paid */ payeeId: number;
  /** The payee's name, unless it is another tenant's */ payeeName?: string;
  splitRole: SplitRole;
  /** What the payer gives for it, in `payerCurrency`; not of a link: a decimal string in major units */
  payerAmount?: string;
  payerCurrency?: CurrencyCode;
  /** What the payee gets, in `payeeCurrency`; not of a link's open amount: a decimal string in major units */
  payeeAmount?: string;
  payeeCurrency: CurrencyCode;
  /** Its share of what a link's payer enters, in basis points */ portionBps?: number;
  /** `payeeCurrency` per 1 `payerCurrency`, with the `spread` in it: a decimal string */ fxRate?: string;
  /** The part by which `fxRate` is below the market's rate, 0.01 for 1 %: a decimal string */ spread?: string;
  /** The rail's fee for it, in `payerCurrency`, in a batch: a decimal string in major units */ fee?: string;
  /** What the payee's bank shows */ reference?: string;
};

/** What a submit would pay now, to the minor unit */
export type Preview = {
  /** Of everything else here: a submit with it as its `Preview-Hash` pays exactly this, or nothing */ hash: string;
  connector: Connector;
  /** The quote that it goes by, where there is one */ quoteId?: string;
  /** The way to pay */ selectedQuoteVariantId?: number;
  /** When the quote expires: a submit after that is refused, ISO 8601 in UTC */ validUntil?: string;
  /** The payment method */ settlementMethod?: string;
  /** How the payer hands the money over */ settlementChannel?: string;
  /** What the payer gives in all, fees included; nothing yet for a link */ debited: readonly PreviewSum[];
  /** The fees, which are a part of what is debited; nothing yet for a link */ charged: readonly PreviewSum[];
  /** What the payees get; nothing yet for a link's open amount */ delivered: readonly PreviewSum[];
  commission?: PreviewCommission;
  /** The recipients, in order */ legs: readonly PreviewLeg[];
};
