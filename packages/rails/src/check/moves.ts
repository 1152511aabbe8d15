import type { PaymentOrder } from "@intents/domain/rails/rail.ts";
import { ExecuteReply, Problem, parseJson, StatusReply } from "../http/contract.ts";
import { type Ask, answerIn, type RailReply } from "./asking.ts";
import type { openOrders } from "./orders.ts";

/** The state that the points of one run share. */
export type Context = Readonly<{
  ask: Ask;
  orders: ReturnType<typeof openOrders>;
  /** Payments that the rail has accepted, with their orders. */
  accepted: Map<string, PaymentOrder>;
  startedMs: number;
  settleWithinMs: number;
  now: () => number;
  pause: (ms: number) => Promise<unknown>;
}>;

export const paymentOf = (executionId: string) => ["payments", executionId];

/** Sends an order, and remembers it where the rail accepts it. */
export async function execute({ ask, accepted }: Context, order: PaymentOrder, executionId: string) {
  const answer = await ask({ method: "PUT", path: paymentOf(executionId), body: order });
  const reply = answerIn(answer, ExecuteReply);
  if (typeof reply === "string") return reply;
  if (reply.tenantId !== order.tenantId || reply.executionId !== executionId)
    return "an answer that repeats another tenantId or executionId";
  if (reply.answer.kind === "accepted" && !accepted.has(executionId)) accepted.set(executionId, order);
  return reply.answer;
}

/** Sends an order of its own, which the rail must accept. */
export async function accept(context: Context, changes: Partial<PaymentOrder> = {}) {
  const order = context.orders.newOrder(changes);
  const executionId = context.orders.newExecutionId();
  const answer = await execute(context, order, executionId);
  if (typeof answer === "string") return answer;
  return answer.kind === "accepted" ? { order, executionId, answer } : `${answer.kind} instead of accepted`;
}

/** How an execution stands, or stands after it was called off. */
export async function askStatus({ ask }: Context, method: "GET" | "DELETE", tenantId: string, executionId: string) {
  const answer = await ask({ method, path: paymentOf(executionId), query: { tenantId } });
  const reply = parseJson(StatusReply, answer.body);
  if (reply === undefined) return `an answer that breaks the schema: ${answer.status} ${answer.body.slice(0, 200)}`;
  if (reply.tenantId !== tenantId || reply.executionId !== executionId) return "an answer about another execution";
  if ((answer.status === 404) !== (reply.answer.kind === "not_found") || ![200, 404].includes(answer.status))
    return `${reply.answer.kind} with status ${answer.status}`;
  return reply.answer;
}

export const isNotFound = (answer: Awaited<ReturnType<typeof askStatus>>): string | undefined =>
  typeof answer === "string" ? answer : answer.kind === "not_found" ? undefined : `${answer.kind} instead of not_found`;

/** A refusal that promises that nothing happened. */
export function promisesNothing({ status, body }: RailReply, ...expected: readonly number[]): string | undefined {
  const outcome = parseJson(Problem, body)?.outcome;
  if (!expected.includes(status)) return `answered ${status} instead of ${expected.join(" or ")}`;
  return outcome === "not_accepted" ? undefined : `outcome ${outcome ?? "missing"} instead of not_accepted`;
}
