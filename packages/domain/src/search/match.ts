import { compareAmounts, type Money } from "../amounts/money.ts";
import type { PaymentIntent } from "../intents/payment-intent.ts";
import { rolesOf, type Subject } from "../privacy/subject.ts";
import { type Known, moneyOf, nameOf, payeeSide, referencesOf, statedMoney, toMoney } from "./payment-row.ts";
import type { Criterion } from "./question.ts";

/** Who is looked for by an e-mail: the people of the payment's tenant who have it. */
export type Sought = Readonly<{ payees: Known["payees"]; subject: Subject | undefined }>;

/** Whether a payment is one that is looked for. */
export function isSought(intent: PaymentIntent, criterion: Criterion, { payees, subject }: Sought): boolean {
  const known = { payees, parties: new Map() };
  switch (criterion.by) {
    case "money":
      return moneyIn(intent, known).some((money) => isEqual(money, criterion.money));
    case "email":
      return subject !== undefined && rolesOf(intent, subject).length > 0;
    case "text":
      return (
        idsIn(intent).some((id) => id.toLowerCase() === criterion.text) ||
        textsIn(intent, known).some((text) => text.toLowerCase().includes(criterion.text))
      );
  }
}

const isEqual = (one: Money, other: Money): boolean =>
  one.currency === other.currency && compareAmounts(one.amount, other.amount) === 0;

/** Every amount of a payment: what is debited and delivered in all, and each recipient's part on both sides. */
function moneyIn(intent: PaymentIntent, known: Known): Money[] {
  const { debited, delivered } = moneyOf(intent, known);
  const legs = intent.executions.flatMap(({ legs: parts, currency }) =>
    parts.map((leg) => ({ payerCurrency: currency, ...leg })),
  );
  const parts = [...legs, ...(intent.connectorPayment?.payouts ?? []), ...(intent.executionPlan?.legs ?? [])];
  return [
    ...(debited === undefined ? [] : [debited]),
    ...delivered,
    ...parts.flatMap((part) => [...toMoney(part.payerAmount, part.payerCurrency), ...payeeSide(part)]),
    ...intent.recipients.flatMap((recipient) => Object.values(statedMoney(recipient, known)).flat()),
  ];
}

/** The ids by which others know a payment. */
const idsIn = ({ executions, recipients }: PaymentIntent): string[] => [
  ...executions.flatMap(({ executionId, railPaymentId }) => [executionId, railPaymentId ?? executionId]),
  ...recipients.flatMap(({ connectorPayeeId }) => (connectorPayeeId === undefined ? [] : [String(connectorPayeeId)])),
];

/** The names and the references of a payment. */
const textsIn = (intent: PaymentIntent, { payees }: Known): string[] =>
  [
    ...referencesOf(intent),
    intent.name,
    ...intent.recipients.map(({ connectorPayeeId }) => payees.get(connectorPayeeId ?? 0)?.name),
    ...[intent.payer, intent.subject].map((party) => nameOf(party?.details)),
    ...intent.executions.flatMap(({ payer, subject }) => [nameOf(payer), nameOf(subject)]),
  ].filter((text) => text !== undefined);
