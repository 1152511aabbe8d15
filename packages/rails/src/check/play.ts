import type { PaymentOrder } from "@intents/domain/rails/rail.ts";
import { askStatus, type Context } from "./moves.ts";
import { openOrders } from "./orders.ts";
import { points } from "./points.ts";

/** The outcome of one point: kept, broken with what was found, or not seen because the rail had no occasion. */
export type Verdict = Readonly<{
  point: string;
  verdict: "kept" | "broken" | "not seen";
  found?: string;
  costs: string;
}>;

/** Plays all points, and calls off what it made. */
export async function playPoints(
  means: Omit<Context, "orders" | "accepted" | "startedMs">,
): Promise<Readonly<{ verdicts: Verdict[]; left: string[] }>> {
  const context = { ...means, orders: openOrders(), accepted: new Map<string, PaymentOrder>(), startedMs: means.now() };
  const verdicts: Verdict[] = [];
  for (const { point, costs, play } of points) {
    const found = await play(context);
    if (found === undefined) verdicts.push({ point, verdict: "kept", costs });
    else if (typeof found === "string") verdicts.push({ point, verdict: "broken", found, costs });
    else verdicts.push({ point, verdict: "not seen", found: found.notSeen, costs });
  }
  const left: string[] = [];
  for (const [executionId, { tenantId }] of context.accepted) {
    const answer = await askStatus(context, "DELETE", tenantId, executionId);
    if (typeof answer === "string" || !["cancelled", "settled"].includes(answer.kind)) left.push(executionId);
  }
  return { verdicts, left };
}
