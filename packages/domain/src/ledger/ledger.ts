import { isZero } from "../amounts/money.ts";
import type { Execution } from "../intents/payment-intent.ts";
import type { SplitRole } from "../scenarios/scenario.ts";

/** An execution, or one leg of a batch, with the fields that the ledger books. */
export type Booked = Pick<
  Execution,
  "executionId" | "currency" | "fee" | "status" | "startedAt" | "receivedAt" | "endedAt"
> &
  Readonly<{ legs: readonly Pick<Execution["legs"][number], "order" | "splitRole" | "payerAmount" | "status">[] }>;

/** The account that a leg is booked against, by its split role (SPEC, Recipient). */
const accounts = {
  principal_provider_amount: "provider_principal",
  tenant_commission: "tenant_commission",
  tenant_service_fee: "tenant_service_fee",
  tenant_tax_component: "tenant_tax",
  other: "other",
} as const satisfies Record<SplitRole, string>;

/** The part of the accounts of a recipient, by its split role. */
export const accountOf = (splitRole: SplitRole): (typeof accounts)[SplitRole] => accounts[splitRole];

type Part = (typeof accounts)[SplitRole] | "fee";
/** Money in `returned` came back from a payee; its payer is owed it, as in `owed_back`. */
export type Account = "payer_receivable" | "received" | "owed_back" | `${"payable" | "settled" | "returned"}:${Part}`;

/** One debit and the equal credit of one part of an execution. Amounts are decimal strings; entries never change. */
export type LedgerEntry = Readonly<{
  /**
   * `<executionId>#<leg order, fee, or deposit>#<event>`: a late repeat cannot book twice (H57). The event of a correction
   * ends with its number: `corrected-1`.
   */
  id: string;
  event: "accepted" | "received" | "settled" | "reversed" | "surplus" | "corrected";
  debit: Account;
  credit: Account;
  amount: string;
  currency: string;
  at: string;
}>;

/** The entries of the rail's acceptance: the payer owes every leg and the fee, and we owe them to the payees. */
export const bookAcceptance = (execution: Booked): LedgerEntry[] =>
  partsOf(execution).map((part) =>
    entry(execution, part, "accepted", { debit: "payer_receivable", credit: `payable:${part.account}` }),
  );

/** The entries of the rail's word that the payer's money came in: the payer owes it no more. */
export const bookReceipt = (execution: Booked): LedgerEntry[] =>
  partsOf(execution).map((part) => ({
    ...entry(execution, part, "received", { debit: "received", credit: "payer_receivable" }),
    at: execution.receivedAt ?? execution.startedAt,
  }));

/**
 * The entries of an execution's progress: a leg that cleared moves to its settled account, and one that failed is
 * reversed: to what the payer owes or, where the payer's money came in before, to what is owed back. The fee settles with the first leg that clears, and is reversed when none did.
 */
export function bookProgress(before: Booked, after: Booked): LedgerEntry[] {
  const known = new Map(partsOf(before).map(({ name, state }) => [name, state]));
  return partsOf(after)
    .filter(({ name, state }) => state !== "open" && known.get(name) === "open")
    .map((part) => {
      const debit = `payable:${part.account}` as const;
      return part.state === "cleared"
        ? entry(after, part, "settled", { debit, credit: `settled:${part.account}` })
        : entry(after, part, "reversed", { debit, credit: reversedTo(after) });
    });
}

const reversedTo = ({ receivedAt }: Booked) => (receivedAt === undefined ? "payer_receivable" : "owed_back");

type LedgerPart = Readonly<{ name: string; account: Part; amount: string; state: "open" | "cleared" | "failed" }>;

function partsOf({ legs, fee, status }: Booked): LedgerPart[] {
  const isOver = status !== "executing";
  const parts = legs.map((leg): LedgerPart => {
    const open = isOver ? "failed" : "open";
    const state = leg.status === "executing" ? open : leg.status;
    return { name: String(leg.order), account: accounts[leg.splitRole], amount: leg.payerAmount, state };
  });
  if (isZero(fee)) return parts;
  const cleared = parts.some(({ state }) => state === "cleared");
  const state = isOver ? (cleared ? "cleared" : "failed") : "open";
  return [...parts, { name: "fee", account: "fee", amount: fee, state }];
}

const entry = (
  { executionId, currency, startedAt, endedAt }: Booked,
  { name, amount }: LedgerPart,
  event: LedgerEntry["event"],
  sides: Pick<LedgerEntry, "debit" | "credit">,
): LedgerEntry => ({
  id: `${executionId}#${name}#${event}`,
  event,
  ...sides,
  amount,
  currency,
  at: endedAt ?? startedAt,
});
