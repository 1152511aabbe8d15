import { useEffect, useState } from "preact/hooks";
import type { PublicLink } from "../api/wire.ts";
import { type Entry, type EntryErrors, readEntry } from "../flow/entry.ts";
import { useFormErrors } from "../flow/form-errors.ts";
import type { HeldQuote } from "../flow/held-quote.ts";
import { amountFacts, amountsOf } from "../flow/payment-amounts.ts";
import { useI18n } from "../i18n.ts";
import type { MessageKey } from "../messages/en.ts";
import { Facts, Field, Heading } from "../parts.tsx";
import type { PageView } from "../view.ts";

type Props = Readonly<{
  view: PageView;
  link: PublicLink;
  entry: Entry | undefined;
  /** The quote for the values in the form. */
  held: HeldQuote | undefined;
  /** The errors that the service found in the entry. */
  refused: EntryErrors | undefined;
  busy: boolean;
  focus: boolean;
  /** Called with the values in the form whenever they change; with undefined while one is missing or wrong. */
  onEntry: (entry: Entry | undefined) => void;
  onDone: (entry: Entry) => void;
}>;

/** The first step: the amount and the country. What it shows before anything is entered needs no script. */
export function AmountStep({ view, link, entry, held, refused, busy, focus, onEntry, onDone }: Props) {
  const i18n = useI18n();
  const { t, money, list } = i18n;
  const { form, errors, tell, forget } = useFormErrors(refused);
  // Until the script has loaded, pressing the button would reload the page and lose what was entered.
  const [ready, setReady] = useState(false);
  const read = () => readEntry(link, new FormData(form.current ?? undefined), i18n);
  const look = () => onEntry(whole(read()));
  useEffect(() => {
    setReady(true);
    look();
  }, []);
  const submit = (event: Event) => {
    event.preventDefault();
    const found = read();
    tell(found.errors);
    const entered = whole(found);
    if (entered !== undefined && !busy) onDone(entered);
  };
  const { currency } = link;
  const recipient = list(link.recipients.map(({ name }) => name));
  const example = money("1000", currency);
  const message = (key: MessageKey | undefined) => key && t(key, { currency, example });
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
          {...{ link, entry, held }}
          hint={t("amountHint", { recipient, example })}
          error={message(errors.amount)}
        />
      )}
      <CountryField {...{ view, link, entry }} error={message(errors.country)} />
      <p class="hint">{t("chargesNote", { recipient })}</p>
      <noscript>
        <p class="alert">{t("needsScript")}</p>
      </noscript>
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

type FieldProps = Pick<Props, "link" | "entry"> & Readonly<{ error: string | undefined }>;

/** The field for the total. Once the total has a price, it also shows what each recipient gets of it. */
function AmountField({
  link,
  entry,
  held,
  hint,
  error,
}: FieldProps & Pick<Props, "held"> & Readonly<{ hint: string }>) {
  const { t, money, point } = useI18n();
  const gets = amountsOf(link, { held }).recipients.flatMap(({ name, gets }) =>
    gets === undefined ? [] : t("getsOf", { recipient: name, amount: money(gets.amount, gets.currency) }),
  );
  return (
    <Field name="amount" label={t("amountLabel", { currency: link.currency })} hint={hint} error={error}>
      {(attributes) => (
        <>
          <input
            {...attributes}
            class="money"
            inputMode="decimal"
            autocomplete="off"
            required
            defaultValue={entry?.amount?.replace(".", point) ?? ""}
          />
          <p class="notice" role="status">
            {gets.join(" ")}
          </p>
        </>
      )}
    </Field>
  );
}

function CountryField({ view, link, entry, error }: FieldProps & Pick<Props, "view">) {
  const { t } = useI18n();
  if (link.payFromCountryLocked)
    return (
      <dl class="facts rows">
        <div>
          <dt>{t("countryLabel")}</dt>
          <dd>
            {view.countries.find(([code]) => code === link.payFromCountryCode)?.[1] ?? link.payFromCountryCode}
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
