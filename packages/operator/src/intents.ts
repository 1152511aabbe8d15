import { groupAmount } from "@intents/domain/amounts/money.ts";
import { type IntentExtras, toCorrectionAnswer } from "@intents/domain/answers/intent-answer.ts";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { type IntentStatus, intentStatuses } from "@intents/domain/intents/statuses.ts";
import type { Timer } from "@intents/domain/intents/timer.ts";
import { describeMoney } from "@intents/domain/money-state/describe-money.ts";
import type { MoneyPart } from "@intents/domain/money-state/money-state.ts";
import { nextAskMs } from "@intents/domain/polling/points.ts";
import { watchFor } from "@intents/domain/polling/watch.ts";
import { describePayments, openPayees } from "@intents/execution/search/describe.ts";
import { eventsOf, listAudit } from "@intents/storage/audit/intents.ts";
import { findCommissions } from "@intents/storage/commissions/commissions.ts";
import { listLedger } from "@intents/storage/intents/ledger.ts";
import { listRecords } from "@intents/storage/lists/lists.ts";
import { findTimer } from "@intents/storage/polling/timers.ts";
import { listCorrections } from "@intents/storage/reviews/corrections.ts";
import { findMoneyFacts } from "@intents/storage/reviews/money-facts.ts";
import { findReconciliations } from "@intents/storage/reviews/reconciliation.ts";
import { findReviewState } from "@intents/storage/reviews/reviews.ts";
import { type Command, Option } from "commander";
import { getIntent, intentId, operationCommands } from "./intent-operations.ts";
import { limitOption, print, printAll } from "./output.ts";
import { afterOption, paymentView, tenantsView } from "./payment-rows.ts";
import { openSession, type Session } from "./session.ts";
import { tenantOption } from "./tenants.ts";
import { type Story, timelineOf } from "./timeline.ts";
import { ofEach, tenantsOf, whoseOption } from "./whose.ts";

type TenantOption = Readonly<{ tenant: string }>;
type ListOptions = Readonly<{ tenant?: string; status?: IntentStatus; limit: number; after?: string }>;

export function intentCommands(program: Command): void {
  const intents = program.command("intents").description("payments: lists, stories, and changes by hand");
  intents
    .command("list")
    .description("payments with their money and people, newest first")
    .addOption(whoseOption())
    .addOption(new Option("--status <status>", "only in this status").choices(intentStatuses))
    .addOption(limitOption())
    .addOption(afterOption())
    .action(async (options: ListOptions, command: Command) => {
      await list(await openSession(command), options);
    });
  intents
    .command("show")
    .description("prints the whole stored payment, where its money is, its review and its corrections")
    .argument(...intentId)
    .addOption(tenantOption())
    .action(async (id: string, { tenant }: TenantOption, command: Command) => {
      const session = await openSession(command);
      print(session, await readSheet(session, tenant, id));
    });
  intents
    .command("timeline")
    .description("prints a payment's story: audit, executions, ledger, reconciliation, and its next timer")
    .argument(...intentId)
    .addOption(tenantOption())
    .action(async (id: string, { tenant }: TenantOption, command: Command) => {
      await printAudit(await openSession(command), tenant, id);
    });
  operationCommands(intents);
}

/** A payment as it is stored, with the facts beside it: the state of each part of its money, review, and corrections. */
async function readSheet(session: Session, tenantId: string, id: string) {
  const { table, format } = session;
  const intent = await getIntent(session, tenantId, id);
  const [[facts = { legs: [], corrections: [] }], extras, payees] = await Promise.all([
    findMoneyFacts(table, [intent]),
    findReviewState(table, intent),
    openPayees(table).of([intent]),
  ]);
  const { legs } = facts;
  const write = format === "table" ? groupAmount : String;
  return {
    ...intent,
    ...(legs.length > 0 && { legs }),
    ...reviewIn(extras),
    money: describeMoney(intent, { ...facts, payees }).map((part) => moneyLine(part, write)),
    corrections: facts.corrections.map((one) => ({ ...toCorrectionAnswer(one), recordId: one.recordId })),
  };
}

