import { linkTo } from "@intents/console/frame.ts";
import type { RequestsView } from "@intents/console/requests.tsx";
import { type CommissionRequestStatus, commissionRequestStatuses } from "@intents/domain/commissions/request.ts";
import { documentTypeOf } from "@intents/domain/parties/document.ts";
import { findStoredRequest, findUnpayable, isVisible } from "@intents/storage/commissions/commission-requests.ts";
import { findFile, openFiles } from "@intents/storage/files/files.ts";
import { listRecords } from "@intents/storage/lists/lists.ts";
import { FILL_IN, WHY } from "../command-line.ts";
import { Refusal } from "../refusal.ts";
import type { Means } from "./means.ts";

const PAGE = 50;

type RequestsQuery = Readonly<{ status?: CommissionRequestStatus | undefined; cursor?: string | undefined }>;

/** A page of a tenant's requests, newest first. Refuses a cursor of another list. */
export async function readRequests(
  means: Means,
  tenantId: string,
  { status, cursor }: RequestsQuery,
): Promise<RequestsView> {
  const { session } = means;
  const filter = status === undefined ? {} : { status };
  const begin = cursor === undefined ? {} : { cursor };
  const query = { filter, sort: [], population: [], stripped: [], skip: 0, limit: PAGE, ...begin };
  const page = await listRecords(session.table, tenantId, "COMMISSION_REQUEST", query);
  if (!page.ok) throw new Refusal("cursor is not one of this list");
  const { items, nextCursor } = page.value;
  const decide = (id: string, name: string, ...words: readonly string[]) =>
    session.command("commission-requests", name, id, "--tenant", tenantId, ...words, ...WHY);
  const open = items.filter((request) => request.status === "submitted").map(({ requestId }) => requestId);
  const unpayable = await findUnpayable(session.table, tenantId, open);
  return {
    status,
    statuses: commissionRequestStatuses,
    requests: items.map((request) => {
      const { requestId: id } = request;
      const kept = unpayable.get(id);
      const pay = kept === undefined ? [decide(id, "pay", "--proof", FILL_IN)] : [];
      const commands = request.status === "submitted" ? [...pay, decide(id, "reject")] : [];
      return { ...request, commands, ...(kept !== undefined && { unpayable: kept }) };
    }),
    older: nextCursor === undefined ? undefined : linkTo("requests", { tenant: tenantId, status, cursor: nextCursor }),
  };
}

/**
 * The invoice or the proof of a request. Its bytes say what it is, because tenants have uploaded it: what is neither a
 * PDF nor an image is only offered for download.
 */
export async function readRequestFile({ session }: Means, tenantId: string, requestId: string, name: string) {
  const stored = await findStoredRequest(session.table, { tenantId, requestId });
  if (!isVisible(stored)) throw new Refusal(`Tenant ${tenantId} has no request ${requestId}`);
  if (name !== "invoice" && name !== "proof") throw new Refusal("file is invoice or proof");
  const file = stored.request[name];
  if (file === undefined) throw new Refusal(`Request ${requestId} has no ${name}`);
  const { BUCKET_NAME } = await session.settings();
  const bytes = await findFile(openFiles(BUCKET_NAME), file.objectKey);
  if (bytes === undefined) throw new Refusal(`The ${name} of request ${requestId} is gone`);
  return { bytes, type: documentTypeOf(bytes), fileName: file.fileName };
}
