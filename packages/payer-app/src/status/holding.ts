import { useState } from "preact/hooks";
import type { Api, Reply } from "../api/api.ts";
import type { PayerPayment } from "../api/wire.ts";
import { explain } from "../flow/explanation.ts";
import { useI18n } from "../i18n.ts";

/** The things that a payer can do about a payment that has begun, one at a time. */
export type Holding = ReturnType<typeof useHolding>;

type Wish = "promise" | "callOff";

type HoldingProps = Readonly<{ api: Api; secret: string; tell: (payment: PayerPayment) => void; askAgain: () => void }>;

export function useHolding({ api, secret, tell, askAgain }: HoldingProps) {
  const i18n = useI18n();
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<Readonly<{ what: Wish; text: string | undefined }>>();
  const ask = async (what: Wish, question: () => Promise<Reply<PayerPayment>>) => {
    if (busy) return;
    setBusy(true);
    setRefused(undefined);
    const reply = await question();
    setBusy(false);
    if (reply.ok) return tell(reply.value);
    // A payment that was paid meanwhile shows so by itself.
    const isPaid = ["quote_gone", "received"].includes(reply.problem.kind);
    if (!isPaid) setRefused({ what, text: explain(reply.problem, i18n, Date.now()).text });
    askAgain();
  };
  return {
    busy,
    /** The reason why the last wish was refused, if it was this one. */
    refusalOf: (wish: Wish): string | undefined => (refused?.what === wish ? refused.text : undefined),
    /** Promises the transfer. */
    promise: () => ask("promise", () => api.hold(secret, { willTransfer: true })),
    callOff: () => ask("callOff", () => api.release(secret)),
  };
}
