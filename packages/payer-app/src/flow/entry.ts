import type { PublicLink } from "../api/wire.ts";
import type { I18n } from "../i18n.ts";
import type { MessageKey } from "../messages/en.ts";
import { parseAmount } from "./amount.ts";

/** The payer's entry: `amount` is a decimal string in the link's currency, where the link leaves the amount open. */
export type Entry = Readonly<{ amount?: string; country: string }>;
export type EntryErrors = Readonly<Partial<Record<"amount" | "country", MessageKey>>>;

export const isSameEntry = (one: Entry | undefined, other: Entry | undefined): boolean =>
  one !== undefined && one.amount === other?.amount && one.country === other?.country;

/** The values in the form of the first step, and what is wrong with them. */
export function readEntry(
  { amountType, currency, payFromCountryLocked, payFromCountryCode = "" }: PublicLink,
  data: FormData,
  { decimalsOf, point }: I18n,
): Readonly<{ entry: Entry; errors: EntryErrors }> {
  const country = payFromCountryLocked ? payFromCountryCode : String(data.get("country") ?? "");
  const amount =
    amountType === "open" ? parseAmount(String(data.get("amount") ?? ""), decimalsOf(currency), point) : undefined;
  return {
    entry: { country, ...(amount !== undefined && { amount }) },
    errors: {
      ...(amountType === "open" && amount === undefined && { amount: "amountWrong" as const }),
      ...(country === "" && { country: "countryMissing" as const }),
    },
  };
}
