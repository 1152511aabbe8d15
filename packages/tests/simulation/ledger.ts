import { createHash } from "node:crypto";
import type { TransactWriteCommandInput } from "@aws-sdk/lib-dynamodb";
import type { BatchLeg } from "@intents/domain/batches/batch.ts";
import { intentEvents } from "@intents/domain/intents/audit-event.ts";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { HISTORY_MAX, moves } from "@intents/domain/intents/states.ts";
import { type IntentStatus, isTerminal } from "@intents/domain/intents/statuses.ts";
import type { PaymentOrder } from "@intents/domain/rails/rail.ts";
import type { Item } from "./items.ts";

/** A state that must never be seen. */
export class Violation extends Error {}

export function must(holds: boolean, claim: string): asserts holds {
  if (!holds) throw new Violation(claim);
}

type Event = Readonly<{ event: string; data?: object }>;
type Entry = Readonly<{ events: readonly Event[]; previous: string | null; intentId: string }>;

/** The data fields that an audit entry of each name may carry. */
const carriedBy = new Map<string, readonly string[]>(
  Object.entries(intentEvents).map(([name, { shows, keeps }]) => [`paymentIntent.${name}`, [...shows, ...keeps]]),
);

const legalSteps = new Set(
  Object.values(moves).flatMap(({ from, to }) => from.map((status: IntentStatus) => `${status}>${to}`)),
);
export const executed: readonly IntentStatus[] = ["executing", "completed", "failed", "partially_completed"];

export type Ledger = ReturnType<typeof openLedger>;

