import { fitsMinorUnits, isDecimal, toMinorUnits } from "../amounts/money.ts";
import type { BatchLeg } from "../batches/batch.ts";
import { progressOf } from "../batches/leg.ts";
import type { PaymentIntent } from "../intents/payment-intent.ts";
import { isTerminal } from "../intents/statuses.ts";
import type { Correction } from "../money-state/correction.ts";
import { describeMoney } from "../money-state/describe-money.ts";
import { type MoneyPart, sumMoney, sumParts } from "../money-state/money-state.ts";
import { bookSurplus, toBooked } from "./batch-booking.ts";
import { bookCorrections } from "./correcting.ts";
import { type Booked, bookAcceptance, bookProgress, bookReceipt, type LedgerEntry } from "./ledger.ts";

/** The sums that went through one account in one currency, in its minor units. */
export type Turnover = { debit: bigint; credit: bigint };
/** Turnovers by account and currency, as in `payable:fee AUD`. */
export type Turnovers = Map<string, Turnover>;

/** Adds entries to the turnovers so far, except amounts that their currency cannot have: `verifyLedger` finds those. */
export function addTurnover(turnovers: Turnovers, entries: readonly LedgerEntry[]): void {
  for (const { debit, credit, amount, currency } of entries.filter(isCountable)) {
    const units = toMinorUnits(amount, currency);
    turnoverOf(turnovers, `${debit} ${currency}`).debit += units;
    turnoverOf(turnovers, `${credit} ${currency}`).credit += units;
  }
}

function turnoverOf(turnovers: Turnovers, name: string): Turnover {
  const turnover = turnovers.get(name) ?? { debit: 0n, credit: 0n };
  turnovers.set(name, turnover);
  return turnover;
}

/**
 * The faults of an intent and its ledger, a sentence each; none when all is well. The entries must be exactly those
 * that its executions (for a batch: its legs) and the corrections of operators call for, and once it has ended nobody may
 * be owed anything.
 */
export function verifyLedger(
  intent: PaymentIntent,
  legs: readonly BatchLeg[],
  entries: readonly LedgerEntry[],
  corrections: readonly Correction[] = [],
): string[] {
  const called = [...expectedEntries(intent, legs), ...bookCorrections(corrections, intent, legs)];
  const expected = new Map(called.map((entry) => [entry.id, entry]));
  const booked = new Map(entries.map((entry) => [entry.id, entry]));
  const missing = [...expected.keys()].filter((id) => !booked.has(id)).map((id) => `the entry ${id} is missing`);
  const wrong = [...booked].flatMap(([id, entry]) => {
    const wanted = expected.get(id);
    if (wanted === undefined) return [`the entry ${id} belongs to nothing that was executed`];
    return comparedFields(intent)
      .filter((field) => entry[field] !== wanted[field])
      .map((field) => `the entry ${id} has the ${field} ${entry[field]} instead of ${wanted[field]}`);
  });
  const uncountable = entries
    .filter((entry) => !isCountable(entry))
    .map(({ id, amount, currency }) => `the entry ${id} has the amount ${amount}, which ${currency} does not have`);
  const open = openPayables(intent, [...expected.values()]);
  const parts = describeMoney(intent, { legs, corrections, payees: new Map() });
  // Entries that are wrong by themselves would be told twice.
  const money = missing.length + wrong.length + uncountable.length > 0 ? [] : moneyProblems(parts, entries);
  return [...missing, ...wrong, ...uncountable, ...open, ...standProblems(intent, legs), ...money];
}

/** Whether an amount can be added up. */
const isCountable = ({ amount, currency }: LedgerEntry): boolean =>
  isDecimal(amount) && fitsMinorUnits(amount, currency);

/** The fields to compare. The time is left out for a batch: only its ledger knows when a leg was booked. */
const comparedFields = ({ bulkProgress }: PaymentIntent) => {
  const fields = ["event", "debit", "credit", "amount", "currency"] as const;
  return bulkProgress === undefined ? ([...fields, "at"] as const) : fields;
};

