import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import type { CorrectedOutcome } from "@intents/domain/standing/correction.ts";
import { closeWith, planClose } from "@intents/execution/operations/correction.ts";
import { type AskedAbout, recordLateAnswer } from "@intents/execution/rails/late-words.ts";
import { lookInto } from "@intents/execution/settle/poll.ts";
import { listLegs } from "@intents/storage/intents/batch-legs.ts";
import { findIntent } from "@intents/storage/intents/intents.ts";
import { reviewCommissions } from "@intents/storage/reviews/commissions.ts";
import { listReconciliations, type Reconciliation, reconciliationId } from "@intents/storage/reviews/reconciliation.ts";
import type { Ledger } from "./ledger.ts";
import type { Random } from "./random.ts";
import type { Scheduler } from "./scheduler.ts";
import { caller, type SimulatedWorld } from "./world.ts";

const fates = { settle: 3, fail: 2, receive: 2, return: 5 };

/** The rails and the banks behind them, which change what becomes of a payment's money, also after its end. */
export function openFates(
  { table, run, sandboxes }: SimulatedWorld,
  random: Random,
  scheduler: Scheduler,
  ledger: Ledger,
) {
  const { tenantId } = caller;
  const reviewing = { ...run, reviewCommissions };
  /** The payments whose fate was changed: their rail's word may have been lost. */
  const changed = new Map<string, AskedAbout>();
  const railOf = ({ rail: taken }: PaymentIntent) =>
    sandboxes.find(({ port }) => port.rail.name === taken?.name) ?? sandboxes[0];

  /** Changes the fate of a payment that a rail has taken; undefined where nothing changes. */
  async function change(): Promise<AskedAbout | undefined> {
    const intents = [...ledger.intents.values()].filter(
      ({ executions, deliveryMode }) => executions.length > 0 && deliveryMode !== "reusable_payment_link",
    );
    if (intents.length === 0) return undefined;
    const intent = random.pick(intents.slice(-8));
    const legs = await scheduler.outside(() => listLegs(table, intent));
    const { executionId = "", order } =
      legs.length === 0 ? { ...intent.executions.at(-1), order: undefined } : random.pick(legs);
    const how = random.weighted(fates);
    const decided = await scheduler.outside(async () => railOf(intent)?.decide(tenantId, executionId, { how }));
    if (decided?.ok !== true) return undefined;
    const about = { tenantId, id: intent.id, executionId, ...(order !== undefined && { order }) };
    changed.set(executionId, about);
    return about;
  }

  /** Lets the service hear what the rail says of a payment now. */
  async function tell(about: AskedAbout): Promise<void> {
    const found = await findIntent(table, tenantId, about.id);
    const told = found.ok ? await railOf(found.value)?.port.status(tenantId, about.executionId) : undefined;
    if (told === undefined) return;
    if (about.order === undefined) await lookInto(reviewing, about, told);
    else await recordLateAnswer(reviewing, about, told);
  }

  /** Closes a record with what the rail says of each of its recipients, once that is final. */
  async function close(record: Reconciliation): Promise<void> {
    const { intentId, executionId } = record;
    const found = await findIntent(table, tenantId, intentId);
    if (!found.ok) return;
    const intent = found.value;
    const told = await scheduler.outside(async () => railOf(intent)?.port.status(tenantId, executionId));
    if (told?.kind !== "settled" && told?.kind !== "cancelled") return;
    const legs = [...(intent.executions.at(-1)?.legs ?? []), ...(await listLegs(table, intent))];
    const wasPaid = (order: number) => legs.some((leg) => leg.order === order && leg.status === "cleared");
    const isPaid = (order: number) =>
      told.kind === "settled" && told.legs.some((leg) => leg.order === order && leg.outcome === "cleared");
    const [, named] = executionId.split(":");
    const orders = named === undefined ? (record.recipients ?? legs).map(({ order }) => order) : [Number(named)];
    const outcomes = orders.map((order): [number, CorrectedOutcome] => [
      order,
      isPaid(order) ? "arrived" : wasPaid(order) ? "cameBack" : "neverMoved",
    ]);
    const planned = await planClose(table, tenantId, reconciliationId(record), new Map(outcomes));
    if (!planned.ok) return;
    const by = { operator: "olga", action: "reconciliation.close", reason: "simulated", atMs: run.now() };
    await closeWith(run, planned.value, by);
  }

  const findOpen = async () =>
    (await listReconciliations(table, tenantId)).filter(
      ({ closed, kind }) => closed === undefined && kind !== "paid_after_close",
    );
  return {
    change,
    tell,
    close: async () => {
      const open = await findOpen();
      if (open.length > 0) await close(random.pick(open));
    },
    /** All words are heard, and all records closed. */
    finish: async () => {
      for (const about of changed.values()) await tell(about);
      for (const record of await findOpen()) await close(record);
    },
  };
}
