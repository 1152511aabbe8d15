import { useEffect, useState } from "preact/hooks";
import type { Api } from "../api/api.ts";
import type { Problem } from "../api/problem.ts";
import type { PaymentState, PublicLink } from "../api/wire.ts";
import type { Remembered } from "../flow/memory.ts";
import { amountFacts, amountsOf } from "../flow/payment-amounts.ts";
import { useI18n } from "../i18n.ts";
import { Alert, Facts, Heading, Sign } from "../parts.tsx";
import { BankTransfer } from "./bank-transfer.tsx";
import { checkoutAddress } from "./checkout-address.ts";
import { pollDelayMs, shownOf } from "./payment-status.ts";

type Props = Readonly<{
  link: PublicLink;
  api: Api;
  paymentId: string;
  /** This window's memory of the payment: undefined until it was looked up, `forgotten` where there is none. */
  session: Remembered | "forgotten" | undefined;
  /** The payment's status when the page was rendered; undefined for a payment that was started since. */
  first: PaymentState | "unknown" | undefined;
  /** The address at which a new payment begins. */
  startUrl: string;
}>;

/** One payment from the moment it was started. It polls the status until the payment has ended. */
export function StatusView({ link, api, paymentId, session, first, startUrl }: Props) {
  const i18n = useI18n();
  const { t, moment, list } = i18n;
  const { state, checkedAt, offline, unknown } = usePolling(api, paymentId, first);
  if (unknown)
    return (
      <section class="card centered">
        <Sign kind="closed" />
        <Heading focus={false}>{t("unknownPaymentTitle")}</Heading>
        <p>{t("unknownPaymentText")}</p>
        <a class="button" href={startUrl}>
          {t("startAgain")}
        </a>
      </section>
    );

  const known = session === "forgotten" ? undefined : session;
  const next = known?.nextAction;
  const byTransfer = (next?.type ?? state?.paymentMethod) === "bank_transfer";
  const { sign, title, text, final, again } = shownOf(state?.paymentStatus, byTransfer);
  const transfer = !final && next?.type === "bank_transfer" ? next : undefined;
  const started = first === undefined;
  const recipient = list(link.recipients.map(({ name }) => name));
  const { gets, feesAndCharges, total } = amountFacts(i18n, amountsOf(link, { terms: known?.payment }));
  // The agreed amounts are not shown for a payment that failed or was paid only in part, because they were not paid.
  const agreed = sign === "bad" ? [] : [...gets, feesAndCharges, [t(final ? "paid" : "total"), total[1]] as const];
  return (
    <>
      {transfer && <BankTransfer action={transfer} focus={started} />}
      <section class="card centered">
        <Sign kind={sign} />
        {transfer ? <h2>{t(title)}</h2> : <Heading focus={started}>{t(title)}</Heading>}
        <div role="status">
          <p>
            <span class="hidden">{t(title)}. </span>
            {t(text, { recipient })}
          </p>
        </div>
        {!final && next?.type === "redirect" && isWebAddress(next.url) && (
          <>
            <p>{t("toCheckoutText")}</p>
            <a class="button" href={checkoutAddress(next.url, i18n.language)} rel="noreferrer">
              {t("toCheckout")}
            </a>
          </>
        )}
        {!final && byTransfer && session === "forgotten" && <p class="alert">{t("bankLost", { recipient })}</p>}
        {again && state?.status !== "closed" && (
          <a class="button" href={startUrl}>
            {t("startAgain")}
          </a>
        )}
        {!final && <p class="hint">{t("keepPage")}</p>}
        {offline && <Alert>{t("statusOffline")}</Alert>}
        <Facts facts={[[t("payTo"), recipient], ...agreed, [t("paymentNumber"), <bdi key="id">{paymentId}</bdi>]]} />
        {checkedAt && <p class="hint">{t("lastChecked", { time: moment(checkedAt) })}</p>}
      </section>
    </>
  );
}

/** Whether a URL from the rail may become a link: only web pages may. */
export const isWebAddress = (url: string): boolean => /^https?:\/\//i.test(url);

const isUnknown = ({ kind }: Problem): boolean => kind === "not_found" || kind === "missing";

type Polled = Readonly<{ state?: PaymentState; checkedAt?: Date; offline: boolean; unknown: boolean }>;

/** Polls a payment's status: less and less often, at once when the page becomes visible again, never after its end. */
function usePolling(api: Api, paymentId: string, first: Props["first"]): Polled {
  const [polled, setPolled] = useState<Polled>({
    offline: false,
    unknown: first === "unknown",
    ...(typeof first === "object" && { state: first }),
  });
  useEffect(() => {
    let asked = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let ended = false;
    const ask = async () => {
      clearTimeout(timer);
      if (ended || document.hidden) return;
      const reply = await api.payment(paymentId);
      if (ended) return;
      if (reply.ok) setPolled({ state: reply.value, checkedAt: new Date(), offline: false, unknown: false });
      else if (isUnknown(reply.problem)) setPolled({ offline: false, unknown: true });
      else setPolled((before) => ({ ...before, offline: true }));
      ended = reply.ok ? shownOf(reply.value.paymentStatus, false).final : isUnknown(reply.problem);
      if (!ended) timer = setTimeout(ask, pollDelayMs(asked++, Math.random()));
    };
    const lookedAt = () => {
      asked = 0;
      void ask();
    };
    document.addEventListener("visibilitychange", lookedAt);
    void ask();
    return () => {
      ended = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", lookedAt);
    };
  }, [paymentId]);
  return polled;
}
