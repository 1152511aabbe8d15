import type { Visit } from "../flow/place.ts";
import { useI18n } from "../i18n.ts";
import { Notice } from "../parts.tsx";

type Props = Readonly<{ visit: Visit; secret: string }>;

/** The question whether the person at this browser is the payer whom it remembers. It tells nothing of the payment. */
export function RememberedView({ visit, secret }: Props) {
  const { t } = useI18n();
  return (
    <Notice sign="waiting" title={t("rememberedTitle")} focus>
      <p>{t("rememberedText")}</p>
      <div class="actions">
        <a class="button quiet" href={visit.startUrl} onClick={visit.erase}>
          {t("forgetPayment")}
        </a>
        <button type="button" onClick={() => visit.open(secret)}>
          {t("continue")}
        </button>
      </div>
    </Notice>
  );
}
