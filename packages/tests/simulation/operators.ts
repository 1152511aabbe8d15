import { type ClaimedIntent, isClaimed, type PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { orderOf } from "@intents/domain/intents/payment-order.ts";
import type { PaymentOrder, StatusAnswer } from "@intents/domain/rails/rail.ts";
import { holdBatch, resumeBatch } from "@intents/execution/operations/batch.ts";
import type { Operation, Resolution } from "@intents/execution/operations/operation.ts";
import { cancelIntent, loseTrackOfIntent, resolveIntent } from "@intents/execution/operations/payment.ts";
import { listLegs } from "@intents/storage/intents/batch-legs.ts";
import { findIntent } from "@intents/storage/intents/intents.ts";
import type { Ledger } from "./ledger.ts";
import type { Random } from "./random.ts";
import type { Scheduler } from "./scheduler.ts";
import type { SimulatedWorld } from "./world.ts";

const deeds = { cancel: 4, hold: 6, resume: 5, "lose track of": 4, resolve: 8 };
export type Deed = keyof typeof deeds;

/** Operators at work on payments: careful ones, who ask the rail itself before they tell how a payment stands. */
export function openOperators({ run, sandboxes }: SimulatedWorld, scheduler: Scheduler, ledger: Ledger) {
  const tenantOf = (id: string): string => ledger.intents.get(id)?.tenantId ?? "";
  const by = (intentId: string): Operation => ({
    ...{ tenantId: tenantOf(intentId), intentId, operator: "olga", reason: "simulated" },
  });
  /** The rail that an intent's claim or execution names; calls to it do not go through the scheduler. */
  const railOf = ({ submission, rail: taken }: PaymentIntent) =>
    sandboxes.find(({ port: rail }) => rail.rail.name === (submission?.rail ?? taken)?.name)?.port;
  /** The rail's answer about an execution. */
  const asked = (intent: PaymentIntent, executionId: string): Promise<StatusAnswer> =>
    scheduler.outside(
      async () => (await railOf(intent)?.status(intent.tenantId, executionId)) ?? { kind: "not_found" },
    );

  /**
   * Makes the rail refuse an execution for good; if it has taken it already, gives the rail's own id of the payment.
   * The statements of the bank still show payments that the rail has forgotten.
   */
  const block = (intent: PaymentIntent, { order, executionId }: Blocked): Promise<string | undefined> =>
    scheduler.outside(async () => {
      const refused = { ...order, legs: order.legs.map((leg) => ({ ...leg, reference: "SANDBOX-DUPLICATE" })) };
      if (ledger.takenAt.has(executionId)) return `statement ${executionId}`;
      const answer = await railOf(intent)?.execute(refused, executionId);
      return answer?.kind === "accepted" ? answer.railPaymentId : undefined;
    });

  async function resolve(id: string): Promise<void> {
    const found = await findIntent(run.table, tenantOf(id), id);
    if (!found.ok || found.value.status !== "requires_recovery") return;
    const intent = found.value;
    const resolution = isClaimed(intent)
      ? await resolutionOfClaim(intent)
      : intent.bulkProgress === undefined
        ? await resolutionOfPayment(intent)
        : await resolutionOfBatch(intent);
    await resolveIntent(run, by(id), resolution);
  }

  async function resolutionOfClaim(intent: ClaimedIntent): Promise<Resolution> {
    const { work, executionId } = intent.submission;
    if (work.kind === "bulk") return { as: "cancelled" };
    const railPaymentId = await block(intent, { order: orderOf(intent, work.order), executionId });
    return railPaymentId === undefined ? { as: "cancelled" } : { as: "executing", railPaymentId };
  }

  async function resolutionOfPayment(intent: PaymentIntent): Promise<Resolution> {
    const answer = await asked(intent, intent.executions.at(-1)?.executionId ?? "");
    if (answer.kind === "pending") return { as: "executing" };
    if (answer.kind === "cancelled") return { as: "cancelled" };
    // A rail that has forgotten a payment has paid it long ago.
    if (answer.kind !== "settled") return { as: "settled", cleared: "all" };
    return {
      as: "settled",
      cleared: answer.legs.flatMap(({ order, outcome }) => (outcome === "cleared" ? order : [])),
    };
  }

  async function resolutionOfBatch(intent: PaymentIntent): Promise<Resolution> {
    const legs = await listLegs(run.table, intent);
    const railPaymentIds = new Map<number, string>();
    const cleared: number[] = [];
    let isPending = false;
    for (const { order, executionId, payment, status, claimedAtMs } of legs) {
      if (status === "pending" && claimedAtMs !== undefined) {
        const railPaymentId = await block(intent, { order: payment, executionId });
        if (railPaymentId !== undefined) railPaymentIds.set(order, railPaymentId);
      }
      const isTaken = status === "executing" || railPaymentIds.has(order);
      const answer: StatusAnswer = isTaken ? await asked(intent, executionId) : { kind: "cancelled", reason: "" };
      isPending ||= answer.kind === "pending";
      const ended = answer.kind === "settled" ? answer.legs.find((leg) => leg.order === order) : undefined;
      if (answer.kind === "not_found" || ended?.outcome === "cleared") cleared.push(order);
    }
    // A recipient that was not sent anything yet is not given up either.
    const isWhole = legs.every(({ status, claimedAtMs }) => status !== "pending" || claimedAtMs !== undefined);
    return isPending || !isWhole ? { as: "executing", railPaymentIds } : { as: "settled", cleared, railPaymentIds };
  }

  const act: Record<Deed, (id: string) => Promise<unknown>> = {
    cancel: (id) => cancelIntent(run, by(id)),
    hold: async (id) => {
      const held = await holdBatch(run, by(id));
      if (held.ok) ledger.held.set(id, held.value.stopped?.at);
    },
    resume: (id) => resumeBatch(run, by(id)),
    "lose track of": (id) => loseTrackOfIntent(run, by(id)),
    resolve,
  };
  const isBatch = ({ bulkProgress }: PaymentIntent) => bulkProgress !== undefined;
  return {
    choose: (random: Random): Deed => random.weighted(deeds),
    /** The intents that each deed is meant for. */
    aims: {
      cancel: () => true,
      hold: isBatch,
      resume: isBatch,
      "lose track of": ({ status }: PaymentIntent) => status === "executing",
      resolve: ({ status }: PaymentIntent) => status === "requires_recovery",
    } satisfies Record<Deed, (intent: PaymentIntent) => boolean>,
    act: (deed: Deed, id: string) => act[deed](id),
    /** The deed that the intent needs before it can come to an end, if any. */
    awaits: ({ status, stopped }: PaymentIntent): Deed | undefined =>
      status === "requires_recovery" ? "resolve" : stopped?.how === "held" ? "resume" : undefined,
  };
}

type Blocked = Readonly<{ order: PaymentOrder; executionId: string }>;
