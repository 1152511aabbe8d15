import type { Api } from "../api/api.ts";
import type { Problem } from "../api/problem.ts";
import type { PayerPayment, SessionBody } from "../api/wire.ts";

export type Started = Pick<PayerPayment, "paymentIntentId" | "nextAction">;
type Outcome = Readonly<
  { started: Started; problem?: never; isUnsure?: never } | { started?: never; problem: Problem; isUnsure: boolean }
>;

/**
 * Starts a payment, or tells why there is none. Without a clear answer the payment may have begun, and it may itself be
 * the one that holds the link: then the secret leads to it. While `isUnsure`, only the very same request may be sent
 * again; `wasUnsure`: an earlier one had no clear answer.
 */
export async function startPayment(api: Api, secret: string, wasUnsure: boolean, body: SessionBody): Promise<Outcome> {
  const reply = await api.startSession(secret, body);
  if (reply.ok) return { started: reply.value };
  const { problem } = reply;
  // A request that seems never sent may have arrived, and a fault may have happened after the payment was made.
  const isUnheard = ["offline", "fault", "unsure"].includes(problem.kind);
  if (isUnheard || problem.kind === "held") {
    const begun = await api.resume(secret);
    if (begun.ok && begun.value.nextAction) return { started: begun.value };
  }
  // One that was turned away at the door says nothing of the one before it.
  const isUnsure = isUnheard || (wasUnsure && ["paused", "tooMany"].includes(problem.kind));
  return { problem: isUnheard ? { ...problem, kind: "unsure" } : problem, isUnsure };
}
