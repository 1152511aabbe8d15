import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Client, type ErrorBody, pdf } from "./client.ts";
import { create, newKey, tuition } from "./tuition.ts";

const OPERATOR = fileURLToPath(new URL("../../operator/src/main.ts", import.meta.url));

export type Commission = Readonly<{
  id: string;
  paymentId: number;
  studentName: string;
  payeeName: string;
  payerAmount: string;
  payerCurrency: string;
  commissionAmount: string;
  commissionCurrency: string;
  commissionSpread: number;
  paymentDate: string;
  commissionRequestDate?: string;
  commissionPaidDate?: string;
}>;
export type Outstanding = Readonly<{
  items: readonly Readonly<{ paymentId: number; commissionAmount: string }>[];
  totals: readonly Readonly<{ currency: string; amount: string }>[];
  thresholdMet: boolean;
  hasMore: boolean;
}>;
export type CommissionRequest = Readonly<{
  requestId: string;
  status: string;
  totalAmount: string;
  paymentCount: number;
  payments: readonly Readonly<{ paymentId: number }>[];
}>;

/** The commission of a submitted intent, once the schedule has completed it. */
export async function commissionOf(client: Client, intentId: string): Promise<Commission | undefined> {
  const intent = await client.waitForStatus(intentId, ["completed", "partially_completed"]);
  const [paymentId] = intent.executions[0]?.connectorPaymentIds ?? [];
  const { commissions } = await client.must<{ commissions: Commission[] }>(
    "GET",
    `/v2/commissions?filter[paymentId]=${paymentId}`,
  );
  return commissions[0];
}

/** Pays tuition, and gives the commission that the tenant earns by it. */
export async function earn(client: Client, wanted: Parameters<typeof tuition>[1] = {}): Promise<Commission> {
  const { id } = await create(client, (await tuition(client, wanted)).body);
  await client.submit(id, newKey());
  const commission = await commissionOf(client, id);
  if (commission === undefined) throw new Error(`Intent ${id} completed without a commission`);
  return commission;
}

/**
 * A request that is submitted and has an invoice, one that is paid, and the fields of one for commissions that are
 * still outstanding; `month` is the month of a commission.
 */
export async function newCommissionRequests(client: Client) {
  const [first, second, third] = (await earnMany(client, 3)) as [Commission, Commission, Commission];
  const invoice = pdfFile(pdf(), "invoice.pdf");
  const [submitted, paid] = [await mustRequest(client, [first], invoice), await mustRequest(client, [second])];
  const folder = mkdtempSync(join(tmpdir(), "proof-"));
  const proof = join(folder, "proof.pdf");
  writeFileSync(proof, pdf());
  const { paymentAccess } = await client.must<{ paymentAccess: { tenantId: number } }>("GET", "/v2/users/me");
  const { port } = new URL(client.url);
  const pay = ["commission-requests", "pay", paid.requestId, "--tenant", String(paymentAccess.tenantId)];
  const options = ["--proof", proof, "--port", port, "--yes", "--reason", "paid"];
  await promisify(execFile)(process.execPath, [OPERATOR, ...pay, ...options]);
  rmSync(folder, { recursive: true });
  const month = first.paymentDate.slice(0, "yyyy-MM".length);
  const outstanding = fieldsFor([third]);
  return { commission: first, submitted: submitted.requestId, paid: paid.requestId, outstanding, month };
}

/** The commissions of `count` payments, no two of one amount. */
export const earnMany = (by: Client, count: number) =>
  Promise.all(Array.from({ length: count }, (_, index) => earn(by, { amount: 1500 + index })));

export const outstandingOf = (client: Client) => client.must<Outstanding>("GET", "/v2/commissions/outstanding");

/** The form of a request, without the fields that are `undefined`. */
export function requestForm(fields: Readonly<Record<string, string | File | undefined>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.set(name, value);
  return form;
}

export const request = <Body = ErrorBody>(by: Client, fields: Parameters<typeof requestForm>[0]) =>
  by.call<Body>("POST", "/v2/commissions/requests", { form: requestForm(fields) });

export const mustRequest = (by: Client, commissions: readonly Commission[], invoice?: File) =>
  by.must<CommissionRequest>("POST", "/v2/commissions/requests", {
    form: requestForm({ ...fieldsFor(commissions), invoice }),
  });

/** The fields of a request for these commissions. */
export const fieldsFor = (commissions: readonly Pick<Commission, "paymentId" | "commissionAmount">[]) => ({
  paymentIds: JSON.stringify(commissions.map(({ paymentId }) => paymentId)),
  commissionTotalAmount: sumOf(commissions.map(({ commissionAmount }) => commissionAmount)),
});

/** The sum of amounts with two decimals. */
export function sumOf(amounts: readonly string[]): string {
  const cents = amounts.reduce((sum, amount) => sum + BigInt(amount.replace(".", "")), 0n);
  return `${cents / 100n}.${String(cents % 100n).padStart(2, "0")}`;
}

export const pdfFile = (bytes: Uint8Array<ArrayBuffer>, name: string): File =>
  new File([bytes], name, { type: "application/pdf" });
