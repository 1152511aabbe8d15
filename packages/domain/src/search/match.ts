import { compareAmounts, type Money } from "../amounts/money.ts";
import type { PaymentIntent } from "../intents/payment-intent.ts";
import { describeMoney } from "../money-state/describe-money.ts";
import { sumMoney, sumParts } from "../money-state/money-state.ts";
import { statedMoney, toMoney } from "../money-state/stated-money.ts";
import { rolesOf, type Subject } from "../privacy/subject.ts";
import { externalIdsOf, type Known, nameOf, referencesOf } from "./payment-row.ts";
import type { Criterion } from "./question.ts";

/** `subject`: the people of the payment's tenant who have the sought e-mail. */
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

/** Every amount of a payment: the sums of both sides, with and without fees, and each recipient's part. */
function moneyIn(intent: PaymentIntent, { payees }: Known): Money[] {
  const { bulkProgress, connectorPayment, executionPlan, recipients, executions } = intent;
  // The recipients of a batch that has begun stand in its deposit.
  const moneyParts = bulkProgress === undefined ? describeMoney(intent, { legs: [], corrections: [], payees }) : [];
  const { payerAmount, payeeAmount, fee } = sumParts(moneyParts);
  const { payouts = [] } = connectorPayment ?? {};
  const legs = executions.flatMap(({ legs: parts, currency }) =>
    parts.map((leg) => ({ payerCurrency: currency, ...leg })),
  );
  const parts = [...legs, ...payouts, ...(executionPlan?.legs ?? [])];
  return [
    ...[connectorPayment ?? [], sumMoney([...payerAmount, ...fee]), payerAmount, payeeAmount].flat(),
    ...sumMoney(payouts.flatMap(({ payeeAmount: amount, payeeCurrency }) => toMoney(amount, payeeCurrency) ?? [])),
    ...parts.flatMap((part) => toMoney(part.payerAmount, part.payerCurrency) ?? []),
    ...parts.flatMap((part) => toMoney(part.payeeAmount, part.payeeCurrency) ?? []),
    ...recipients.flatMap((recipient) => Object.values(statedMoney(recipient, { payees }))),
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
    ...externalIdsOf(intent),
    intent.name,
    ...intent.recipients.map(({ connectorPayeeId }) => payees.get(connectorPayeeId ?? 0)?.name),
    ...[intent.payer, intent.subject].map((party) => nameOf(party?.details)),
    ...intent.executions.flatMap(({ payer, subject }) => [nameOf(payer), nameOf(subject)]),
  ].filter((text) => text !== undefined);
