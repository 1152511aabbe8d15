import { commissionOperations } from "./commissions.ts";
import { linkOperations } from "./links.ts";
import { listOperations } from "./lists.ts";
import { batchOperations, paymentOperations } from "./payments.ts";
import { recordOperations } from "./records.ts";
import { webhookOperations } from "./webhooks.ts";

/** All that is counted, under the headings of docs/costs.md. Lists come first: they show what the others make. */
export const operations = {
  Lists: listOperations,
  Commissions: commissionOperations,
  Records: recordOperations,
  Links: linkOperations,
  Payments: paymentOperations,
  Batches: batchOperations,
  Webhooks: webhookOperations,
} as const;
