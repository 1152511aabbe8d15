import type { NextAction } from "../api/wire.ts";
import { useI18n } from "../i18n.ts";
import type { MessageKey } from "../messages/en.ts";
import { Alert, Figures, Heading } from "../parts.tsx";
import { useCopying } from "./copying.ts";
import type { Holding } from "./holding.ts";
import type { TransferPromise } from "./payment-status.ts";

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

type Props = Readonly<{ action: Transfer; promise: TransferPromise | undefined; holding: Holding }>;

/**
 * The details of the bank transfer, each with a button that copies it. Where the payment keeps a link for a while only,
 * its payer is first told the end of that, and asked for a promise.
 */
export function BankTransfer({ action, promise, holding }: Props) {
  const { t, money, moment, day } = useI18n();
  const { said, copy } = useCopying();
  const refusal = holding.refusalOf("promise");
  const { transactionBankDetails: bank, amount, currency, reference, dueDate } = action;
  const row = (label: string, value: string, shown = value, kind?: string) => (
    <div key={label} class={kind}>
      <dt>{label}</dt>
      <dd>
        <bdi>
          <Figures>{shown}</Figures>
        </bdi>
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
      {refusal && <Alert>{refusal}</Alert>}
      {promise && (
        <p class="note" role="status">
          {promise.isMade
            ? t("keptPromised", { date: day(promise.dueDate) })
            : t("keptIfPromised", { time: moment(new Date(promise.until)), date: day(promise.dueDate) })}
        </p>
      )}
      {promise?.isMade === false && (
        <button type="button" class="promise" aria-disabled={holding.busy} onClick={holding.promise}>
          {t("willTransfer")}
        </button>
      )}
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
