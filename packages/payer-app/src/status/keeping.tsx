import { useState } from "preact/hooks";
import type { Api, Reply } from "../api/api.ts";
import type { KnownPayment, PayerPayment } from "../api/wire.ts";
import { explain } from "../flow/explanation.ts";
import type { Visit } from "../flow/place.ts";
import { useI18n } from "../i18n.ts";
import { Alert } from "../parts.tsx";
import { useCopying } from "./copying.ts";
import { addressOf } from "./payment-facts.tsx";

type Props = Readonly<{
  api: Api;
  payment: KnownPayment;
  secret: string;
  visit: Visit;
  tell: (payment: PayerPayment) => void;
  askAgain: () => void;
}>;

/** How long the link is kept for the payer, how to come back to the payment, and how to get out of it. */
export function Keeping({ api, payment, secret, visit, tell, askAgain }: Props) {
  const i18n = useI18n();
  const { t, moment, day } = i18n;
  const { said, copy } = useCopying();
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string>();
  const { held, nextAction: next } = payment;
  const dueDate = next?.type === "bank_transfer" ? next.dueDate : undefined;
  const isPromised = held !== undefined && dueDate !== undefined && held.until.slice(0, 10) >= dueDate;
  const date = dueDate === undefined ? "" : day(dueDate);
  const ask = async (question: Promise<Reply<PayerPayment>>) => {
    setBusy(true);
    setRefused(undefined);
    const reply = await question;
    setBusy(false);
    if (reply.ok) return tell(reply.value);
    // A payment that was paid meanwhile shows so by itself.
    if (reply.problem.kind !== "quote_gone") setRefused(explain(reply.problem, i18n, Date.now()).text);
    askAgain();
  };
  const what = t("ownAddress");
  return (
    <section class="card centered screen">
      {refused && <Alert>{refused}</Alert>}
      {held && next && (
        <p class="note" role="status">
          {isPromised ? t("keptPromised", { date }) : t("keptUntil", { time: moment(new Date(held.until)) })}{" "}
          {!isPromised && t(dueDate ? "keptIfPromised" : "keptWhileOpen", { date })}
        </p>
      )}
      {held && dueDate && !isPromised && (
        <button
          type="button"
          aria-disabled={busy}
          onClick={() => !busy && ask(api.hold(secret, { willTransfer: true }))}
        >
          {t("willTransfer")}
        </button>
      )}
      <h2>{t("comeBackTitle")}</h2>
      <p>{t("comeBackText")}</p>
      <p class="notice" role="status">
        {said}
      </p>
      <div class="actions">
        <a class="button quiet" href={visit.startUrl} onClick={visit.erase}>
          {t("forgetPayment")}
        </a>
        <button type="button" class="quiet" onClick={() => copy(what, addressOf(secret))}>
          {t("copyWhat", { what })}
        </button>
      </div>
      {next && (
        <details>
          <summary>{t("changeMind")}</summary>
          <p>{t("changeMindText")}</p>
          <button type="button" class="quiet" aria-disabled={busy} onClick={() => !busy && ask(api.release(secret))}>
            {t("callOff")}
          </button>
        </details>
      )}
    </section>
  );
}
