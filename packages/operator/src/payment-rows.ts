import type { Money } from "@intents/domain/amounts/money.ts";
import type { PaymentRow, Person } from "@intents/domain/search/payment-row.ts";
import { InvalidArgumentError, Option } from "commander";
import type { View } from "./output.ts";

/** Payments in a list: for people what tells them apart, for spreadsheets all of it, amounts beside their currencies. */
export const paymentView: View<PaymentRow> = {
  table: ({ tenantId: tenant, ...row }) => ({ tenant, ...toColumns(row) }),
  csv: ({ debited, delivered, payer, student, payees, paymentIds, references, ...row }) => ({
    ...{ tenantId: row.tenantId, id: row.id, status: row.status, createdAt: row.createdAt, updatedAt: row.updatedAt },
    ...{ useCase: row.useCase, deliveryMode: row.deliveryMode },
    ...{ debitedAmount: debited?.amount, debitedCurrency: debited?.currency },
    deliveredAmount: delivered.map(({ amount }) => amount),
    deliveredCurrency: delivered.map(({ currency }) => currency),
    ...{ payer: payer.name, payerEmail: payer.email, student: student?.name, studentEmail: student?.email },
    ...{ payees, paymentIds, references, rail: row.rail, railPaymentId: row.railPaymentId },
  }),
};

/** The option by which a list goes on behind the last payment of one before. */
export const afterOption = () =>
  new Option("--after <id>", "go on behind this payment, the last of an earlier list").argParser((value: string) => {
    if (!/^[\da-f]{24}$/.test(value)) throw new InvalidArgumentError("the id of a payment");
    return value;
  });

/** The same where all of them are one tenant's. */
export const tenantsView: View<PaymentRow> = { ...paymentView, table: toColumns };

/** Columns of two lines, so that a terminal of 100 characters holds them. */
function toColumns({ id, createdAt, status, debited, delivered, payer, payees, paymentIds, references }: Listed) {
  return {
    "id\ncreated": `${id}\n${createdAt.slice(0, 16)}Z`,
    status,
    "debited\ndelivered": `${debited === undefined ? "?" : textOf(debited)}\n${someOf(delivered.map(textOf))}`,
    "payer\npayee": `${whoIs(payer)}\n${someOf(payees)}`,
    reference: someOf([...paymentIds.map(String), ...references], "\n"),
  };
}

type Listed = Omit<PaymentRow, "tenantId">;

/** So many of a batch's payees or references are shown to people. */
const SHOWN_MAX = 3;

function someOf(all: readonly string[], separator = ", "): string {
  const left = all.length - SHOWN_MAX;
  return [...all.slice(0, SHOWN_MAX), ...(left > 0 ? [`and ${left} more`] : [])].join(separator);
}

const textOf = ({ amount, currency }: Money): string => `${amount} ${currency}`;
const whoIs = ({ name, email }: Person): string => (email === undefined ? name : `${name} <${email}>`);
