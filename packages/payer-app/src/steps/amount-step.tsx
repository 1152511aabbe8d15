import { useEffect, useRef, useState } from "preact/hooks";
import type { Problem } from "../api/problem.ts";
import type { PublicLink } from "../api/wire.ts";
import { type Entry, type EntryErrors, type Meant, readEntry } from "../flow/entry.ts";
import { useFormErrors } from "../flow/form-errors.ts";
import type { HeldQuote } from "../flow/held-quote.ts";
import type { KeptEntry } from "../flow/memory.ts";
import { amountFacts, amountsOf } from "../flow/payment-amounts.ts";
import { useI18n } from "../i18n.ts";
import type { MessageKey } from "../messages/en.ts";
import { Facts, Field, Figures, Heading } from "../parts.tsx";
import { countryName, type PageView } from "../view.ts";

type Props = Readonly<{
  view: PageView;
  link: PublicLink;
  entry: Entry | undefined;
  /** The form's values that this window kept, for the first view. */
  kept: KeptEntry;
  /** The quote for the values in the form. */
  held: HeldQuote | undefined;
  /** The errors that the service found in the entry. */
  refused: EntryErrors | undefined;
  /** The bounds of an amount that it refused. */
  limits: Problem["limits"];
  busy: boolean;
  focus: boolean;
  /** Called with the values in the form whenever they change; with undefined while one is missing or wrong. */
  onEntry: (entry: Entry | undefined) => void;
  onDone: (entry: Entry) => void;
}>;

/** The first step: the amount and the country. What it shows before anything is entered needs no script. */
export function AmountStep({ view, link, entry, kept, held, refused, limits, busy, focus, onEntry, onDone }: Props) {
  const i18n = useI18n();
  const { t, money, list } = i18n;
  const { form, errors, tell: announce, forget } = useFormErrors(refused);
  // Until the script has loaded, pressing the button would reload the page and lose what was entered.
  const [ready, setReady] = useState(false);
  const { meant, choices, setChoices, enter } = useChoice(form, link.currency, entry?.amount);
  const read = () => readEntry(link, new FormData(form.current ?? undefined), meant.current, view.amountForm);
  const look = () => onEntry(whole(read()));
  useEffect(() => {
    setReady(true);
    if (!entry) {
      if (kept.amount) enter(kept.amount);
      const country = form.current?.querySelector("select");
      if (country && kept.country) country.value = kept.country;
    }
    look();
  }, []);
  const submit = (event: Event) => {
    event.preventDefault();
    const found = read();
    announce(found.errors);
    setChoices(found.choices);
    const entered = whole(found);
    if (entered && !busy) onDone(entered);
  };
  const { currency } = link;
  const recipient = list(link.recipients.map(({ name }) => name));
  const example = money("1000", currency);
  const bounds = limits && { min: money(limits.minAmount, currency), max: money(limits.maxAmount, currency) };
  const message = (key: MessageKey | undefined) => key && t(key, { currency, example, ...bounds });
  return (
    <form
      ref={form}
      class="step"
      noValidate
      onSubmit={submit}
      onInput={(event) => {
        forget(event);
        look();
      }}
    >
      <Heading focus={focus}>{t("amountTitle")}</Heading>
      {link.amountType === "fixed" ? (
        <Facts kind="large" facts={amountFacts(i18n, amountsOf(link, {})).gets} />
      ) : (
        <AmountField
          {...{ link, held }}
          text={meant.current?.text ?? ""}
          hint={t("amountHint", { recipient, example })}
          error={message(errors.amount)}
        />
      )}
      {errors.amount === "amountAsk" && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset would name the buttons by a legend, not by the error.
        <div class="choices" role="group" aria-labelledby="amount-error">
          {choices.map((amount) => (
            <button
              key={amount}
              type="button"
              class="quiet"
              onClick={() => {
                const field = enter(amount);
                field?.focus();
                field?.dispatchEvent(new Event("input", { bubbles: true }));
              }}
            >
              <Figures>{money(amount, currency)}</Figures>
            </button>
          ))}
        </div>
      )}
      <CountryField {...{ view, link, entry }} error={message(errors.country)} />
      <p class="hint">{t("chargesNote", { recipient })}</p>
      <div class="actions">
        <button type="submit" disabled={!ready} aria-disabled={busy}>
          {t("continue")}
        </button>
      </div>
    </form>
  );
}

const whole = ({ entry, errors }: ReturnType<typeof readEntry>): Entry | undefined =>
  Object.keys(errors).length === 0 ? entry : undefined;

/**
 * The payer's own word on what an amount in the field means: the answer to a question about it, or the amount that was
 * entered before.
 */
function useChoice(form: Readonly<{ current: HTMLFormElement | null }>, currency: string, entered: string | undefined) {
  const { figure } = useI18n();
  const mean = (amount: string): Meant => ({ text: figure(amount, currency), amount });
  const meant = useRef(entered ? mean(entered) : undefined);
  const [choices, setChoices] = useState<readonly string[]>([]);
  const enter = (amount: string) => {
    const field = form.current?.querySelector<HTMLInputElement>("#amount");
    if (!field) return;
    meant.current = mean(amount);
    field.value = meant.current.text;
    return field;
  };
  return { meant, choices, setChoices, enter };
}

type AmountFieldProps = Pick<Props, "link" | "held"> &
  Readonly<{ text: string; hint: string; error: string | undefined }>;

/** The field for the total. Once the total has a price, it also shows what each recipient gets of it. */
function AmountField({ link, held, text, hint, error }: AmountFieldProps) {
  const { t, money } = useI18n();
  const gets = amountsOf(link, { held }).recipients.flatMap(({ name, gets }) =>
    gets ? t("getsOf", { recipient: name, amount: money(gets.amount, gets.currency) }) : [],
  );
  return (
    <Field name="amount" label={t("amountLabel", { currency: link.currency })} hint={hint} error={error}>
      {(attributes) => (
        <>
          <input {...attributes} class="money" inputMode="decimal" autocomplete="off" required defaultValue={text} />
          <p class="notice" role="status">
            <Figures>{gets.join(" ")}</Figures>
          </p>
        </>
      )}
    </Field>
  );
}

type CountryFieldProps = Pick<Props, "view" | "link" | "entry"> & Readonly<{ error: string | undefined }>;

function CountryField({ view, link, entry, error }: CountryFieldProps) {
  const { t } = useI18n();
  if (link.payFromCountryLocked)
    return (
      <dl class="facts rows">
        <div>
          <dt>{t("countryLabel")}</dt>
          <dd>
            {countryName(view, link.payFromCountryCode)}
            <span class="hint"> {t("countryLocked")}</span>
            {error && <span class="error">{error}</span>}
          </dd>
        </div>
      </dl>
    );
  return (
    <Field name="country" label={t("countryLabel")} hint={t("countryHint")} error={error}>
      {(attributes) => (
        <select {...attributes} required autocomplete="country">
          <option value="">{t("countryChoose")}</option>
          {view.countries.map(([code, name]) => (
            <option key={code} value={code} selected={code === (entry?.country ?? link.payFromCountryCode)}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
