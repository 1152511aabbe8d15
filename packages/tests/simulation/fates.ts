import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import type { CorrectedOutcome } from "@intents/domain/money-state/correction.ts";
import { closeWith, planClose } from "@intents/execution/operations/correction.ts";
import { type AskedAbout, recordLateAnswer } from "@intents/execution/rails/late-outcomes.ts";
import { applyAnswer } from "@intents/execution/settle/answer.ts";
import { listLegs } from "@intents/storage/intents/batch-legs.ts";
import { findIntent } from "@intents/storage/intents/intents.ts";
import { reviewCommissions } from "@intents/storage/reviews/commissions.ts";
import { listReconciliations, type Reconciliation, reconciliationId } from "@intents/storage/reviews/reconciliation.ts";
import type { Ledger } from "./ledger.ts";
import { type LieKind, lieKinds, lieOf } from "./lies.ts";
import type { Random } from "./random.ts";
import type { Scheduler } from "./scheduler.ts";
import { type SimulatedWorld, tenantIds } from "./world.ts";

const fates = { settle: 3, fail: 2, receive: 2, return: 5 };
/** A rail lies up to so many times about a payment. */
const LIES_MAX = 3;

/** The rails and the banks behind them, which change what becomes of a payment's money, also after its end. */
export function openFates(
  { table, run, sandboxes, lies }: SimulatedWorld,
  random: Random,
  scheduler: Scheduler,
  ledger: Ledger,
) {
  const reviewing = { ...run, reviewCommissions };
  /** The payments whose fate was changed: their rail's word may have been lost. */
  const changed = new Map<string, AskedAbout>();
  const railOf = ({ rail: taken }: PaymentIntent) =>
    sandboxes.find(({ port }) => port.rail.name === taken?.name) ?? sandboxes[0];

  /** One of the last payments that a rail has taken and that `fits`: of a batch, one recipient's. */
  async function choose(fits: (intent: PaymentIntent) => boolean = () => true) {
    const intents = [...ledger.intents.values()].filter(
      (intent) => intent.executions.length > 0 && intent.deliveryMode !== "reusable_payment_link" && fits(intent),
    );
    if (intents.length === 0) return undefined;
    const intent = random.pick(intents.slice(-8));
    const { tenantId, id } = intent;
    const legs = await scheduler.outside(() => listLegs(table, intent));
    const { executionId = "", order } =
      legs.length === 0 ? { ...intent.executions.at(-1), order: undefined } : random.pick(legs);
    const about: AskedAbout = { tenantId, id, executionId, ...(order !== undefined && { order }) };
    return { intent, about };
  }

  /** Changes the fate of a payment that a rail has taken; undefined where nothing changes. */
  async function change() {
    const chosen = await choose();
    if (chosen === undefined) return undefined;
    const { intent, about } = chosen;
    const how = random.weighted(fates);
    const decided = await scheduler.outside(async () =>
      railOf(intent)?.decide(about.tenantId, about.executionId, { how }),
    );
    if (decided?.ok !== true) return undefined;
    changed.set(about.executionId, about);
    return { how, about };
  }

  /** Lets a rail lie about the end of a payment that is under way, a few times. */
  async function lie(): Promise<LieKind | undefined> {
    const chosen = await choose(({ status }) => status === "executing");
    if (chosen === undefined) return undefined;
    const { intent, about } = chosen;
    const kind = random.weighted(lieKinds);
    const all = intent.executions.at(-1)?.legs ?? [];
    const orders = about.order === undefined ? all.map(({ order }) => order) : [about.order];
    const isPaid = () => random.chance(0.5);
    lies.tell(about.executionId, lieOf(kind, orders, isPaid), 1 + random.below(LIES_MAX));
    changed.set(about.executionId, about);
    return kind;
  }

  /** Lets the service hear what the rail says of a payment now. */
  async function report(about: AskedAbout): Promise<void> {
    const found = await findIntent(table, about.tenantId, about.id);
    const answer = found.ok ? await railOf(found.value)?.port.status(about.tenantId, about.executionId) : undefined;
    if (answer === undefined) return;
    if (about.order === undefined) await applyAnswer(reviewing, about, answer);
    else await recordLateAnswer(reviewing, about, answer);
  }

  /** Closes a record with what the rail says of each of its recipients, once that is final. */
  async function close(record: Reconciliation): Promise<void> {
    const { tenantId, intentId, executionId } = record;
    const found = await findIntent(table, tenantId, intentId);
    if (!found.ok) return;
    const intent = found.value;
    const answer = await scheduler.outside(async () => railOf(intent)?.port.status(tenantId, executionId));
    if (answer?.kind !== "settled" && answer?.kind !== "cancelled") return;
    const legs = [...(intent.executions.at(-1)?.legs ?? []), ...(await listLegs(table, intent))];
    const wasPaid = (order: number) => legs.some((leg) => leg.order === order && leg.status === "cleared");
    const isPaid = (order: number) =>
      answer.kind === "settled" && answer.legs.some((leg) => leg.order === order && leg.outcome === "cleared");
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
    (await Promise.all(tenantIds.map((tenantId) => listReconciliations(table, tenantId))))
      .flat()
      .filter(({ closed, kind }) => closed === undefined && kind !== "paid_after_close");
  return {
    change,
    lie,
    tell: report,
    close: async () => {
      const open = await findOpen();
      if (open.length > 0) await close(random.pick(open));
    },
    /** All words are heard, and all records closed. */
    finish: async () => {
      for (const about of changed.values()) await report(about);
      for (const record of await findOpen()) await close(record);
    },
  };
}
