import { findRail, pickRail, type RailAddress, type RailDescription } from "../rails/description.ts";
import type { PaymentIntent } from "./payment-intent.ts";

type Described = Readonly<{ rail: RailDescription }>;

/**
 * The rail among `rails` that a claim or an execution went to; undefined when it is no longer configured. Claims and
 * executions from earlier versions, without an address, belong to the rail that their intent names, else to the rail
 * that serves all corridors. A rail that an intent names is never replaced by a guess: another one, or the same at
 * another address, might pay again.
 */
export function railOf<Rail extends Described>(
  { submission, rail, executions }: PaymentIntent,
  rails: readonly Rail[],
): Rail | undefined {
  const address = submission?.rail ?? rail;
  if (address !== undefined) return findRail(rails, address);
  const name = executions.at(-1)?.connector;
  return name === undefined ? pickRail(rails, undefined) : rails.findLast((each) => each.rail.name === name);
}

/** The rail of an intent as far as it can be named, configured or not. */
export function railNamedBy(intent: PaymentIntent, rails: readonly Described[]): RailAddress {
  const { name, address } = railOf(intent, rails)?.rail ??
    intent.submission?.rail ??
    intent.rail ?? { name: intent.executions.at(-1)?.connector ?? "", address: "" };
  return { name, address };
}
