import { addAmounts } from "@intents/domain/amounts/money.ts";
import { planRequest } from "@intents/domain/commissions/request.ts";
import { newRecordId } from "@intents/domain/ids.ts";
import type { Caller } from "@intents/domain/parties/caller.ts";
import { decideRequest, submitRequest } from "@intents/execution/commissions/requests.ts";
import { operatorAudit } from "@intents/storage/audit/operators.ts";
import { findCommissions } from "@intents/storage/commissions/commissions.ts";
import type { Ledger } from "./ledger.ts";
import type { Random } from "./random.ts";
import type { SimulatedWorld } from "./world.ts";

/** The number of commissions that one transaction takes here: few, so that requests have several parts. */
const CHUNK = 2;

/** A tenant that requests its earned commissions, and operators who pay or reject the requests. */
export function openRequests(
  { table, run }: SimulatedWorld,
  random: Random,
  ledger: Ledger,
  { tenantId }: Pick<Caller, "tenantId">,
) {
  const requestIds: string[] = [];

  async function request(): Promise<void> {
    const ended = [...ledger.intents.values()]
      .filter((intent) => intent.status === "completed" && intent.tenantId === tenantId)
      .slice(-12);
    const paymentIds = ended
      .flatMap(({ executions }) => executions.flatMap(({ connectorPaymentIds }) => connectorPaymentIds))
      .filter(() => random.chance(0.7));
    const stored = await findCommissions(table, tenantId, paymentIds);
    const [currency] = stored.map(({ commission }) => commission.commissionCurrency);
    const wanted = stored
      .map(({ commission }) => commission)
      .filter(({ commissionCurrency }) => commissionCurrency === currency);
    if (wanted.length === 0) return;
    const commissionTotalAmount = addAmounts(...wanted.map(({ commissionAmount }) => commissionAmount));
    const requestId = newRecordId(run.now(), random.bytes);
    const planned = planRequest(
      { paymentIds: wanted.map(({ paymentId }) => paymentId), commissionTotalAmount },
      stored,
      { requestId, createdOn: new Date(run.now()).toISOString() },
    );
    if (!planned.ok) return;
    requestIds.push(requestId);
    await submitRequest(run, tenantId, planned.value, CHUNK);
  }

  async function decide(): Promise<void> {
    if (requestIds.length === 0) return;
    const requestId = random.pick(requestIds.slice(-5));
    const isPaid = random.chance(0.5);
    const audit = operatorAudit(table, tenantId, {
      ...{ operator: "olga", atMs: run.now(), action: "requests.decide", reason: "simulated", data: { requestId } },
    });
    const proof = { objectKey: `requests/${tenantId}/proof`, fileName: "proof.pdf" };
    await decideRequest(
      run,
      { tenantId, requestId },
      isPaid ? { status: "paid", proof } : { status: "rejected", reason: "simulated" },
      audit,
    );
  }

  return { request, decide };
}
