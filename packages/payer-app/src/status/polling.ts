import { useRef, useState } from "preact/hooks";
import type { Api } from "../api/api.ts";
import type { KnownPayment } from "../api/wire.ts";
import { sayUnheard } from "../flow/explanation.ts";
import type { PlaceOf } from "../flow/place.ts";
import { useI18n } from "../i18n.ts";
import { useAsking } from "./asking.ts";
import { pollDelayMs, shownOf } from "./payment-status.ts";

/** Signs of life are this rare, while the service keeps the link of a checkout for 10 minutes after each. */
const SIGN_MS = 180_000;

/** `unheard`: why the status could not be asked for the last time. */
type Polled = Readonly<{ payment?: KnownPayment; checkedAt?: Date; unheard?: string | undefined; unknown?: boolean }>;

/** Polls a payment until its end. While its checkout keeps a link from others, a poll is now and then a sign of life. */
export function usePolling(api: Api, { secret, paymentId = "", unsureUntilMs = 0 }: PlaceOf<"payment">, first: Polled) {
  const i18n = useI18n();
  const [polled, setPolled] = useState(first);
  const latest = useRef(first.payment);
  const signedMs = useRef(Number.NEGATIVE_INFINITY);
  const show = (payment: KnownPayment) => {
    latest.current = payment;
    setPolled({ payment, checkedAt: new Date() });
  };
  const ask = () => {
    if (secret === undefined) return api.payment(paymentId);
    const isRunning = latest.current?.held && latest.current.nextAction?.type === "redirect";
    if (!isRunning || performance.now() - signedMs.current < SIGN_MS) return api.resume(secret);
    signedMs.current = performance.now();
    return api.hold(secret, {});
  };
  const askAgain = useAsking(secret ?? paymentId, async (asked) => {
    const reply = await ask();
    const isUnknown = !reply.ok && ["not_found", "missing"].includes(reply.problem.kind);
    const isLost = isUnknown && Date.now() > unsureUntilMs;
    const unheard = reply.ok ? undefined : sayUnheard(reply.problem, i18n, Date.now());
    if (reply.ok) show(reply.value);
    else if (isLost) setPolled({ unknown: true });
    else if (!isUnknown) setPolled((before) => ({ ...before, unheard }));
    const isOver = reply.ok ? shownOf(reply.value).final : isLost;
    return isOver ? undefined : pollDelayMs(asked, Math.random());
  });
  return { ...polled, tell: show, askAgain };
}
