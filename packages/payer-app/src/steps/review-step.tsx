import type { PayerDetails, PublicLink, Variant } from "../api/wire.ts";
import { useI18n } from "../i18n.ts";
import { Facts, Figures, Heading } from "../parts.tsx";
import { countryName, type PageView } from "../view.ts";
import { methodName } from "./method-step.tsx";

type Props = Readonly<{
  view: PageView;
  link: PublicLink;
  country: string;
  details: PayerDetails;
  document: string | undefined;
  variant: Variant;
  busy: boolean;
  onChange: (step: "amount" | "method" | "details") => void;
  onBack: () => void;
  onPay: () => void;
}>;

/** The last step: everything once more, and the button that pays, with the price on it. */
export function ReviewStep(props: Props) {
  const { view, link, country, details, document, variant, busy, onChange, onBack, onPay } = props;
  const i18n = useI18n();
  const { t, money, day } = i18n;
  const total = money(variant.fromAmount, variant.fromCurrency);
  const transfers = variant.meta.uiFlow === "bank-details";
  const changeable = (what: string, step: Parameters<typeof onChange>[0]) => (
    <button type="button" class="link" onClick={() => onChange(step)} aria-label={t("changeWhat", { what })}>
      {t("change")}
    </button>
  );
  const address = [details.addressLine1, details.postcode, details.city, details.state].filter(Boolean).join(", ");
  return (
    <form
      class="step"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) onPay();
      }}
    >
      <Heading focus>{t("reviewTitle")}</Heading>
      <Facts
        kind="rows"
        facts={[
          [t("countryLabel"), [countryName(view, country), changeable(t("countryLabel"), "amount")]],
          [t("method"), [methodName(i18n, view, variant.settlementMethod), changeable(t("method"), "method")]],
          [
            t("payer"),
            [
              <span key="payer">
                {[
                  `${details.firstName} ${details.lastName}`,
                  details.email,
                  details.phone,
                  details.dob && day(details.dob),
                  address,
                ]
                  .filter(Boolean)
                  .map((line) => (
                    <span key={line} class="line">
                      <bdi>{line}</bdi>
                    </span>
                  ))}
              </span>,
              changeable(t("payer"), "details"),
            ],
          ],
          [t("document"), document],
        ]}
      />
      <p class="hint">
        {t(transfers ? "bankNote" : "redirectNote")} {link.isSingleUse && !transfers && t("keptShortly")}
      </p>
      <div class="actions">
        <button type="button" class="quiet" onClick={onBack}>
          {t("back")}
        </button>
        <button type="submit" aria-disabled={busy}>
          <Figures>{t(transfers ? "getBankDetails" : "pay", { total })}</Figures>
        </button>
      </div>
    </form>
  );
}
