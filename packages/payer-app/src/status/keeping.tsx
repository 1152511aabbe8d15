import type { KnownPayment } from "../api/wire.ts";
import type { Visit } from "../flow/place.ts";
import { useI18n } from "../i18n.ts";
import { Alert } from "../parts.tsx";
import { useCopying } from "./copying.ts";
import type { Holding } from "./holding.ts";
import { addressOf } from "./payment-facts.tsx";

type Props = Readonly<{ payment: KnownPayment; secret: string; visit: Visit; holding: Holding }>;

/** How long a checkout keeps the link for its payer, how to come back to a payment, and how to get out of it. */
export function Keeping({ payment: { held, nextAction }, secret, visit, holding }: Props) {
  const { t, moment } = useI18n();
  const { said, copy } = useCopying();
  const what = t("ownAddress");
  const refusal = holding.refusalOf("callOff");
  return (
    <section class="card centered screen">
      {refusal && <Alert>{refusal}</Alert>}
      {held && nextAction?.type === "redirect" && (
        <p class="note" role="status">
          {t("keptUntil", { time: moment(new Date(held.until)) })} {t("keptWhileOpen")}
        </p>
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
      {nextAction && (
        <details>
          <summary>{t("changeMind")}</summary>
          <p>{t("changeMindText")}</p>
          <button type="button" class="quiet" aria-disabled={holding.busy} onClick={holding.callOff}>
            {t("callOff")}
          </button>
        </details>
      )}
    </section>
  );
}
