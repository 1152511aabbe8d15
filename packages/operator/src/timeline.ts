import type { HeldCommission } from "@intents/domain/commissions/request.ts";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import type { Timer } from "@intents/domain/intents/timer.ts";
import type { LedgerEntry } from "@intents/domain/ledger/ledger.ts";
import type { CorrectedOutcome, Correction } from "@intents/domain/money-state/correction.ts";
import type { AuditEvent } from "@intents/storage/audit/intents.ts";
import { type Reconciliation, reconciliationId } from "@intents/storage/reviews/reconciliation.ts";

/** An event in the life of an intent, past or expected; `what` is its kind. What was booked then is there as such, too. */
export type Moment = Readonly<{ at: string; what: string; who: string; detail: string; booked?: LedgerEntry }>;

export type Story = Readonly<{
  intent: PaymentIntent;
  audit: readonly AuditEvent[];
  ledger: readonly LedgerEntry[];
  reconciliations: readonly Reconciliation[];
  corrections: readonly Correction[];
  commissions: readonly HeldCommission[];
  timer: Timer | undefined;
}>;

/** Writes an amount: plain for programs, grouped for people. */
type Write = (amount: string) => string;

/**
 * All events of an intent in the order of time; events of the same time in the order of cause and effect. `write` writes
 * the amounts in their details.
 */
export const timelineOf = (story: Story, write: Write = String): Moment[] =>
  [
    ...story.audit.map((event) => toMoment(event, write)),
    ...story.intent.executions.flatMap(executionMoments),
    ...story.ledger.map((entry) => entryMoment(entry, write)),
    ...story.commissions.flatMap((held) => commissionMoments(held, write)),
    ...story.reconciliations.flatMap(reconciliationMoments),
    ...story.corrections.map((correction) => correctionMoment(correction, story.reconciliations, write)),
    ...timerMoments(story.timer),
  ].toSorted((left, right) => left.at.localeCompare(right.at));

const toMoment = ({ at, event, actor, data }: AuditEvent, write: Write): Moment => ({
  at,
  what: event,
  who: actor,
  detail: detailsOf(data ?? {}, write),
});

function executionMoments({
  executionId,
  connector,
  startedAt,
  endedAt,
  status,
  cause,
  connectorPaymentIds,
  railPaymentId,
}: PaymentIntent["executions"][number]): Moment[] {
  const detail = detailsOf({ executionId, connectorPaymentIds, railPaymentId });
  const started = { at: startedAt, what: "execution started", who: connector, detail };
  const ended = { what: `execution ${status}`, who: connector, detail: detailsOf({ executionId, cause }) };
  return endedAt === undefined ? [started] : [started, { at: endedAt, ...ended }];
}

const entryMoment = (entry: LedgerEntry, write: Write): Moment => ({
  at: entry.at,
  what: `ledger ${entry.event}`,
  who: "ledger",
  detail: bookingOf(entry, write),
  booked: entry,
});

/** An entry of the ledger in words. */
const bookingOf = ({ amount, currency, debit, credit, id }: LedgerEntry, write: Write): string =>
  `${write(amount)} ${currency} from ${debit} to ${credit} (${id})`;

function commissionMoments({ commission, heldBy }: HeldCommission, write: Write): Moment[] {
  const { commissionAmount, commissionCurrency, paymentDate, commissionRequestDate, commissionPaidDate } = commission;
  const what = commission.correction === undefined ? "commission earned" : "commission corrected";
  const detail = `${write(commissionAmount)} ${commissionCurrency}`;
  const steps = [
    { at: paymentDate, what, detail },
    { at: commissionRequestDate, what: "commission requested", detail: `${detail} by request ${heldBy}` },
    { at: commissionPaidDate, what: "commission paid", detail: `${detail} by request ${heldBy}` },
  ];
  return steps.flatMap(({ at, ...step }) => (at === undefined ? [] : [{ at, who: "commissions", ...step }]));
}

/** Every word of the rail, from the first on, and how an operator settled it. */
function reconciliationMoments(record: Reconciliation): Moment[] {
  const { kind, said, stands, executionId, openedAt, saidAt = openedAt, closed, earlier = [] } = record;
  const words = [...earlier, { said, at: saidAt, ...(closed && { closed }) }];
  return words.flatMap((word, index): Moment[] => {
    const isOpen = index > 0 && words[index - 1]?.closed === undefined;
    const what = isOpen ? "reconciliation changed" : "reconciliation opened";
    const row = { at: word.at, what, who: "rail", detail: detailsOf({ kind, said: word.said, stands, executionId }) };
    if (word.closed === undefined) return [row];
    const { at, by: who, reason: detail } = word.closed;
    return [row, { at, what: "reconciliation closed", who, detail }];
  });
}

/** An operator's findings, in the words of the command line. */
export const outcomeWords = {
  arrived: "arrived",
  cameBack: "came-back",
  neverMoved: "never-moved",
} as const satisfies Record<CorrectedOutcome, string>;

/** A correction of a recipient; the operator's name is known once the record is closed. */
function correctionMoment(
  { at, number, order, outcome, recordId, payerAmount, payeeAmount }: Correction,
  records: readonly Reconciliation[],
  write: Write,
): Moment {
  const amountOf = (money: typeof payerAmount) => `${write(money.amount)} ${money.currency}`;
  const detail = `recipient ${order} ${outcomeWords[outcome]}: payer pays ${amountOf(payerAmount)}, payee gets ${amountOf(payeeAmount)}`;
  const { closed } = records.find((record) => reconciliationId(record) === recordId) ?? {};
  return { at, what: `correction ${number}`, who: closed?.by ?? "operator", detail };
}

function timerMoments(timer: Timer | undefined): Moment[] {
  if (timer === undefined) return [];
  return [{ at: new Date(timer.dueAtMs).toISOString(), what: `${timer.kind} is due`, who: "schedule", detail: "" }];
}

/** Facts in one line as `name value`; lists and the parts of a record are told in words. */
const detailsOf = (facts: Readonly<Record<string, unknown>>, write: Write = String): string =>
  Object.entries(facts)
    .filter(([, value]) => isShown(value))
    .map(([name, value]) => `${name} ${textOf(value, write)}`)
    .join(", ");

const isShown = (value: unknown): boolean =>
  value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);

function textOf(value: unknown, write: Write): string {
  const separator = Array.isArray(value) && value.some((each) => typeof each === "object") ? "; " : " ";
  if (Array.isArray(value)) return value.map((each) => textOf(each, write)).join(separator);
  if (typeof value !== "object" || value === null) return String(value);
  const { order, ...rest } = value as Readonly<Record<string, unknown>>;
  const shown = Object.entries(amountsShown(rest, write)).filter(([, each]) => isShown(each));
  const text = shown.map(([name, each]) => `${name} ${textOf(each, write)}`).join(", ");
  return order === undefined ? text : `recipient ${order}: ${text}`;
}

/** The facts of a recipient, each amount beside its currency. */
function amountsShown(
  { payerAmount, payerCurrency = "", payeeAmount, payeeCurrency = "", ...facts }: Readonly<Record<string, unknown>>,
  write: Write,
): Readonly<Record<string, unknown>> {
  const amountOf = (amount: unknown, currency: unknown) => `${write(String(amount))} ${currency}`.trim();
  return {
    ...facts,
    ...(payerAmount !== undefined && { "payer pays": amountOf(payerAmount, payerCurrency) }),
    ...(payeeAmount !== undefined && { "payee gets": amountOf(payeeAmount, payeeCurrency) }),
  };
}
