import { commissionRoutes, InvoiceForm, RequestForm } from "@intents/contract/commissions.ts";
import type { FormPart, LazySchema } from "@intents/contract/route.ts";
import type { Caller } from "@intents/domain/caller.ts";
import {
  type CommissionRequest,
  LISTED_PAYMENTS_MAX,
  planRequest,
  type RequestFile,
  toRequestAnswer,
  toRequestedPayment,
  type Wish,
} from "@intents/domain/commission-request.ts";
import { DOCUMENT_BYTES_MAX, documentTypeOf } from "@intents/domain/document.ts";
import type { Failure } from "@intents/domain/failure.ts";
import { newRecordId, newUuid, type RandomBytes } from "@intents/domain/ids.ts";
import { fail, ok, type Result } from "@intents/domain/result.ts";
import { type RequestRun, replaceInvoice, submitRequest } from "@intents/execution/commission-requests.ts";
import type { FileAnswer } from "@intents/http/answers.ts";
import { type FormFile, parseForm, partProblems } from "@intents/http/multipart.ts";
import { parseShape } from "@intents/http/request-body.ts";
import { findStoredRequest, isVisible, listRequested } from "@intents/storage/commission-requests.ts";
import { findCommissions } from "@intents/storage/commissions.ts";
import { type Files, putFile, readFile } from "@intents/storage/files.ts";
import { keysOf } from "@intents/storage/keys.ts";
import type { APIGatewayProxyEvent } from "aws-lambda";

/** What requests for commissions are handled with. */
type Requests = RequestRun & Readonly<{ files: Files; random: RandomBytes }>;

const PDF = "application/pdf";

/** Requests what the form names, all of it or nothing. */
export async function createRequest(
  requests: Requests,
  { tenantId }: Caller,
  event: APIGatewayProxyEvent,
): Promise<Result<object, Failure>> {
  const form = readForm(event, commissionRoutes.createCommissionRequest, RequestForm());
  if (!form.ok) return form;
  const { invoice } = form.value;
  const wish = form.value.fields as Wish;
  const nowMs = requests.now();
  const named = { requestId: newRecordId(nowMs, requests.random), createdOn: new Date(nowMs).toISOString() };
  const planned = planRequest(wish, await findCommissions(requests.table, tenantId, wish.paymentIds), named);
  if (!planned.ok) return planned;
  const stored = invoice && { invoice: await keepInvoice(requests, tenantId, invoice) };
  const { commissions } = planned.value;
  const submitted = await submitRequest(requests, tenantId, {
    commissions,
    request: { ...planned.value.request, ...stored },
  });
  if (!submitted.ok) return submitted;
  return ok({ ...toRequestAnswer(submitted.value), payments: commissions.map(toRequestedPayment) });
}

/** The bytes before the record that points at them, under a name of their own. */
async function keepInvoice({ files, random }: Requests, tenantId: string, invoice: FormFile): Promise<RequestFile> {
  const objectKey = keysOf(tenantId).object("kept", newUuid(random));
  await putFile(files, objectKey, invoice.bytes, PDF);
  return { objectKey, fileName: invoice.fileName };
}

type Read = Readonly<{ fields: unknown; invoice: FormFile | undefined }>;

/** The fields of a form as `schema` reads them and its invoice, which is judged by its bytes; or all that is wrong. */
function readForm(
  event: APIGatewayProxyEvent,
  { parts }: Readonly<{ parts: Readonly<Record<string, FormPart>> }>,
  schema: ReturnType<LazySchema>,
): Result<Read, Failure> {
  const form = parseForm(event, DOCUMENT_BYTES_MAX);
  if (!form.ok) return form;
  const { files } = form.value;
  const invoice = files.get("invoice");
  const fields = parseShape(schema, Object.fromEntries(form.value.fields), "body");
  const wrong = fields.ok || fields.failure.kind !== "shape" ? [] : fields.failure.problems;
  const problems = [
    ...partProblems(form.value, parts),
    // What came as a file is said to be one, and not to be missing as well.
    ...wrong.filter((problem) => !files.has(problem.split(" ", 1)[0] ?? "")),
    ...(invoice?.bytes.length === 0 ? ["invoice must not be empty"] : []),
  ];
  if (problems.length > 0) return fail({ kind: "shape", problems });
  if (invoice !== undefined && documentTypeOf(invoice.bytes) !== PDF)
    return fail({ kind: "media_type", expected: [PDF] });
  return fields.ok ? ok({ fields: fields.value, invoice }) : fields;
}

/** A request with all its payments, as its tenant sees it. */
export async function getRequest(
  { table }: Pick<Requests, "table">,
  { tenantId }: Caller,
  requestId: string,
): Promise<Result<object, Failure>> {
  const target = { tenantId, requestId };
  const found = await findRequest({ table }, tenantId, requestId);
  if (!found.ok) return found;
  const request = toRequestAnswer(found.value);
  if (request.paymentCount <= LISTED_PAYMENTS_MAX) return ok(request);
  return ok({ ...request, payments: (await listRequested(table, target)).map(toRequestedPayment) });
}

async function findRequest(
  { table }: Pick<Requests, "table">,
  tenantId: string,
  requestId: string,
): Promise<Result<CommissionRequest, Failure>> {
  const stored = await findStoredRequest(table, { tenantId, requestId });
  return isVisible(stored) ? ok(stored.request) : fail({ kind: "not_found", resource: "commission request" });
}

/** Adds an invoice to a submitted request, or puts another in its place. */
export async function putInvoice(
  requests: Requests,
  caller: Caller,
  requestId: string,
  event: APIGatewayProxyEvent,
): Promise<Result<object, Failure>> {
  const { tenantId } = caller;
  const form = readForm(event, commissionRoutes.replaceCommissionInvoice, InvoiceForm());
  if (!form.ok) return form;
  const { invoice } = form.value;
  if (invoice === undefined) throw new Error("A missing invoice was not refused");
  const found = await findRequest(requests, tenantId, requestId);
  if (!found.ok) return found;
  const stored = await keepInvoice(requests, tenantId, invoice);
  const replaced = await replaceInvoice(requests, { tenantId, requestId }, stored);
  return replaced.ok ? getRequest(requests, caller, requestId) : replaced;
}

export async function readInvoice(
  requests: Requests,
  { tenantId }: Caller,
  requestId: string,
): Promise<Result<FileAnswer, Failure>> {
  const found = await findRequest(requests, tenantId, requestId);
  if (!found.ok) return found;
  const { invoice } = found.value;
  return invoice === undefined ? fail({ kind: "not_found", resource: "invoice" }) : download(requests, invoice);
}

export async function readProof(
  requests: Requests,
  { tenantId }: Caller,
  requestId: string,
): Promise<Result<FileAnswer, Failure>> {
  const found = await findRequest(requests, tenantId, requestId);
  if (!found.ok) return found;
  const { status, proof } = found.value;
  if (proof !== undefined) return download(requests, proof);
  return fail({ kind: "commission_state", reason: `The request is ${status}, not paid`, status });
}

const download = async ({ files }: Requests, { objectKey, fileName }: RequestFile) =>
  ok({ bytes: await readFile(files, objectKey), contentType: PDF, fileName });
