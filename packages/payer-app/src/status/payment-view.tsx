import { useEffect } from "preact/hooks";
import type { Api } from "../api/api.ts";
import type { PublicLink } from "../api/wire.ts";
import { checkoutAddress } from "../flow/checkout-address.ts";
import type { PlaceOf, Visit } from "../flow/place.ts";
import { useI18n } from "../i18n.ts";
import { Alert, Facts, Heading, Notice, Sign } from "../parts.tsx";
import type { PageView } from "../view.ts";
import { BankTransfer } from "./bank-transfer.tsx";
import { Keeping } from "./keeping.tsx";
import { paymentFacts } from "./payment-facts.tsx";
import { shownOf } from "./payment-status.ts";
import { usePolling } from "./polling.ts";

type Props = Readonly<{ view: PageView; link: PublicLink; api: Api; visit: Visit; place: PlaceOf<"payment"> }>;

/**
 * A payment from the moment it was started to its receipt. Who has its secret sees what was agreed and how to go on;
 * who knows no more than its number sees how it stands.
 */
export function PaymentView({ view, link, api, visit, place }: Props) {
  const i18n = useI18n();
  const { t, moment, list } = i18n;
  const { secret } = place;
  const { payment, checkedAt, offline, unknown, ...polling } = usePolling(api, place, firstOf(view, secret));
  const { nextAction: next, paymentIntentId = "" } = payment ?? {};
  const { sign, title, text, final, again } = shownOf(payment?.status, payment?.paymentMethod === "bank_transfer");
  const isPaid = final && sign === "good";
  useEffect(() => {
    if (unknown && secret !== undefined) visit.lose();
  }, [unknown]);
  useEffect(() => {
    if (secret !== undefined && paymentIntentId !== "") visit.name(secret, paymentIntentId);
    // Browsers name a saved page by its title.
    if (isPaid) document.title = `${t("receipt")} ${paymentIntentId}`;
  }, [paymentIntentId, isPaid]);
  const alert = offline && <Alert>{t("statusOffline")}</Alert>;
  const restart = (
    <a class={isPaid ? "button quiet" : "button"} href={visit.startUrl} onClick={visit.erase}>
      {t(isPaid ? "payAgain" : "startAgain")}
    </a>
  );
  if (unknown)
    return (
      <Notice sign="closed" title={t("unknownPaymentTitle")}>
        <p>{t("unknownPaymentText")}</p>
        {restart}
      </Notice>
    );
  if (payment === undefined)
    return (
      <Notice sign="waiting" title={t("findingPayment")}>
        {alert}
      </Notice>
    );

  const recipient = list(link.recipients.map(({ name }) => name));
  const checkout = checkoutAddress(next, i18n.language);
  const transfer = next?.type === "bank_transfer" ? next : undefined;
  // Of a transfer, the time that it must be promised in is told beside the account.
  const keeping = secret !== undefined && <Keeping {...{ api, payment, secret, visit, ...polling }} />;
  return (
    <>
      {transfer && <BankTransfer action={transfer} />}
      {transfer && keeping}
      <section class="card centered">
        {isPaid && <p class="printed">{t("receipt")}</p>}
        <Sign kind={sign} />
        {transfer ? <h2>{t(title)}</h2> : <Heading focus={secret !== undefined}>{t(title)}</Heading>}
        <div role="status">
          <p>
            <span class="hidden">{t(title)}. </span>
            {t(text, { recipient })}
          </p>
        </div>
        {checkout && (
          <>
            <p>{t("toCheckoutText")}</p>
            <a class="button" href={checkout} rel="noreferrer">
              {t("toCheckout")}
            </a>
          </>
        )}
        {link.status === "open" && again && restart}
        {alert}
        <Facts kind="rows" facts={paymentFacts(i18n, { view, link, payment, secret })} />
        {checkedAt && <p class="hint">{t("lastChecked", { time: moment(checkedAt) })}</p>}
        {!final && secret === undefined && <p class="note screen">{t("detailsElsewhere", { recipient })}</p>}
        {secret !== undefined && (isPaid || transfer) && (
          <button type="button" class="quiet" onClick={() => print()}>
            {t("print")}
          </button>
        )}
        {link.status === "open" && isPaid && !link.isSingleUse && restart}
      </section>
      {!transfer && keeping}
    </>
  );
}

/** What the server has rendered of a payment that it was asked for by its number. */
function firstOf({ paymentId, payment }: PageView, secret: string | undefined) {
  if (secret !== undefined || paymentId === undefined) return {};
  if (payment === undefined) return { unknown: true };
  return { payment: { ...payment, paymentIntentId: paymentId, status: payment.paymentStatus } };
}
