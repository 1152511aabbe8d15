import { useEffect, useState } from "preact/hooks";
import { parseAmount } from "./amount.ts";
import { useFormErrors } from "./form-errors.ts";
import { useI18n } from "./i18n.ts";
import type { MessageKey } from "./messages/en.ts";
import { Field, Heading } from "./parts.tsx";
import type { PageView } from "./view.ts";
import type { PublicLink } from "./wire.ts";

/** What the payer entered: `amount` as a decimal string in the link's currency, where the link leaves it open. */
export type Entry = Readonly<{ amount?: string; country: string }>;
export type EntryErrors = Readonly<Partial<Record<"amount" | "country", MessageKey>>>;

type Props = Readonly<{
  view: PageView;
  link: PublicLink;
  entry: Entry | undefined;
  /** What the service had against it. */
  refused: EntryErrors | undefined;
  busy: boolean;
  focus: boolean;
  onDone: (entry: Entry) => void;
}>;

/** The first step: what is paid, and from where. All it shows is there without a script. */
export function AmountStep({ view, link, entry, refused, busy, focus, onDone }: Props) {
  const { t, money, decimalsOf, point } = useI18n();
  const { form, errors, tell, forget } = useFormErrors(refused);
  const { currency } = link;
  // Before the script has come, the button would throw away what was entered.
  const [ready, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  const example = money("1000", currency);
  const message = (key: MessageKey | undefined) => key && t(key, { currency, example });

  const submit = (event: Event) => {
    event.preventDefault();
    const data = new FormData(form.current ?? undefined);
    const country = link.payFromCountryLocked ? (link.payFromCountryCode ?? "") : String(data.get("country") ?? "");
    const amount = parseAmount(String(data.get("amount") ?? ""), decimalsOf(currency), point);
    const found: EntryErrors = {
      ...(link.amountType === "open" && amount === undefined && { amount: "amountWrong" as const }),
      ...(country === "" && { country: "countryMissing" as const }),
    };
    tell(found);
    if (Object.keys(found).length === 0 && !busy)
      onDone({ country, ...(link.amountType === "open" && amount !== undefined && { amount }) });
  };

  return (
    <form ref={form} class="step" noValidate onSubmit={submit} onInput={forget}>
      <Heading focus={focus}>{t("amountTitle")}</Heading>
      {link.amountType === "fixed" ? (
        <p class="amount">{money(link.amount ?? "0", currency)}</p>
      ) : (
        <Field
          name="amount"
          label={t("amountLabel", { currency })}
          hint={t("amountHint", { recipient: link.recipientName, example })}
          error={message(errors.amount)}
        >
          {(attributes) => (
            <input
              {...attributes}
              class="money"
              inputMode="decimal"
              autocomplete="off"
              required
              defaultValue={entry?.amount?.replace(".", point) ?? ""}
            />
          )}
        </Field>
      )}
      {link.payFromCountryLocked ? (
        <dl class="facts rows">
          <div>
            <dt>{t("countryLabel")}</dt>
            <dd>
              {view.countries.find(([code]) => code === link.payFromCountryCode)?.[1] ?? link.payFromCountryCode}
              <span class="hint"> {t("countryLocked")}</span>
              {errors.country && <span class="error">{message(errors.country)}</span>}
            </dd>
          </div>
        </dl>
      ) : (
        <Field name="country" label={t("countryLabel")} hint={t("countryHint")} error={message(errors.country)}>
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
      )}
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
