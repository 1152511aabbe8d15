import type { KnownPayment, PublicLink } from "../api/wire.ts";
import { amountFacts, amountsOf } from "../flow/payment-amounts.ts";
import type { I18n } from "../i18n.ts";
import type { Fact } from "../parts.tsx";
import { methodName } from "../steps/method-step.tsx";
import type { PageView } from "../view.ts";
import { shownOf } from "./payment-status.ts";

type FactsProps = Readonly<{ view: PageView; link: PublicLink; payment: KnownPayment; secret: string | undefined }>;

/**
 * The known facts of a payment, in the order of a receipt. A payment that ended unpaid, or paid in part, shows no
 * recipient's amounts; a transfer shows its amount and account, for a payer who has sent it.
 */
export function paymentFacts(i18n: I18n, { view, link, payment, secret }: FactsProps): readonly Fact[] {
  const { t, moment, list, rate } = i18n;
  const { payer, fromCurrency = "", toCurrency = "", settlementMethod, bankReference } = payment;
  const { title, sign, final } = shownOf(payment);
  const { gets, feesAndCharges, total } = amountFacts(i18n, amountsOf(link, { terms: payment.payment }));
  const isPaid = final && sign === "good";
  const time = (iso: string | undefined) => iso && moment(new Date(iso));
  const amounts: readonly Fact[] = [
    ...gets,
    feesAndCharges,
    [t("rate"), payment.rate && rate({ fromCurrency, toCurrency, fxRate: Number(payment.rate) })],
    [t(isPaid ? "paid" : "total"), total[1], "strong"],
  ];
  const { sentTo } = payment;
  const sent: readonly Fact[] = [
    [t("bankAmount"), total[1]],
    [t("beneficiaryName"), sentTo?.beneficiaryName],
    [t("accountNumber"), sentTo && `…${sentTo.accountEnding}`],
  ];
  return [
    [t("status"), t(title)],
    [t("startedOn"), time(payment.startedAt)],
    [t(isPaid ? "completedOn" : "endedOn"), time(payment.endedAt)],
    [t("payer"), payer?.name],
    [t("payTo"), list(link.recipients.map(({ name }) => name))],
    [t("reference"), payment.reference],
    ...(sign !== "bad" ? amounts : sentTo || payment.money === "returned" ? sent : []),
    [t("method"), settlementMethod && methodName(i18n, view, settlementMethod)],
    [t("bankReference"), bankReference],
    [t("paymentNumber"), payment.paymentIntentId],
    // On paper this is how to look a receipt up. An unpaid payment could be called off by it, and has its reference.
    [t("checkAt"), isPaid && secret && addressOf(secret), "printed"],
  ];
}

/** The address that leads back to a payment from anywhere, in any language. */
export const addressOf = (secret: string): string => `${location.origin}${location.pathname}#${secret}`;