/** Remembers all that was written and paid, and throws at once when the two contradict each other. */
export function openLedger(now: () => number) {
  const intents = new Map<string, PaymentIntent>();
  /** Each intent as it was created. */
  const firsts = new Map<string, PaymentIntent>();
  const chains = new Map<string, { head: string | null; events: string[] }>();
  /** The one execution that a rail took, by intent and recipient of a batch. */
  const paid = new Map<string, string>();
  /** The times at which rails took executions: a rail that has forgotten one would take it a second time. */
  const takenAt = new Map<string, string>();
  /** The time until which a worker may be asking a rail about a recipient of a batch, by the recipient's execution. */
  const leases = new Map<string, number>();
  /** The batches that an operator was told are held, with the time of that hold. */
  const held = new Map<string, string | undefined>();
  /** An intent as it was created, and as it is. */
  const versionsOf = (id: string): PaymentIntent[] => [firsts.get(id) ?? [], intents.get(id) ?? []].flat();
  const paidFor = (id: string) =>
    [...paid].filter(([key]) => key.startsWith(`${id}:`)).map(([, execution]) => execution);

  function seeItem(item: Item): void {
    const doc = String(item["doc"]);
    if (item["SK"] === "INTENT") seeIntent(JSON.parse(doc) as PaymentIntent);
    if (String(item["SK"]).startsWith("LEG#")) seeLeg(JSON.parse(doc) as BatchLeg);
    // The audit entries of operators form no chain.
    if (String(item["PK"]).includes("#AUDIT#") && item["hash"] !== undefined)
      seeEntry(JSON.parse(doc) as Entry, doc, String(item["hash"]));
  }

  function seeLeg({ executionId, leaseUntilMs }: BatchLeg): void {
    if (leaseUntilMs > 0) leases.set(executionId, leaseUntilMs);
  }

  function seeIntent(after: PaymentIntent): void {
    const { id, status } = after;
    const before = intents.get(id);
    must(
      after.version === (before?.version ?? 0) + 1,
      `${id} goes from version ${before?.version} to ${after.version}`,
    );
    if (before === undefined) must(status === "draft", `${id} begins as ${status}`);
    else {
      must(!isTerminal(before.status) || before.status === status, `${id} leaves ${before.status} for ${status}`);
      const kept = before.statusHistory.length < HISTORY_MAX;
      const past = after.statusHistory.slice(0, before.statusHistory.length);
      must(!kept || JSON.stringify(past) === JSON.stringify(before.statusHistory), `${id} rewrites its history`);
    }
    const steps = after.statusHistory.map((step) => step.status);
    must(steps.at(-1) === status, `${id} is ${status} and its history ends with ${steps.at(-1)}`);
    for (const [index, to] of steps.slice(1).entries()) {
      must(legalSteps.has(`${steps[index]}>${to}`), `${id} went from ${steps[index]} to ${to}`);
    }
    if (before === undefined) firsts.set(id, after);
    intents.set(id, after);
    seeLegs(after);
  }

  /** Checks that the rail has no payment without a record, and that no record claims a payment that the rail lacks. */
  function seeLegs(intent: PaymentIntent): void {
    const { id, status, executions, submission } = intent;
    const known = new Set([...executions.map(({ executionId }) => executionId), submission?.executionId]);
    const stray = paidFor(id).filter((executionId) => !known.has(baseOf(executionId)));
    must(stray.length === 0, `${id} is ${status} and the rail holds ${stray.join(", ")}, of which it knows nothing`);
    if (intent.deliveryMode === "reusable_payment_link" || intent.deliveryMode === "bulk") return;
    if (executed.includes(status)) must(paidFor(id).length === 1, `${id} is ${status} without a payment`);
    if (executed.includes(status)) must(executions.length === 1, `${id} has ${executions.length} executions`);
    if (status === "draft" && submission === undefined) must(paidFor(id).length === 0, `${id} is a draft and was paid`);
  }

  function seeEntry({ events, previous, intentId }: Entry, doc: string, hash: string): void {
    for (const { event, data = {} } of events) {
      const strays = Object.keys(data).filter((name) => !carriedBy.get(event)?.includes(name));
      must(carriedBy.has(event) && strays.length === 0, `the audit entry ${event} carries ${strays}, or is no event`);
    }
    const names = events.map(({ event }) => event);
    const chain = chains.get(intentId) ?? { head: null, events: [] };
    must(previous === chain.head, `the audit entry ${names} of ${intentId} does not follow the one before`);
    must(
      createHash("sha256").update(doc).digest("hex") === hash,
      `the audit entry ${names} of ${intentId} was changed`,
    );
    chains.set(intentId, { head: hash, events: [...chain.events, ...names] });
  }

  function seeTransaction({ TransactItems = [] }: TransactWriteCommandInput): void {
    for (const item of TransactItems.flatMap(({ Put }) => Put?.Item ?? [])) seeItem(item);
  }

  function seeAccepted(order: PaymentOrder, executionId: string, acceptedAt: string): void {
    const first = takenAt.get(executionId) ?? acceptedAt;
    must(first === acceptedAt, `${executionId} was paid at ${first}, forgotten, and paid again at ${acceptedAt}`);
    const isNew = !takenAt.has(executionId);
    takenAt.set(executionId, acceptedAt);
    const key = `${order.intentId}:${executionId.split(":")[1] ?? "only"}`;
    const other = paid.get(key);
    must(other === undefined || other === executionId, `${key} was paid by ${other} and by ${executionId}`);
    paid.set(key, executionId);
    const intent = intents.get(order.intentId);
    must(intent !== undefined, `${order.intentId} was paid before it was stored`);
    // Only a live lease counts, because a worker that stood still for longer than its lease may ask at any time.
    const isLive = (leases.get(executionId) ?? 0) > now();
    const isHeld = intent.stopped?.how === "held" && held.get(intent.id) === intent.stopped.at;
    must(!(isNew && isLive && isHeld), `${executionId} was paid while its batch was held`);
    seeLegs(intent);
  }

  return { intents, versionsOf, chains, held, takenAt, paidFor, seeTransaction, seeAccepted };
}

/** The execution of the batch that a recipient's execution belongs to. */
const baseOf = (executionId: string): string => executionId.split(":")[0] ?? executionId;
