import { findRail, type RailAddress, type RailDescription } from "../rails/description.ts";
import type { PaymentIntent } from "./payment-intent.ts";

type Described = Readonly<{ rail: RailDescription }>;

/**
 * The rail among `rails` that a claim or an execution went to; undefined when it is no longer configured. It is never
 * replaced by a guess: another rail, or the same at another address, might pay again.
 */
export function railOf<Rail extends Described>(
  { submission, rail }: PaymentIntent,
  rails: readonly Rail[],
): Rail | undefined {
  const address = submission?.rail ?? rail;
  return address && findRail(rails, address);
}

/** The rail of an intent as far as it can be named, configured or not. */
export function railNamedBy(intent: PaymentIntent, rails: readonly Described[]): RailAddress {
  const { name, address } = railOf(intent, rails)?.rail ??
    intent.submission?.rail ??
    intent.rail ?? { name: "", address: "" };
  return { name, address };
}
