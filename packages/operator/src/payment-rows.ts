import type { PaymentRow, Person } from "@intents/domain/search/payment-row.ts";
import type { Money } from "@intents/domain/search/question.ts";

/** A payment in the columns of a list: its money and its people as texts. */
export const toColumns = (row: PaymentRow) => ({
  id: row.id,
  createdAt: row.createdAt,
  status: row.status,
  debited: row.debited === undefined ? "" : textOf(row.debited),
  delivered: row.delivered.map(textOf).join(", "),
  payer: whoIs(row.payer),
  payee: row.payees.join(", "),
  reference: [...row.paymentIds, ...row.references].join(", "),
});

const textOf = ({ amount, currency }: Money): string => `${amount} ${currency}`;
const whoIs = ({ name, email }: Person): string => (email === undefined ? name : `${name} <${email}>`);