const reviewIn = ({ underReview }: IntentExtras) =>
  underReview === undefined ? {} : { underReview: `since ${underReview.since}: ${underReview.about.join(", ")}` };

/** A part of a payment's money as a line of a table. */
const moneyLine = (
  { part, order, state, payerAmount, payeeAmount, isOwedBack, returnedAt, executionId }: MoneyPart,
  write: (amount: string) => string,
) => ({
  part,
  order,
  state,
  payerAmount: payerAmount && write(payerAmount.amount),
  payerCurrency: payerAmount?.currency,
  payeeAmount: payeeAmount && write(payeeAmount.amount),
  payeeCurrency: payeeAmount?.currency,
  ...(isOwedBack === true && { isOwedBack }),
  ...(returnedAt !== undefined && { returnedAt }),
  executionId,
});

/** A list is read by so many payments at a time. */
const PAGE = 1_000;

async function list(session: Session, { tenant, limit, ...asked }: ListOptions): Promise<void> {
  const tenantIds = await tenantsOf(session, tenant);
  // One more than is shown tells whether there are more.
  const found = await ofEach(tenantIds, (tenantId) => newest(session, tenantId, { ...asked, limit: limit + 1 }));
  // An id begins with the time at which it was made.
  const sorted = found.toSorted((one, other) => (one.payment.id < other.payment.id ? 1 : -1));
  const rows = await describePayments(session.table, sorted.slice(0, limit));
  printAll(session, rows, tenant === undefined ? paymentView : tenantsView);
  const last = rows.at(-1);
  if (sorted.length > limit && last !== undefined) process.stderr.write(`there are more: --after ${last.id}\n`);
}

/** The newest payments of a tenant, `limit` at most. */
async function newest({ table }: Session, tenantId: string, { status, limit, after }: ListOptions) {
  const filter = { ...(status !== undefined && { status }), ...(after !== undefined && { id: { $lt: after } }) };
  const found: Parameters<typeof describePayments>[1][number][] = [];
  let cursor: string | undefined;
  do {
    const part = { limit: Math.min(PAGE, limit - found.length), skip: 0, ...(cursor !== undefined && { cursor }) };
    const query = { filter, sort: [], population: [], stripped: [], ...part };
    const page = await listRecords(table, tenantId, "INTENT", query);
    if (!page.ok) throw new Error(`A list of intents was refused: ${page.failure.kind}`);
    found.push(...page.value.items.map((payment) => ({ tenantId, payment })));
    cursor = page.value.nextCursor;
  } while (cursor !== undefined && found.length < limit);
  return found;
}

async function printAudit(session: Session, tenantId: string, id: string): Promise<void> {
  const moments = timelineOf(await readStory(session, tenantId, id), session.format === "table" ? groupAmount : String);
  printAll(
    session,
    moments.map(({ booked: _, ...moment }) => moment),
  );
}

/** All that is stored of an intent. Refuses an id that does not exist, or that is another tenant's. */
export async function readStory(session: Session, tenantId: string, id: string): Promise<Story> {
  const { table } = session;
  const intent = await getIntent(session, tenantId, id);
  const paymentIds = intent.executions.flatMap(({ connectorPaymentIds }) => connectorPaymentIds);
  const [audit, ledger, commissions, reconciliations, corrections, timer] = await Promise.all([
    listAudit(table, intent),
    listLedger(table, intent),
    findCommissions(table, tenantId, paymentIds),
    findReconciliations(table, tenantId, id),
    listCorrections(table, intent),
    findWait(session, intent),
  ]);
  return { intent, audit: eventsOf(audit), ledger, commissions, reconciliations, corrections, timer };
}

/** The timer of an intent, or the next time at which its rail is asked. */
async function findWait({ table, settings }: Session, intent: PaymentIntent): Promise<Timer | undefined> {
  const watch = watchFor(intent);
  if (watch === undefined) return findTimer(table, intent.tenantId, intent.id);
  const { POLL_INTERVAL_SECONDS: interval, RECOVERY_AFTER_SECONDS: recovery } = await settings();
  const points = { pollIntervalMs: interval * 1000, recoveryAfterMs: recovery * 1000 };
  return { kind: "poll", dueAtMs: nextAskMs(watch, Date.now(), points) };
}
