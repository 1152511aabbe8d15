import { randomUUID } from "node:crypto";
import { decideRequest } from "@intents/execution/commissions/requests.ts";
import { operatorAudit } from "@intents/storage/audit/operators.ts";
import { putFile } from "@intents/storage/files/files.ts";
import { keysOf } from "@intents/storage/table/keys.ts";
import { commission, earnCommissions } from "@intents/storage/test/commission-fixture.ts";
import { pdf } from "../service/client.ts";
import { fieldsFor, mustRequest, pdfFile, requestForm } from "../service/commissions.ts";
import { fillLists } from "./lists.ts";
import { request } from "./request.ts";
import { type Operation, type Stage, TENANT } from "./stage.ts";

async function earn({ table }: Stage, count: number, paymentDate?: string) {
  const earned = Array.from({ length: count }, () => commission(paymentDate === undefined ? {} : { paymentDate }));
  await earnCommissions(table, TENANT, earned);
  return earned;
}

/** Makes a stage's data once, however many operations need it. */
function once<Made>(make: (stage: Stage) => Promise<Made>): (stage: Stage) => Promise<Made> {
  const made = new WeakMap<Stage, Promise<Made>>();
  return (stage) => {
    const known = made.get(stage) ?? make(stage);
    made.set(stage, known);
    return known;
  };
}
const fill = once(async (stage) => {
  await fillLists(stage);
  await earn(stage, 80);
  for (let count = 0; count < 20; count++) await asked(stage);
});
const ofFilled = (route: string, path: string) =>
  request(route, "GET", async (stage) => {
    await fill(stage);
    return path;
  });

const asked = async (stage: Stage, count = 1) =>
  (await mustRequest(stage.client, await earn(stage, count), pdfFile(pdf(), "invoice.pdf"))).requestId;

const requestPath =
  (rest = "", count = 1) =>
  async (stage: Stage) =>
    `/v2/commissions/requests/${await asked(stage, count)}${rest}`;

const newRequest = (count: number): Operation =>
  request("createCommissionRequest", "POST", "/v2/commissions/requests", async (stage) => ({
    form: requestForm(fieldsFor(await earn(stage, count))),
  }));

const decision = (count: number, isPaid: boolean): Operation => ({
  prepare: async (stage) => {
    const requestId = await asked(stage, count);
    return () => decide(stage, requestId, isPaid);
  },
});

async function decide({ table, run }: Stage, requestId: string, isPaid: boolean): Promise<void> {
  const proof = { objectKey: keysOf(TENANT).requestFile(randomUUID(), randomUUID()), fileName: "proof.pdf" };
  if (isPaid) await putFile(run.files, proof.objectKey, pdf(), "application/pdf");
  const change = { operator: "olga", atMs: Date.now(), action: "commission-requests.paid", reason: "ticket 7" };
  const outcome = isPaid ? { status: "paid" as const, proof } : { status: "rejected" as const, reason: "a mistake" };
  const decided = await decideRequest(
    run,
    { tenantId: TENANT, requestId },
    outcome,
    operatorAudit(table, TENANT, change),
  );
  if (!decided.ok) throw new Error(decided.failure.kind);
}

let months = 0;

/** A tenant's commissions, from their list to their payment. */
export const commissionOperations = {
  "the newest commissions": ofFilled("listCommissions", "/v2/commissions"),
  "what is outstanding": ofFilled("getOutstandingCommissions", "/v2/commissions/outstanding"),
  "the newest requests": ofFilled("listCommissionRequests", "/v2/commissions/requests"),
  "a month of 100 commissions is exported": request("exportCommissions", "GET", async (stage) => {
    // The same export is made only once.
    const month = `2025-${String(++months).padStart(2, "0")}`;
    await earn(stage, 100, `${month}-07T09:00:00.000Z`);
    return `/v2/commissions/export?reportPeriod=${month}`;
  }),
  "one commission is requested": newRequest(1),
  "100 commissions are requested": newRequest(100),
  "a request": request("getCommissionRequest", "GET", requestPath()),
  "a request of 100": request("getCommissionRequest", "GET", requestPath("", 100)),
  "an invoice is replaced": request("replaceCommissionInvoice", "PUT", requestPath(), () => ({
    form: requestForm({ invoice: pdfFile(pdf(), "invoice.pdf") }),
  })),
  "an invoice": request("getCommissionInvoice", "GET", requestPath("/invoice")),
  "a proof of payment": request("getCommissionProof", "GET", async (stage) => {
    const requestId = await asked(stage);
    await decide(stage, requestId, true);
    return `/v2/commissions/requests/${requestId}/proof`;
  }),
  "100 commissions are paid": decision(100, true),
  "a request of 100 is rejected": decision(100, false),
} satisfies Record<string, Operation>;
