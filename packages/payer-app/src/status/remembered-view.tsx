import { useI18n } from "../i18n.ts";
import { Notice } from "../parts.tsx";

type Props = Readonly<{ onContinue: () => void; onForget: () => void }>;

/** The question whether the person at this browser is the payer whom it remembers. It tells nothing of the payment. */
export function RememberedView({ onContinue, onForget }: Props) {
  const { t } = useI18n();
  return (
    <Notice sign="waiting" title={t("rememberedTitle")} focus>
      <p>{t("rememberedText")}</p>
      <div class="actions">
        <button type="button" class="quiet" onClick={onForget}>
          {t("forgetPayment")}
        </button>
        <button type="button" onClick={onContinue}>
          {t("continue")}
        </button>
      </div>
    </Notice>
  );
}
