import { changedAt } from "@intents/domain/changed-at.ts";
import type { Actor, OperatorEventName } from "@intents/domain/intents/audit-event.ts";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { fail, ok, type Result } from "@intents/domain/result.ts";
import { findIntent } from "@intents/storage/intents/intents.ts";
import { change } from "../change.ts";
import type { Run } from "../run.ts";
import type { Obstacle } from "./obstacle.ts";

/** An intent, the operator who acts on it by hand, and the reason; the audit holds the latter two. */
export type Operation = Readonly<{ tenantId: string; intentId: string; operator: string; reason: string }>;

/** The intent after an operation. */
export type Operated = Result<PaymentIntent, Obstacle>;

/** The work of the operation. */
export type Planned = Result<() => Promise<Operated>, Obstacle>;

/** The rail's own payment ids of recipients of a batch, by their order, where the rail never told them. */
export type RailPaymentIds = ReadonlyMap<number, string>;

/** An operator's knowledge of a payment that the service lost track of. */
export type Resolution =
  /** The rail has the payment after all. The rail's own id of it is needed if the service was never told it. */
  | Readonly<{ as: "executing"; railPaymentId?: string; railPaymentIds?: RailPaymentIds }>
  /** The rail has confirmed that no money will move. */
  | Readonly<{ as: "cancelled" }>
  /** The payment has ended: `cleared` names the recipients (by `order`) whose money arrived. */
  | Readonly<{ as: "settled"; cleared: "all" | readonly number[]; railPaymentIds?: RailPaymentIds }>;

/** The name of whoever operates the service, and why a payment ended by hand, as tenants are told. The audit has more. */
export const OPERATOR = "operator";
export const BY_HAND = "Ended by an operator of the service";

/** Stores an operator's change of an intent whose execution stays as it is; `name` is that of the audit event. */
export async function changeByHand(
  run: Run,
  before: PaymentIntent,
  changed: PaymentIntent,
  operation: Operation,
  name: OperatorEventName,
): Promise<Operated> {
  const after = { ...changed, updatedAt: changedAt(before.updatedAt, run.now()) };
  const data = { cause: operation.reason };
  const written = await change(run, { before, after, events: [{ name, actor: operatorOf(operation), data }] });
  return written.done ? ok(written.intent) : fail({ kind: "changed" });
}

export const operatorOf = ({ operator }: Operation): Actor<"operator"> => ({ cause: "operator", name: operator });

/** The intent of an operation as it is stored. */
export const findOperated = (run: Run, { tenantId, intentId }: Operation): Promise<Operated> =>
  reread(run, { tenantId, id: intentId });

export async function reread(run: Run, { tenantId, id }: Pick<PaymentIntent, "tenantId" | "id">): Promise<Operated> {
  const found = await findIntent(run.table, tenantId, id);
  return found.ok ? ok(found.value) : fail({ kind: "no_intent" });
}
