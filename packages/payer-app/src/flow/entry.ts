import type { PublicLink } from "../api/wire.ts";
import type { MessageKey } from "../messages/en.ts";
import type { AmountForm } from "../view.ts";
import { readAmount } from "./amount.ts";

/** The payer's entry: `amount` is a decimal string in the link's currency, where the link leaves the amount open. */
export type Entry = Readonly<{ amount?: string; country: string }>;
export type EntryErrors = Readonly<Partial<Record<"amount" | "country", MessageKey>>>;

export const isSameEntry = (one: Entry | undefined, other: Entry | undefined): boolean =>
  one !== undefined && one.amount === other?.amount && one.country === other?.country;

/** A text of the form, and the amount that the payer means by it. */
export type Meant = Readonly<{ text: string; amount: string }>;

type ReadEntry = Readonly<{
  entry: Entry;
  errors: EntryErrors;
  /** The amounts of which the payer must choose one. */
  choices: readonly string[];
}>;

/** The values in the form of the first step, and what is wrong with them or unclear. */
export function readEntry(
  { amountType, payFromCountryLocked, payFromCountryCode = "" }: PublicLink,
  data: FormData,
  meant: Meant | undefined,
  form: AmountForm,
): ReadEntry {
  const country = payFromCountryLocked ? payFromCountryCode : String(data.get("country") ?? "");
  const text = String(data.get("amount") ?? "");
  const reading = text === meant?.text ? meant : readAmount(text, form);
  const choices = "choices" in reading ? reading.choices : [];
  const wrong = "wrong" in reading ? reading.wrong : "amountAsk";
  const isOpen = amountType === "open";
  return {
    entry: { country, ...(isOpen && "amount" in reading && { amount: reading.amount }) },
    errors: {
      ...(isOpen && !("amount" in reading) && { amount: wrong }),
      ...(country === "" && { country: "countryMissing" as const }),
    },
    choices: isOpen ? choices : [],
  };
}
