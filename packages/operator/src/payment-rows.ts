import { groupAmount, type Money } from "@intents/domain/amounts/money.ts";
import {
  type MoneyByState,
  type MoneyState,
  type MoneySums,
  moneyStates,
} from "@intents/domain/money-state/money-state.ts";
import type { PaymentRow, Person } from "@intents/domain/search/payment-row.ts";
import { InvalidArgumentError, Option } from "commander";
import type { View } from "./output.ts";

/** Payments in a list: for people what tells them apart, for spreadsheets all of it, amounts beside their currencies. */
export const paymentView: View<PaymentRow> = {
  table: ({ tenantId: tenant, ...row }) => ({ tenant, ...toColumns(row) }),
  csv: ({ money, payer, student, payees, paymentIds, references, externalIds, metadata, ...row }) => ({
    tenantId: row.tenantId,
    id: row.id,
    status: row.status,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    useCase: row.useCase,
    deliveryMode: row.deliveryMode,
    ...Object.assign({}, ...moneyStates.map((state) => moneyColumns(state, money[state]))),
    payer: payer.name,
    payerEmail: payer.email,
    student: student?.name,
    studentEmail: student?.email,
    payees,
    paymentIds,
    references,
    externalIds,
    metadata: metadata && JSON.stringify(metadata),
    rail: row.rail,
    railPaymentId: row.railPaymentId,
  }),
};

/** The sums of one state: a column for each side and for the fees, beside its currencies, and the same for every payment. */
const moneyColumns = (state: MoneyState, { payerAmount = [], payeeAmount = [], fee = [] }: Partial<MoneySums> = {}) =>
  Object.fromEntries(
    Object.entries({ PayerAmount: payerAmount, PayeeAmount: payeeAmount, Fee: fee }).flatMap(([name, sums]) => [
      [`${state}${name}`, sums.map(({ amount }) => amount)],
      [`${state}${name.replace("Amount", "")}Currency`, sums.map(({ currency }) => currency)],
    ]),
  );

/** The option by which a list goes on behind the last payment of one before. */
export const afterOption = () =>
  new Option("--after <id>", "continue after this payment, the last of the list before").argParser((value: string) => {
    if (!/^[\da-f]{24}$/.test(value)) throw new InvalidArgumentError("the id of a payment");
    return value;
  });

/** The same where all of them are one tenant's. */
export const tenantsView: View<PaymentRow> = { ...paymentView, table: toColumns };

/** Columns of two lines, so that a terminal of 100 characters holds them. */
function toColumns({ id, createdAt, status, money, payer, payees, paymentIds, references, externalIds }: Listed) {
  return {
    "id\ncreated": `${id}\n${createdAt.slice(0, 16)}Z`,
    status,
    "money\nfor payees": moneyLines(money).join("\n"),
    "payer\npayee": `${whoIs(payer)}\n${someOf(payees)}`,
    reference: someOf([...paymentIds.map(String), ...externalIds, ...references], "\n"),
  };
}

type Listed = Omit<PaymentRow, "tenantId">;

/** Payees or references of a batch in output for people. */
const SHOWN_MAX = 3;

function someOf(all: readonly string[], separator = ", "): string {
  const left = all.length - SHOWN_MAX;
  return [...all.slice(0, SHOWN_MAX), ...(left > 0 ? [`and ${left} more`] : [])].join(separator);
}

/** The sums of each state for people: of the payer's side, the fees, and the payees' side, a line each. */
const moneyLines = (money: MoneyByState): string[] =>
  Object.entries(money).flatMap(([state, { payerAmount, payeeAmount, fee }]) => {
    const fees = fee.length === 0 ? [] : [`fee ${someOf(fee.map(textOf))}`];
    // A fee stays where it was when its recipient's money has come back.
    const isFeeAlone = payerAmount.length + payeeAmount.length === 0 && fee.length > 0;
    if (isFeeAlone) return [`${state} ${fees.join()}`];
    return [
      `${state} ${payerAmount.length === 0 ? "?" : someOf(payerAmount.map(textOf))}`,
      ...fees,
      ...(payeeAmount.length === 0 ? [] : [`for ${someOf(payeeAmount.map(textOf))}`]),
    ];
  });

const textOf = ({ amount, currency }: Money): string => `${groupAmount(amount)} ${currency}`;
const whoIs = ({ name, email }: Person): string => (email === undefined ? name : `${name} <${email}>`);
