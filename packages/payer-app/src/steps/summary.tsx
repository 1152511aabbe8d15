import type { PublicLink, Variant } from "../api/wire.ts";
import type { HeldQuote } from "../flow/held-quote.ts";
import { amountFacts, amountsOf } from "../flow/payment-amounts.ts";
import { useI18n } from "../i18n.ts";
import { Facts } from "../parts.tsx";
import { Countdown } from "./countdown.tsx";

type Props = Readonly<{ link: PublicLink; held?: HeldQuote | undefined; variant?: Variant | undefined }>;

/** The summary beside every step: what is paid, to whom and for how much. */
export function Summary({ link, held, variant }: Props) {
  const i18n = useI18n();
  const { t, rate, span, list } = i18n;
  const { gets, feesAndCharges, total } = amountFacts(i18n, amountsOf(link, { held, variant }));
  const [charges, known] = feesAndCharges;
  return (
    <section class="card summary" aria-labelledby="summary">
      <h2 id="summary">{t("summary")}</h2>
      <Facts
        facts={[
          [t("payTo"), list(link.recipients.map(({ name }) => name)), "strong"],
          [t("reference"), link.reference],
          ...gets.map(([term, amount]) => [term, amount ?? t("shownLater")] as const),
          [t("rate"), variant && rate(variant)],
          [charges, known ?? t("shownLater")],
          [t("arrives"), variant && span(variant.meta.eta.disbursement)],
          total,
        ]}
      />
      {held && total[1] && <Countdown label={t("priceHeld")} untilMs={held.untilMs} />}
      {link.isSingleUse && <p class="hint">{t("singleUse")}</p>}
    </section>
  );
}
