import { createHash, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { groupAmount } from "@intents/domain/amounts/money.ts";
import {
  type CommissionFailure,
  type CommissionRequest,
  type CommissionRequestStatus,
  commissionRequestStatuses,
  notPayable,
  type RequestFile,
} from "@intents/domain/commissions/request.ts";
import { DOCUMENT_BYTES_MAX, documentTypeOf } from "@intents/domain/parties/document.ts";
import { toFileName } from "@intents/domain/parties/file-name.ts";
import { type Decision, decideRequest } from "@intents/execution/commissions/requests.ts";
import { operatorAudit } from "@intents/storage/audit/operators.ts";
import { findStoredRequest, isVisible, readRequests } from "@intents/storage/commissions/commission-requests.ts";
import { type Files, findFile, openFiles, putFile } from "@intents/storage/files/files.ts";
import { findSuspension } from "@intents/storage/parties/suspensions.ts";
import { keysOf } from "@intents/storage/table/keys.ts";
import { type Command, Option } from "commander";
import { limitOption, print, printAll } from "./output.ts";
import { Refusal } from "./refusal.ts";
import { openSession, type Session } from "./session.ts";
import { tenantOption } from "./tenants.ts";
import { requireAgreement } from "./two-persons.ts";

type TenantOption = Readonly<{ tenant: string }>;
type Listed = Readonly<{ status?: CommissionRequestStatus; limit: number }>;

export function commissionRequestCommands(program: Command): void {
  const requests = program.command("commission-requests").description("tenants' requests to be paid their commissions");
  requests
    .command("list")
    .description("newest first")
    .addOption(tenantOption())
    .addOption(new Option("--status <status>", "only in this status").choices(commissionRequestStatuses))
    .addOption(limitOption())
    .action(async (options: TenantOption & Listed, command: Command) => {
      await list(await openSession(command), options);
    });
  requests
    .command("pay")
    .description("marks a submitted request as paid, with the bank's proof for its tenant")
    .argument("<id>", "the request, as listed")
    .addOption(tenantOption())
    .requiredOption("--proof <file>", "the proof of payment, a PDF of at most 4 MB")
    .action(async (id: string, { tenant, proof }: TenantOption & Readonly<{ proof: string }>, command: Command) => {
      await pay(await openSession(command), tenant, id, proof);
    });
  requests
    .command("reject")
    .description("rejects a submitted request: its commissions are outstanding again, and its tenant reads the reason")
    .argument("<id>", "the request, as listed")
    .addOption(tenantOption())
    .action(async (id: string, { tenant }: TenantOption, command: Command) => {
      const session = await openSession(command);
      const { reason } = session.operation();
      await session.confirm(`Reject request ${id} of tenant ${tenant}?`);
      await decide(session, tenant, id, { status: "rejected", reason });
    });
}

async function list(session: Session, { tenant, status, limit }: TenantOption & Listed): Promise<void> {
  const rows: Readonly<Record<string, unknown>>[] = [];
  for await (const page of readRequests(session.table, tenant)) {
    if (rows.length >= limit) break;
    for (const request of page) {
      const { requestId, status: stands, totalAmount, currency, paymentCount, createdOn, invoice, unsettled } = request;
      if (status !== undefined && stands !== status) continue;
      const total = session.format === "table" ? groupAmount(totalAmount) : totalAmount;
      const row = { requestId, status: stands, totalAmount: total, currency, paymentCount, createdOn };
      const hasInvoice = invoice !== undefined;
      rows.push({ ...row, hasInvoice, ...(unsettled !== undefined && { unsettled: unsettled.join(" ") }) });
    }
  }
  printAll(session, rows.slice(0, limit));
}

async function pay(session: Session, tenantId: string, id: string, file: string): Promise<void> {
  session.operation();
  const bytes = readProof(file);
  const stored = await findStoredRequest(session.table, { tenantId, requestId: id });
  if (!isVisible(stored)) throw new Refusal(noRequest(tenantId));
  if (stored.request.status !== "submitted")
    throw new Refusal(`The request is ${stored.request.status}, not submitted`);
  if (stored.underReview !== undefined) throw new Refusal(whyNot(notPayable(stored.underReview)));
  const files = openFiles((await session.settings()).BUCKET_NAME);
  const invoice = await readInvoice(files, tenantId, stored.request);
  const suspension = await findSuspension(session.table, tenantId);
  const but = suspension === undefined ? "" : `, suspended since ${suspension.at},`;
  const by = invoice === undefined ? "which has no invoice," : `by its invoice of ${invoice.storedAt}`;
  await session.confirm(`Mark request ${id} of tenant ${tenantId}${but} ${by} as paid?`);
  // The agreement covers this proof and this invoice.
  const agreed = { requestId: id, proofSha256: sha256(bytes), invoiceSha256: invoice?.sha256 ?? "none" };
  await requireAgreement(session, tenantId, session.change("commission-requests.pay", agreed));
  const fileName = toFileName(basename(file), "application/pdf");
  const proof: RequestFile = { objectKey: keysOf(tenantId).requestFile(id, randomUUID()), fileName };
  await putFile(files, proof.objectKey, bytes, "application/pdf");
  const isCurrent = (request: CommissionRequest) => request.invoice?.objectKey === invoice?.objectKey;
  await decide(session, tenantId, id, { status: "paid", proof }, isCurrent);
}

const whyNot = ({ reason, paymentIds = [] }: CommissionFailure & Readonly<{ kind: "commission_state" }>): string =>
  [reason, ...paymentIds].join(" ");
const noRequest = (tenantId: string): string => `Tenant ${tenantId} has no such request`;
const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

const CHANGED = "The invoice was changed meanwhile, and nothing was paid: look at it, and try again";

/** The invoice that a request has now, and the hash of its bytes; undefined if it has none. */
async function readInvoice(files: Files, tenantId: string, { invoice }: CommissionRequest) {
  if (invoice === undefined) return undefined;
  const bytes = await findFile(files, keysOf(tenantId).storedObject(invoice.objectKey, "requests"));
  // The file of an invoice goes when another takes its place.
  if (bytes === undefined) throw new Refusal(CHANGED);
  return { ...invoice, sha256: sha256(bytes) };
}

function readProof(file: string): Uint8Array {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(file);
  } catch {
    throw new Refusal(`${file} cannot be read`);
  }
  if (documentTypeOf(bytes) !== "application/pdf") throw new Refusal(`${file} is no PDF`);
  if (bytes.length > DOCUMENT_BYTES_MAX) throw new Refusal(`${file} is larger than 4 MB`);
  return bytes;
}

async function decide(
  session: Session,
  tenantId: string,
  requestId: string,
  decision: Decision,
  isCurrent?: (request: CommissionRequest) => boolean,
): Promise<void> {
  const { SUBMIT_LEASE_SECONDS, TIMER_SHARDS } = await session.settings();
  const run = {
    table: session.table,
    now: () => Date.now(),
    settings: { leaseMs: SUBMIT_LEASE_SECONDS * 1000, timerShards: TIMER_SHARDS },
  };
  const change = session.change(`commission-requests.${decision.status}`, { requestId });
  const audit = operatorAudit(session.table, tenantId, change);
  const decided = await decideRequest(run, { tenantId, requestId }, decision, audit, isCurrent);
  if (!decided.ok) {
    const { failure } = decided;
    if (failure.kind === "stale") throw new Refusal(CHANGED);
    throw new Refusal(failure.kind === "commission_state" ? whyNot(failure) : noRequest(tenantId));
  }
  const { status, totalAmount, currency, paymentCount } = decided.value;
  print(session, { requestId, status, totalAmount, currency, paymentCount });
}
