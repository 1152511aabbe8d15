import { changedAt } from "@intents/domain/changed-at.ts";
import { actorOf } from "@intents/domain/intents/audit-event.ts";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { isPaid } from "@intents/domain/intents/statuses.ts";
import { isSingleUse } from "@intents/domain/links/payment-link.ts";
import { findIntent } from "@intents/storage/intents/intents.ts";
import { closeLink } from "@intents/storage/intents/payment-links.ts";
import { reconciliationAction } from "@intents/storage/intents/reconciliation.ts";
import type { Action } from "@intents/storage/table/transact.ts";
import { changeActions } from "../change.ts";
import type { Run } from "../run.ts";

/**
 * The further writes at the end of a payment by a single-use link: the first payment closes the link, and an operator
 * is told of money that comes after that (H18). A condition labelled `link` fails when another payment closes it
 * meanwhile.
 */
export async function closeLinkActions(run: Run, child: PaymentIntent): Promise<Action[]> {
  const { tenantId, id, createdFrom, status, updatedAt: at } = child;
  if (createdFrom === undefined || !isPaid(status)) return [];
  const found = await findIntent(run.table, tenantId, createdFrom.paymentIntentId);
  if (!found.ok) throw new Error(`The link ${createdFrom.paymentIntentId} of ${id} does not exist`);
  const link = found.value;
  const { publicLinkId, linkClosedAt } = link;
  if (!isSingleUse(link) || publicLinkId === undefined) return [];
  if (linkClosedAt !== undefined) {
    const executionId = child.executions.at(-1)?.executionId ?? "";
    const record = { tenantId, intentId: id, executionId, said: status, stands: `closed at ${linkClosedAt}` };
    return [reconciliationAction(run.table, { ...record, kind: "paid_after_close", openedAt: at })];
  }
  const { actions } = changeActions(run, {
    before: link,
    after: { ...link, linkClosedAt: at, updatedAt: changedAt(link.updatedAt, Date.parse(at)) },
    events: [{ name: "link_closed", actor: actorOf("service"), data: { paymentIntentId: id } }],
  });
  return [closeLink(run.table, publicLinkId, id), ...actions().map((action) => ({ ...action, label: "link" }))];
}
