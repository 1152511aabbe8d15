import {
  type CommissionRequest,
  type Invoice,
  LISTED_PAYMENTS_MAX,
  planRequest,
  type RequestFile,
  toRequestAnswer,
  toRequestedPayment,
  type Wish,
} from "@intents/domain/commissions/request.ts";
import type { Failure } from "@intents/domain/failure.ts";
import { newRecordId, newUuid } from "@intents/domain/ids.ts";
import { fail, ok, type Result } from "@intents/domain/result.ts";
import {
  findStoredRequest,
  isVisible,
  listRequested,
  type Target,
} from "@intents/storage/commissions/commission-requests.ts";
import { findRequestable } from "@intents/storage/commissions/commissions.ts";
import { deleteFile, putFile, readFile } from "@intents/storage/files/files.ts";
import { keysOf } from "@intents/storage/table/keys.ts";
import type { Table } from "@intents/storage/table/table.ts";
import type { DocumentFile } from "../documents/upload.ts";
import type { Run } from "../run.ts";
import { type RequestRun, replaceInvoice, submitRequest } from "./requests.ts";

/** The means of working on requests for commissions. */
type Requests = RequestRun & Pick<Run, "files" | "random">;
type Stores = Pick<Requests, "table" | "files">;

const PDF = "application/pdf";

type RequestAnswer = ReturnType<typeof toRequestAnswer>;

/** Requests all the commissions that `wish` names, or none of them. */
export async function createRequest(
  requests: Requests,
  tenantId: string,
  wish: Wish,
  invoice: DocumentFile | undefined,
): Promise<Result<RequestAnswer, Failure>> {
  const nowMs = requests.now();
  const named = { requestId: newRecordId(nowMs, requests.random), createdOn: new Date(nowMs).toISOString() };
  const planned = planRequest(wish, await findRequestable(requests.table, tenantId, wish.paymentIds), named);
  if (!planned.ok) return planned;
  const target = { tenantId, requestId: named.requestId };
  const stored = invoice && { invoice: await keepInvoice(requests, target, invoice) };
  const { commissions } = planned.value;
  const submitted = await submitRequest(requests, tenantId, {
    commissions,
    request: { ...planned.value.request, ...stored },
  });
  if (!submitted.ok) {
    // No request names the invoice of one that was refused.
    if (stored !== undefined) await deleteInvoice(requests, tenantId, stored.invoice);
    return submitted;
  }
  return ok({ ...toRequestAnswer(submitted.value), payments: commissions.map(toRequestedPayment) });
}

/** Stores the bytes of an invoice under a new name, before the record that refers to them; the daily sweep finds others. */
async function keepInvoice(
  { files, random, now }: Requests,
  { tenantId, requestId }: Target,
  invoice: DocumentFile,
  replaced?: Invoice,
): Promise<Invoice> {
  const objectKey = keysOf(tenantId).requestFile(requestId, newUuid(random));
  await putFile(files, objectKey, invoice.bytes, invoice.contentType);
  // Two invoices of one request never have the same time: by it, callers tell them apart.
  const storedAtMs = Math.max(now(), Date.parse(replaced?.storedAt ?? "1970") + 1);
  return { objectKey, fileName: invoice.fileName, storedAt: new Date(storedAtMs).toISOString() };
}

const deleteInvoice = ({ files }: Stores, tenantId: string, { objectKey }: RequestFile): Promise<void> =>
  deleteFile(files, keysOf(tenantId).storedObject(objectKey, "requests"));

/** A request with all its payments, as its tenant sees it. */
export async function getRequest(
  { table }: Pick<Requests, "table">,
  target: Target,
): Promise<Result<RequestAnswer, Failure>> {
  const found = await findRequest({ table }, target);
  return found.ok ? ok((await readPayments(table, target, found.value))(found.value)) : found;
}

/** How a request is answered with all its payments, which never change. */
async function readPayments(table: Table, target: Target, { paymentCount }: CommissionRequest) {
  if (paymentCount <= LISTED_PAYMENTS_MAX) return toRequestAnswer;
  const payments = (await listRequested(table, target)).map(toRequestedPayment);
  return (request: CommissionRequest) => ({ ...toRequestAnswer(request), payments });
}

async function findRequest(
  { table }: Pick<Requests, "table">,
  target: Target,
): Promise<Result<CommissionRequest, Failure>> {
  const stored = await findStoredRequest(table, target);
  return isVisible(stored) ? ok(stored.request) : fail({ kind: "not_found", resource: "commission request" });
}

/** Adds an invoice to a submitted request, or puts another in its place. */
export async function putInvoice(
  requests: Requests,
  target: Target,
  invoice: DocumentFile,
  isCurrent: (request: object) => boolean,
): Promise<Result<RequestAnswer, Failure>> {
  const found = await findRequest(requests, target);
  if (!found.ok) return found;
  const toAnswer = await readPayments(requests.table, target, found.value);
  if (!isCurrent(toAnswer(found.value))) return fail({ kind: "stale" });
  const stored = await keepInvoice(requests, target, invoice, found.value.invoice);
  const replaced = await replaceInvoice(requests, target, stored, (request) => isCurrent(toAnswer(request)));
  // The invoice that no request names from now on goes.
  const nobodys = replaced.ok ? found.value.invoice : stored;
  if (nobodys !== undefined) await deleteInvoice(requests, target.tenantId, nobodys);
  return replaced.ok ? ok(toAnswer(replaced.value)) : replaced;
}

export async function readInvoice(requests: Stores, target: Target): Promise<Result<DocumentFile, Failure>> {
  const found = await findRequest(requests, target);
  if (!found.ok) return found;
  const { invoice } = found.value;
  return invoice === undefined ? fail({ kind: "not_found", resource: "invoice" }) : download(requests, target, invoice);
}

export async function readProof(requests: Stores, target: Target): Promise<Result<DocumentFile, Failure>> {
  const found = await findRequest(requests, target);
  if (!found.ok) return found;
  const { status, proof } = found.value;
  if (proof !== undefined) return download(requests, target, proof);
  return fail({ kind: "commission_state", reason: `The request is ${status}, not paid`, status });
}

async function download(
  { files }: Stores,
  { tenantId }: Target,
  { objectKey, fileName }: RequestFile,
): Promise<Result<DocumentFile, never>> {
  const bytes = await readFile(files, keysOf(tenantId).storedObject(objectKey, "requests"));
  return ok({ bytes, contentType: PDF, fileName });
}
