import type { PaymentState, PublicLink } from "./api/wire.ts";
import type { Speech } from "./messages/languages.ts";

/** The facts of packages/domain/src/parties/imprint.ts, as far as they are set; `ask` is whom payers ask. */
export type Imprint = Readonly<
  Partial<
    Record<"legalName" | "licence" | "supportContact" | "privacyUrl" | "termsUrl" | "complaintsUrl" | "ask", string>
  >
>;

/**
 * The written form of amounts in a currency: at most so many decimals after `point`, and `group` between thousands.
 * `signs`: its own and its short one in the locale, such as "A$" and "$".
 */
export type AmountForm = Readonly<{
  currency: string;
  signs: readonly string[];
  decimals: number;
  point: string;
  group: string;
}>;

/** The data of one page: the server renders it from them, and the script in the browser continues from the same. */
export type PageView = Speech &
  Readonly<{
    /** The link's token: the end of its address, after `plink_`. */
    token: string;
    /** Absent where no link has this token. */
    link?: PublicLink;
    /** The payment in the page's address, whose status is shown. */
    paymentId?: string;
    /** The payment's status at the rendering; absent where the link has no such payment. */
    payment?: Omit<PaymentState, "status">;
    /** The company that takes the money, with its contacts. */
    imprint: Imprint;
    /** Countries that can be paid from, by code and name, in the order of the language. */
    countries: readonly (readonly [code: string, name: string])[];
    /** The currencies that do not have two decimals by ISO 4217. */
    minorUnits: Readonly<Record<string, number>>;
    /** How amounts of the link's currency are written in the language. */
    amountForm: AmountForm;
    /** Names of payment methods that no language translates. */
    methodNames: Readonly<Record<string, string>>;
  }>;

/** The name of a country in the language of the page. */
export const countryName = ({ countries }: PageView, country: string | undefined): string | undefined =>
  countries.find(([code]) => code === country)?.[1] ?? country;
