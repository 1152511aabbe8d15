import type { PaymentIntent } from "./payment-intent.ts";
import { isTerminal } from "./statuses.ts";

// SPEC, "Events": how a payment is followed.
const POLL_S = 30;
const SLOW_POLL_S = 60;
const SLOW_AFTER_MS = 5 * 60_000;

/** The part of an intent that tells when to ask again. */
export type Followed = Readonly<{
  status: PaymentIntent["status"];
  statusHistory: readonly Pick<PaymentIntent["statusHistory"][number], "at">[];
}>;

/** In how many seconds to ask again how an intent stands, at `nowMs`; undefined once its status is final. */
export function askAgainAfter({ status, statusHistory }: Followed, nowMs: number): number | undefined {
  if (isTerminal(status)) return undefined;
  const sinceMs = Date.parse(statusHistory.at(-1)?.at ?? "");
  return status === "executing" && nowMs - sinceMs >= SLOW_AFTER_MS ? SLOW_POLL_S : POLL_S;
}
