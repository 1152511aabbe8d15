import type { PublicLink, Variant } from "../api/wire.ts";
import { useFormErrors } from "../flow/form-errors.ts";
import type { HeldQuote } from "../flow/held-quote.ts";
import { type I18n, useI18n } from "../i18n.ts";
import { Alert, Figures, Heading } from "../parts.tsx";
import type { PageView } from "../view.ts";

/** The name of a payment method: translated where it is a common word, else the brand's own. */
export function methodName({ t, has }: I18n, view: PageView, settlementMethod: string): string {
  const key = `method_${settlementMethod}`;
  return has(key) ? t(key) : (view.methodNames[settlementMethod] ?? settlementMethod);
}

type Props = Readonly<{
  view: PageView;
  link: PublicLink;
  held: HeldQuote;
  chosen: string | undefined;
  onChoose: (settlementMethod: string) => void;
  onBack: () => void;
  onDone: () => void;
}>;

/** The second step: every way to pay, with its price and the time it takes. */
export function MethodStep({ view, link, held, chosen, onChoose, onBack, onDone }: Props) {
  const { t } = useI18n();
  const { form, errors, tell: announce } = useFormErrors<{ method: true }>(undefined);
  const canPay = held.quote.variants.some(({ isWithinLimits }) => isWithinLimits);
  const isMissing = errors.method === true && !chosen;
  return (
    <form
      ref={form}
      class="step"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!chosen) announce({ method: true });
        else onDone();
      }}
    >
      <Heading focus>{t("methodTitle")}</Heading>
      {!canPay && <Alert>{t("noWay", { ask: view.imprint.ask ?? link.recipientName })}</Alert>}
      <fieldset aria-describedby={isMissing ? "method-error" : undefined}>
        <legend class="hidden">{t("methodTitle")}</legend>
        {isMissing && (
          <p id="method-error" class="error">
            {t("methodMissing")}
          </p>
        )}
        {held.quote.variants.map((variant, index) => (
          <Method
            key={variant.settlementMethod}
            {...{ view, variant, onChoose }}
            checked={variant.settlementMethod === chosen}
            invalid={isMissing && index === 0}
          />
        ))}
      </fieldset>
      <div class="actions">
        <button type="button" class="quiet" onClick={onBack}>
          {t("back")}
        </button>
        {canPay && <button type="submit">{t("continue")}</button>}
      </div>
    </form>
  );
}

type MethodProps = Readonly<{
  view: PageView;
  variant: Variant;
  checked: boolean;
  invalid: boolean;
  onChoose: (settlementMethod: string) => void;
}>;

function Method({ view, variant, checked, invalid, onChoose }: MethodProps) {
  const i18n = useI18n();
  const { t, has, money, span, rate } = i18n;
  const { settlementMethod, fromCurrency, fromAmount, feesAndCharges, minAmount, maxAmount, meta } = variant;
  const possible = variant.isWithinLimits;
  const exchange = rate(variant);
  const notices = meta.noticeKeys.map((key) => `notice_${key}`).filter(has);
  return (
    <label class="method">
      <input
        type="radio"
        name="method"
        value={settlementMethod}
        checked={checked}
        disabled={!possible}
        aria-invalid={invalid || undefined}
        onChange={() => onChoose(settlementMethod)}
      />
      <span class="method-text">
        <span class="method-line">
          <b>{methodName(i18n, view, settlementMethod)}</b>{" "}
          <b>
            <Figures>{money(fromAmount, fromCurrency)}</Figures>
          </b>
        </span>
        <span class="method-line hint">
          <span>{t("arrivesIn", { time: span(meta.eta.disbursement) })}</span>{" "}
          <span>
            <Figures>{t("chargesAre", { charges: money(feesAndCharges, fromCurrency) })}</Figures>
          </span>
        </span>
        {exchange && (
          <span class="hint">
            <bdi>
              <Figures>{exchange}</Figures>
            </bdi>
          </span>
        )}
        {!possible && (
          <span class="hint">
            <Figures>
              {t("methodLimits", { min: money(minAmount, fromCurrency), max: money(maxAmount, fromCurrency) })}
            </Figures>
          </span>
        )}
        {checked &&
          notices.map((key) => (
            <span key={key} class="hint">
              {t(key)}
            </span>
          ))}
      </span>
    </label>
  );
}
