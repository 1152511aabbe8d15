import { commissionRoutes } from "@intents/contract/commissions.ts";
import { compareAmounts } from "@intents/domain/amounts/money.ts";
import type { Commission } from "@intents/domain/commissions/commission.ts";
import { csvHeader, toCsvRow } from "@intents/domain/commissions/csv.ts";
import { newUuid } from "@intents/domain/ids.ts";
import { ok } from "@intents/domain/result.ts";
import {
  createRequest,
  getRequest,
  putInvoice,
  readInvoice,
  readProof,
} from "@intents/execution/commissions/create-request.ts";
import { endpoint } from "@intents/http/endpoint.ts";
import { parseListQuery } from "@intents/http/lists/query.ts";
import type { Request } from "@intents/http/request/request.ts";
import { outstandingTotals, readMonth, readOutstanding } from "@intents/storage/commissions/commissions.ts";
import { storeExport } from "@intents/storage/files/exports.ts";
import { openFiles } from "@intents/storage/files/files.ts";
import { PAGE_BYTES_MAX } from "@intents/storage/lists/page.ts";
import { findKeyAndSuspension } from "@intents/storage/parties/suspensions.ts";
import { getTenant } from "@intents/storage/parties/tenants.ts";
import { keysOf } from "@intents/storage/table/keys.ts";
import { now, random, settings } from "./runtime/environment.ts";
import { gate, sourceOf } from "./runtime/gate.ts";
import { listPage } from "./runtime/list-page.ts";
import { table } from "./runtime/nudging-table.ts";
import { uploadBudget } from "./runtime/upload-budget.ts";

const files = openFiles(settings.BUCKET_NAME);
const leaseMs = settings.SUBMIT_LEASE_SECONDS * 1000;
const requests = { table, files, random, now, settings: { leaseMs, timerShards: settings.TIMER_SHARDS } };

type Named = Pick<Request<typeof commissionRoutes.getCommissionRequest>, "caller" | "params">;
const targetOf = ({ caller: { tenantId }, params: { id: requestId } }: Named) => ({ tenantId, requestId });

/** As many outstanding commissions as one answer can list (H34), the oldest first. */
async function listOutstanding(tenantId: string) {
  const items: Pick<Commission, "paymentId" | "commissionAmount" | "commissionCurrency" | "paymentDate">[] = [];
  let bytes = 0;
  for await (const commissions of readOutstanding(table, tenantId)) {
    for (const { paymentId, commissionAmount, commissionCurrency, paymentDate } of commissions) {
      const item = { paymentId, commissionAmount, commissionCurrency, paymentDate };
      bytes += JSON.stringify(item).length + 1;
      if (bytes > PAGE_BYTES_MAX) return { items, hasMore: true };
      items.push(item);
    }
  }
  return { items, hasMore: false };
}

async function* toCsv(commissions: AsyncIterable<readonly Commission[]>): AsyncGenerator<string> {
  yield csvHeader();
  for await (const some of commissions) yield some.map(toCsvRow).join("");
}

export const handler = endpoint(
  "commissions",
  commissionRoutes,
  {
    listCommissions: (request) => listPage("COMMISSION", request),

    getOutstandingCommissions: async ({ caller }) => {
      const [{ commissionThreshold = settings.COMMISSION_THRESHOLD }, totals, listed] = await Promise.all([
        getTenant(table, caller.tenantId),
        outstandingTotals(table, caller.tenantId),
        listOutstanding(caller.tenantId),
      ]);
      const thresholdMet = totals.some(({ amount }) => compareAmounts(amount, commissionThreshold) >= 0);
      return ok({ ...listed, totals, thresholdMet });
    },

    exportCommissions: async ({ caller: { tenantId }, parameters: { reportPeriod }, nowMs }) => {
      const fileName = `commissions-${reportPeriod}.csv`;
      const keys = keysOf(tenantId);
      const file = {
        uploadKey: keys.exportUpload(newUuid(random)),
        keyOf: (hash: string) => keys.object("exports", hash),
        contentType: "text/csv; charset=utf-8",
        fileName,
      };
      const stored = await storeExport(files, file, toCsv(readMonth(table, tenantId, reportPeriod)), nowMs);
      return ok("bytes" in stored ? { ...file, bytes: stored.bytes } : stored);
    },

    createCommissionRequest: ({ caller, form: { invoice, ...wish } }) =>
      createRequest(requests, caller.tenantId, wish, invoice),
    listCommissionRequests: (request) => listPage("COMMISSION_REQUEST", request),
    getCommissionRequest: (request) => getRequest(requests, targetOf(request)),
    replaceCommissionInvoice: (request) =>
      putInvoice(requests, targetOf(request), request.form.invoice, request.isCurrent),
    getCommissionInvoice: (request) => readInvoice(requests, targetOf(request)),
    getCommissionProof: (request) => readProof(requests, targetOf(request)),
  },
  {
    gate,
    sourceOf,
    parseList: parseListQuery,
    uploadBudget,
    preload: ({ caller }) => findKeyAndSuspension(table, caller),
  },
);
