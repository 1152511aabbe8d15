import type { NextAction } from "../api/wire.ts";
import { useI18n } from "../i18n.ts";
import type { MessageKey } from "../messages/en.ts";
import { Heading } from "../parts.tsx";
import { useCopying } from "./copying.ts";

type Transfer = Extract<NextAction, { type: "bank_transfer" }>;

const accountFields = [
  "beneficiaryName",
  "bankName",
  "accountNumber",
  "bsb",
  "aba",
  "iban",
  "swift",
] as const satisfies readonly MessageKey[];

/** The details of the bank transfer, each with a button that copies it. */
export function BankTransfer({ action }: Readonly<{ action: Transfer }>) {
  const { t, money, day } = useI18n();
  const { said, copy } = useCopying();
  const { transactionBankDetails: bank, amount, currency, reference, dueDate } = action;
  const row = (label: string, value: string, shown = value, kind?: string) => (
    <div key={label} class={kind}>
      <dt>{label}</dt>
      <dd>
        <bdi>{shown}</bdi>
        <button
          type="button"
          class="link"
          onClick={() => copy(label, value)}
          aria-label={t("copyWhat", { what: label })}
        >
          {t("copy")}
        </button>
      </dd>
    </div>
  );
  return (
    <section class="card transfer">
      <Heading focus>{t("bankTitle", { total: money(amount, currency) })}</Heading>
      <p>{t("bankText", { date: day(dueDate) })}</p>
      <p class="note">{t("bankReferenceNote")}</p>
      <dl class="facts rows copyable">
        {row(t("bankReference"), String(reference), String(reference), "strong")}
        {row(t("bankAmount"), String(amount), money(amount, currency))}
        {accountFields.map((field) => bank[field] && row(t(field), bank[field]))}
      </dl>
      <p class="notice" role="status">
        {said}
      </p>
    </section>
  );
}
