import { useEffect } from "preact/hooks";
import type { Api } from "../api/api.ts";
import type { PublicLink } from "../api/wire.ts";
import { checkoutAddress } from "../flow/checkout-address.ts";
import type { PlaceOf, Visit } from "../flow/place.ts";
import { useI18n } from "../i18n.ts";
import { Alert, Facts, Figures, Heading, Notice, Sign } from "../parts.tsx";
import type { PageView } from "../view.ts";
import { BankTransfer } from "./bank-transfer.tsx";
import { useHolding } from "./holding.ts";
import { Keeping } from "./keeping.tsx";
import { paymentFacts } from "./payment-facts.tsx";
import { promiseOf, shownOf } from "./payment-status.ts";
import { usePolling } from "./polling.ts";

type Props = Readonly<{ view: PageView; link: PublicLink; api: Api; visit: Visit; place: PlaceOf<"payment"> }>;

/**
 * A payment from its start to its receipt. The holder of its secret sees the agreed terms and the next step; a visitor
 * with only its number sees how it stands.
 */
export function PaymentView({ view, link, api, visit, place }: Props) {
  const i18n = useI18n();
  const { t, moment, list } = i18n;
  const { secret } = place;
  const { payment, checkedAt, unheard, unknown, ...polling } = usePolling(api, place, firstOf(view, secret));
  const { nextAction: next, paymentIntentId = "" } = payment ?? {};
  const { sign, title, text, final, again, asksSenders } = shownOf(payment ?? nothingKnown);
  const holding = useHolding({ api, secret: secret ?? "", ...polling });
  const isPaid = final && sign === "good";
  useEffect(() => {
    if (unknown && secret) visit.lose();
  }, [unknown]);
  useEffect(() => {
    if (secret && paymentIntentId !== "") visit.name(secret, paymentIntentId);
  }, [paymentIntentId]);
  const alert = unheard && <Alert>{unheard}</Alert>;
  const restart = (
    <a class={isPaid || asksSenders ? "button quiet" : "button"} href={visit.startUrl} onClick={visit.erase}>
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
  if (!payment)
    return (
      <Notice sign="waiting" title={t("findingPayment")}>
        {alert}
      </Notice>
    );

  const recipient = list(link.recipients.map(({ name }) => name));
  const checkout = checkoutAddress(next, i18n.language);
  const transfer = next?.type === "bank_transfer" ? next : undefined;
  const ask = view.imprint.ask ?? recipient;
  const reference = payment.bankReference ?? paymentIntentId;
  const canRestart = link.status === "open" && again;
  const keeping = secret && <Keeping {...{ payment, secret, visit, holding }} />;
  const toCheckout = checkout && (
    <>
      <p>{t(place.cameBack ? "ifUnpaid" : "toCheckoutText")}</p>
      <a class={place.cameBack ? "button quiet" : "button"} href={checkout} rel="noreferrer">
        {t("toCheckout")}
      </a>
    </>
  );
  return (
    <>
      {transfer && <BankTransfer action={transfer} promise={promiseOf(payment)} holding={holding} />}
      {transfer && keeping}
      <section class="card centered">
        {isPaid && <p class="printed">{t("receipt")}</p>}
        <Sign kind={sign} />
        {transfer ? (
          <h2>{t(title)}</h2>
        ) : (
          // Browsers name a saved page by its title.
          <Heading focus={!!secret} title={isPaid && `${t("receipt")} ${paymentIntentId}`}>
            {t(title)}
          </Heading>
        )}
        <div role="status">
          <p class="hidden">{t(title)}.</p>
          {asksSenders && (
            <p class="note">
              <Figures>{t("sentMoney", { ask, reference })}</Figures>
            </p>
          )}
          <p>
            <Figures>{t(text, { recipient, ask, reference })}</Figures>{" "}
            {again && t(canRestart ? (asksSenders ? "againIfUnsent" : "againText") : "linkIsOver")}
          </p>
        </div>
        {!place.cameBack && toCheckout}
        {canRestart && restart}
        {alert}
        <Facts kind="rows" facts={paymentFacts(i18n, { view, link, payment, secret })} />
        {checkedAt && <p class="hint">{t("lastChecked", { time: moment(checkedAt) })}</p>}
        {!final && !secret && <p class="note screen">{t("detailsElsewhere", { recipient })}</p>}
        {secret && (isPaid || transfer) && (
          <button type="button" class="quiet" onClick={() => print()}>
            {t("print")}
          </button>
        )}
        {place.cameBack && toCheckout}
        {link.status === "open" && isPaid && !link.isSingleUse && restart}
      </section>
      {!transfer && keeping}
    </>
  );
}

const nothingKnown = { status: "" };

/** The payment as the server rendered it by its number. */
function firstOf({ paymentId, payment }: PageView, secret: string | undefined) {
  if (secret || paymentId === undefined) return {};
  if (!payment) return { unknown: true };
  return { payment: { ...payment, paymentIntentId: paymentId, status: payment.paymentStatus } };
}
