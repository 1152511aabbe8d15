import { Countdown } from "./countdown.tsx";
import type { HeldQuote } from "./held-quote.ts";
import { useI18n } from "./i18n.ts";
import { Facts } from "./parts.tsx";
import type { PublicLink, Variant } from "./wire.ts";

type Props = Readonly<{ link: PublicLink; held?: HeldQuote | undefined; variant?: Variant | undefined }>;

/** What is paid, to whom and for how much; beside every step. */
export function Summary({ link, held, variant }: Props) {
  const { t, money, rate, span } = useI18n();
  const amount = held?.quote.amount ?? link.amount;
  return (
    <section class="card summary" aria-labelledby="summary">
      <h2 id="summary">{t("summary")}</h2>
      <Facts
        facts={[
          [t("payTo"), link.recipientName, "strong"],
          [t("reference"), link.reference],
          [t("receives"), amount === undefined ? t("openAmount") : money(amount, link.currency)],
          [t("rate"), variant && rate(variant) && <bdi key="rate">{rate(variant)}</bdi>],
          [t("fee"), variant && money(variant.fee, variant.fromCurrency)],
          [t("arrives"), variant && span(variant.meta.eta.disbursement)],
          [t("total"), variant && money(variant.fromAmount, variant.fromCurrency), "total"],
        ]}
      />
      {link.recipients.length > 1 && <Shares link={link} />}
      {held && <Countdown label={t("priceHeld")} untilMs={held.untilMs} />}
      {link.isSingleUse && <p class="hint">{t("singleUse")}</p>}
    </section>
  );
}

/** How the amount is shared among several recipients. */
function Shares({ link }: Readonly<{ link: PublicLink }>) {
  const { money, percent } = useI18n();
  return (
    <ul class="shares">
      {link.recipients.map(({ name, amount, portionBps }, index) => (
        <li key={index}>
          <span>{name}</span>{" "}
          <span>{amount ? money(amount, link.currency) : portionBps && percent(portionBps / 10_000)}</span>
        </li>
      ))}
    </ul>
  );
}
