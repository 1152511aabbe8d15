import { addAmounts } from "../amounts/money.ts";
import type { Execution, PaymentIntent } from "../intents/payment-intent.ts";
import type { UnderReview } from "../intents/review.ts";
import { type IntentStatus, isTerminal } from "../intents/statuses.ts";
import type { Correction } from "../money-state/correction.ts";
import { describeMoney, stateOf } from "../money-state/describe-money.ts";
import type { MoneyState } from "../money-state/money-state.ts";
import { pick } from "../pick.ts";
import type { TransactionBankDetails } from "../rails/rail.ts";
import { inOrder } from "../scenarios/draft.ts";
import { distinguish, feesAndCharges } from "./payer-amounts.ts";

/** The payer's next step. */
export type NextAction =
  | Readonly<{ type: "redirect"; url: string }>
  | Readonly<{
      type: "bank_transfer";
      transactionBankDetails: TransactionBankDetails;
      reference: string;
      amount: string;
      currency: string;
      dueDate: string;
    }>;

/** The amounts that a payer is told: the total, the charges, and each recipient's, beside where that money is. */
type PayerTerms = Readonly<{
  /** The total in the payer's `currency`, and the part of it that goes to no principal recipient. */
  amount: string;
  feesAndCharges: string;
  currency: string;
  /** The principal recipients' amounts, in the order in which their link names them. */
  recipients: readonly Readonly<{ amount: string; currency: string; money: MoneyState }>[];
}>;

/** The account of a transfer: enough to know it again on a bank statement, and too little to send money to. */
type SentTo = Readonly<{ beneficiaryName: string; accountEnding: string }>;

/** The facts about a payment that stand beside it. */
export type PaymentExtras = Readonly<{
  underReview?: UnderReview | undefined;
  corrections?: readonly Correction[] | undefined;
}>;

/**
 * The state of a payment by a link, from which every public answer about it is made. Only a payment that can still be
 * paid has an instruction to pay, its `nextAction` and the address of its checkout: one that has ended, is under review,
 * or whose money came in has none.
 */
export type PaymentView = Readonly<{
  paymentIntentId: string;
  status: IntentStatus;
  paymentMethod: NextAction["type"];
  payment: PayerTerms;
  /** Where the money is; absent while recipients differ and one of them has it, or may still get it. */
  money?: MoneyState;
  /** When the rail told that the payer's money came in. */
  receivedAt?: string;
  /** Since when somebody looks into what has become of the money. */
  underReview?: Pick<UnderReview, "since">;
  bankReference?: string;
  sentTo?: SentTo;
  checkoutUrl?: string;
  nextAction?: NextAction;
}>;

/** A payment by a link as its payer may be told of it; undefined until a rail has accepted it. */
export function viewPayment(
  child: PaymentIntent,
  { underReview, corrections }: PaymentExtras,
): PaymentView | undefined {
  const { id: paymentIntentId, status } = child;
  const execution = child.executions.at(-1);
  if (execution === undefined) return undefined;
  const action = actionOf(child, execution);
  if (action === undefined) return undefined;
  const payment = termsOf(child, execution, corrections);
  const money = moneyOfAll(payment.recipients.map((recipient) => recipient.money));
  const isPayable = !isTerminal(status) && underReview === undefined && money !== "received";
  return {
    paymentIntentId,
    status,
    paymentMethod: action.type,
    payment,
    ...(money !== undefined && { money }),
    ...(execution.receivedAt !== undefined && { receivedAt: execution.receivedAt }),
    ...(underReview !== undefined && { underReview: { since: underReview.since } }),
    ...(action.type === "bank_transfer" && { bankReference: action.reference, sentTo: sentTo(action) }),
    ...(isPayable && { nextAction: action, ...(action.type === "redirect" && { checkoutUrl: action.url }) }),
  };
}

/** Where the money of all recipients is. Money that came back from some, and never reached the others, came back. */
function moneyOfAll(states: readonly MoneyState[]): MoneyState | undefined {
  const [first, ...others] = new Set(states);
  if (others.length === 0) return first;
  return states.every((state) => state === "returned" || state === "failed") ? "returned" : undefined;
}

/** The way in which a payment is paid, as the rail told it. */
function actionOf({ connectorPayment }: PaymentIntent, { checkoutUrl }: Execution): NextAction | undefined {
  if (checkoutUrl !== undefined) return { type: "redirect", url: checkoutUrl };
  if (connectorPayment === undefined) return undefined;
  const deposit = pick(connectorPayment, ["transactionBankDetails", "reference", "amount", "currency", "dueDate"]);
  return { type: "bank_transfer", ...deposit };
}

const ENDING_LENGTH = 4;

const sentTo = ({ transactionBankDetails: bank }: Extract<NextAction, { type: "bank_transfer" }>): SentTo => ({
  beneficiaryName: bank.beneficiaryName,
  accountEnding: (bank.iban ?? bank.accountNumber).slice(-ENDING_LENGTH),
});

/** An execution has one leg for each recipient, in order. */
function termsOf(child: PaymentIntent, execution: Execution, corrections: readonly Correction[] = []): PayerTerms {
  const { recipients } = child;
  const { legs, fee, currency } = execution;
  const parts = describeMoney({ ...child, executions: [execution] }, { legs: [], corrections, payees: new Map() });
  const { principal } = distinguish(recipients, inOrder(recipients));
  return {
    amount: addAmounts(fee, ...legs.map(({ payerAmount }) => payerAmount)),
    feesAndCharges: feesAndCharges(fee, distinguish(recipients, legs).rest),
    currency,
    recipients: principal.map(({ amount, order }) => ({
      amount: amount?.payeeAmount ?? "0",
      currency: amount?.currency ?? "",
      money: stateOf(parts, order).money,
    })),
  };
}

/** The answer to a payer who pays, on every call: an instruction to pay for as long as the payment can be paid. */
export type PayerSession = Omit<PaymentView, "paymentMethod" | "money" | "bankReference" | "sentTo">;

const sessionFields = [
  "paymentIntentId",
  "status",
  "underReview",
  "checkoutUrl",
  "nextAction",
  "payment",
  "receivedAt",
] as const satisfies (keyof PayerSession)[];

/** The answer to the payer of `child`; undefined until a rail has accepted the payment. */
export function toPayerSession(child: PaymentIntent, extras: PaymentExtras): PayerSession | undefined {
  const view = viewPayment(child, extras);
  return view && pick(view, sessionFields);
}

/** The status of a payment by a link, for anybody who knows its id: no bank details, no personal data (DESIGN 17). */
export function toPublicPayment(child: PaymentIntent, extras: PaymentExtras) {
  const view = viewPayment(child, extras);
  return {
    paymentIntentId: child.id,
    paymentStatus: child.status,
    ...(view && pick(view, ["paymentMethod", "money", "underReview"])),
  };
}
