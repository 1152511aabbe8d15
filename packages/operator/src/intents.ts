import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { nextAskMs } from "@intents/domain/intents/points.ts";
import { type IntentStatus, intentStatuses } from "@intents/domain/intents/statuses.ts";
import type { Timer } from "@intents/domain/intents/timer.ts";
import { watchFor } from "@intents/domain/intents/watch.ts";
import { describePayments } from "@intents/execution/search/describe.ts";
import { listAudit } from "@intents/storage/audit/intents.ts";
import { findCommissions } from "@intents/storage/commissions/commissions.ts";
import { listLegs } from "@intents/storage/intents/batch-legs.ts";
import { listLedger } from "@intents/storage/intents/ledger.ts";
import { listReconciliations } from "@intents/storage/intents/reconciliation.ts";
import { findTimer } from "@intents/storage/intents/timers.ts";
import { listRecords } from "@intents/storage/lists/lists.ts";
import { type Command, Option } from "commander";
import { getIntent, operationCommands } from "./intent-operations.ts";
import { limitOption, print, printAll } from "./output.ts";
import { toColumns } from "./payment-rows.ts";
import { openSession, type Session } from "./session.ts";
import { tenantOption } from "./tenants.ts";
import { timelineOf } from "./timeline.ts";

type TenantOption = Readonly<{ tenant: string }>;

export function intentCommands(program: Command): void {
  const intents = program.command("intents").description("payments: what they are, what became of them, and by hand");
  intents
    .command("list")
    .description("newest first")
    .addOption(tenantOption())
    .addOption(new Option("--status <status>", "only those in it").choices(intentStatuses))
    .addOption(limitOption())
    .action(async (options: TenantOption & Readonly<{ status?: IntentStatus; limit: number }>, command: Command) => {
      await list(await openSession(command), options);
    });
  intents
    .command("show")
    .description("all of it, as it is stored")
    .argument("<id>")
    .addOption(tenantOption())
    .action(async (id: string, { tenant }: TenantOption, command: Command) => {
      const session = await openSession(command);
      const intent = await getIntent(session, tenant, id);
      const legs = intent.bulkProgress === undefined ? [] : await listLegs(session.table, intent);
      print(session, { ...intent, ...(legs.length > 0 && { legs }) });
    });
  intents
    .command("timeline")
    .description("its whole story: audit, executions, ledger, reconciliation, and what it waits for")
    .argument("<id>")
    .addOption(tenantOption())
    .action(async (id: string, { tenant }: TenantOption, command: Command) => {
      await tell(await openSession(command), tenant, id);
    });
  operationCommands(intents);
}

async function list(
  session: Session,
  { tenant, status, limit }: TenantOption & Readonly<{ status?: IntentStatus; limit: number }>,
): Promise<void> {
  const filter = status === undefined ? {} : { status };
  const query = { filter, sort: [], population: [], stripped: [], skip: 0, limit };
  const page = await listRecords(session.table, tenant, "INTENT", query);
  if (!page.ok) throw new Error(`A list of intents was refused: ${page.failure.kind}`);
  const payments = page.value.items.map((payment) => ({ tenantId: tenant, payment }));
  const rows = await describePayments(session.table, payments);
  printAll(session, session.json ? rows : rows.map(toColumns));
}

async function tell(session: Session, tenantId: string, id: string): Promise<void> {
  const { table } = session;
  const intent = await getIntent(session, tenantId, id);
  const paymentIds = intent.executions.flatMap(({ connectorPaymentIds }) => connectorPaymentIds);
  const [audit, ledger, commissions, reconciliations, timer] = await Promise.all([
    listAudit(table, intent),
    listLedger(table, intent),
    findCommissions(table, tenantId, paymentIds),
    listReconciliations(table, tenantId),
    findWait(session, intent),
  ]);
  const own = reconciliations.filter(({ intentId }) => intentId === id);
  const earned = [...commissions.values()];
  printAll(session, timelineOf({ intent, audit, ledger, commissions: earned, reconciliations: own, timer }));
}

/** The timer of an intent, or the next time at which its rail is asked. */
async function findWait({ table, settings }: Session, intent: PaymentIntent): Promise<Timer | undefined> {
  const watch = watchFor(intent);
  if (watch === undefined) return findTimer(table, intent.tenantId, intent.id);
  const { POLL_INTERVAL_SECONDS: interval, RECOVERY_AFTER_SECONDS: recovery } = await settings();
  const points = { pollIntervalMs: interval * 1000, recoveryAfterMs: recovery * 1000 };
  return { kind: "poll", dueAtMs: nextAskMs(watch, Date.now(), points) };
}