function expectedEntries(intent: PaymentIntent, legs: readonly BatchLeg[]): LedgerEntry[] {
  // Nothing is booked before the rail accepts a leg: one that the rail refused has failed without an entry.
  const accepted = legs.filter(({ railPaymentId }) => railPaymentId !== undefined);
  const booked: readonly Booked[] =
    intent.bulkProgress === undefined ? intent.executions : accepted.map((leg) => toBooked(intent, leg, ""));
  const surplus = legs.filter(({ isOwedBack }) => isOwedBack).map((leg) => bookSurplus(leg, ""));
  const entries = booked.flatMap((execution) => {
    const begun = asBegun(execution);
    const received = execution.receivedAt === undefined ? [] : bookReceipt(begun);
    return [...bookAcceptance(begun), ...received, ...bookProgress(begun, execution)];
  });
  return [...entries, ...surplus];
}

/** An execution as it was when the rail had just accepted it. */
const asBegun = ({ endedAt, ...execution }: Booked): Booked => ({
  ...execution,
  status: "executing",
  legs: execution.legs.map((leg) => ({ ...leg, status: "executing" })),
});

/** The parts whose money each kind of account holds, on the payer's side. */
const accountKinds = {
  payable: { name: "owed or received", holds: ({ state }) => state === "owed" || state === "received" },
  settled: { name: "delivered", holds: ({ state }) => state === "delivered" },
  returned: { name: "returned", holds: ({ state }) => state === "returned" },
  owed_back: { name: "owed back", holds: ({ isOwedBack = false }) => isOwedBack },
} as const satisfies Record<string, Readonly<{ name: string; holds: (part: MoneyPart) => boolean }>>;

/** The differences between the books and where the money is told to be, on the payer's side with the fees. */
export function moneyProblems(parts: readonly MoneyPart[], entries: readonly LedgerEntry[]): string[] {
  const turnovers: Turnovers = new Map();
  addTurnover(turnovers, entries);
  return Object.entries(accountKinds).flatMap(([kind, { name: state, holds }]) => {
    const booked = new Map<string, bigint>();
    for (const [name, { debit, credit }] of turnovers) {
      const [account = "", currency = ""] = name.split(" ");
      if (account.split(":")[0] === kind) booked.set(currency, (booked.get(currency) ?? 0n) + credit - debit);
    }
    const { payerAmount, fee } = sumParts(parts.filter(holds));
    const sums = new Map(sumMoney([...payerAmount, ...fee]).map(({ currency, amount }) => [currency, amount]));
    return [...new Set([...booked.keys(), ...sums.keys()])].flatMap((currency) => {
      const units = booked.get(currency) ?? 0n;
      const sum = sums.get(currency) ?? "0";
      if (fitsMinorUnits(sum, currency) && units === toMinorUnits(sum, currency)) return [];
      return [`${sum} ${currency} is told as ${state}, and the books have ${units} minor units`];
    });
  });
}

function openPayables({ status }: PaymentIntent, expected: readonly LedgerEntry[]): string[] {
  if (!isTerminal(status)) return [];
  const turnovers: Turnovers = new Map();
  addTurnover(turnovers, expected);
  return [...turnovers]
    .filter(([name, { debit, credit }]) => name.startsWith("payable:") && debit !== credit)
    .map(([name]) => `it is ${status}, and ${name} is still open`);
}

function standProblems({ status, statusHistory, bulkProgress }: PaymentIntent, legs: readonly BatchLeg[]): string[] {
  const last = statusHistory.at(-1)?.status;
  const history = last === status ? [] : [`it is ${status}, and its history ends with ${last}`];
  const counted = JSON.stringify(progressOf(legs));
  const isCounted = bulkProgress === undefined || !isTerminal(status) || JSON.stringify(bulkProgress) === counted;
  return isCounted
    ? history
    : [...history, `its progress is ${JSON.stringify(bulkProgress)} and that of its legs ${counted}`];
}
