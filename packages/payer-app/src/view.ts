import type { Language } from "./languages.ts";
import type { PaymentState, PublicLink } from "./wire.ts";

/** All that one page shows before its script runs; the script goes on from the same. */
export type PageView = Readonly<{
  language: Language;
  /** The link's token; what the address ends in after `plink_`. */
  token: string;
  /** Absent where there is no such link. */
  link?: PublicLink;
  /** From the address: the payment whose status is asked for. */
  paymentId?: string;
  /** How that payment stood when the page was made; absent where the link has no such payment. */
  payment?: Omit<PaymentState, "status">;
  /** Countries that can be paid from, by code and name, in the order of the language. */
  countries: readonly (readonly [code: string, name: string])[];
  /** ISO 4217: the currencies whose digits after the point are not two. */
  minorUnits: Readonly<Record<string, number>>;
  /** Names of payment methods that no language translates. */
  methodNames: Readonly<Record<string, string>>;
}>;
