import { changedAt } from "@intents/domain/changed-at.ts";
import { actorOf } from "@intents/domain/intents/audit-event.ts";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { isPaid, isTerminal } from "@intents/domain/intents/statuses.ts";
import { isReceived } from "@intents/domain/links/hold.ts";
import { holderOf } from "@intents/domain/links/link-state.ts";
import { isSingleUse } from "@intents/domain/links/payment-link.ts";
import { findIntent } from "@intents/storage/intents/intents.ts";
import { closeLink, findLink, freeLink, type NamedLink, type StoredLink } from "@intents/storage/links/links.ts";
import { removeUnpaid } from "@intents/storage/links/sessions.ts";
import { reconciliationActions } from "@intents/storage/reviews/reconciliation.ts";
import type { Action } from "@intents/storage/table/transact.ts";
import { changeActions } from "../change.ts";
import type { Run } from "../run.ts";

/**
 * The further writes at the end of a payment by a link. It is no longer among the unpaid ones of its source. The first
 * that is paid closes a single-use link, and an operator is told of money that comes after that; one that ended unpaid
 * lets others pay (H18). A condition labelled `link` fails when another payment closes the link meanwhile.
 */
export async function endOfLinkPayment(run: Run, child: PaymentIntent): Promise<Action[]> {
  const { tenantId, createdFrom, status, payerSource } = child;
  if (createdFrom === undefined || !isTerminal(status)) return [];
  const source = { tenantId, linkId: createdFrom.paymentIntentId, source: payerSource ?? "" };
  const uncounted = payerSource === undefined ? [] : [removeUnpaid(run.table, source)];
  if (!isSingleUse(child)) return uncounted;
  const link = await findLinkOf(run, child);
  if (isPaid(status)) return [...uncounted, ...(await close(run, link, child))];
  const isHeld = link.stored.state.holder?.id === child.id;
  return [...uncounted, ...(isHeld ? freeLink(run.table, named(link), child.id, Date.parse(child.updatedAt)) : [])];
}

/** Whether a payment has held its single-use link, unpaid, for as long as it may. */
export async function isHoldOver(run: Run, child: PaymentIntent): Promise<boolean> {
  if (child.createdFrom === undefined || !isSingleUse(child) || isReceived(child)) return false;
  const { stored } = await findLinkOf(run, child);
  const holder = holderOf(stored.state);
  return holder?.id === child.id && holder.untilMs <= run.now();
}

type Link = Readonly<{ stored: StoredLink; intent: PaymentIntent }>;

/** The single-use link that a payment was begun on. */
async function findLinkOf(run: Run, { tenantId, id, createdFrom }: PaymentIntent): Promise<Link> {
  const found = createdFrom && (await findIntent(run.table, tenantId, createdFrom.paymentIntentId));
  const token = found?.ok ? found.value.publicLinkId : undefined;
  const stored = token === undefined ? undefined : await findLink(run.table, token);
  if (!found?.ok || stored === undefined) throw new Error(`The link of ${id} does not exist`);
  return { stored, intent: found.value };
}

async function close(run: Run, link: Link, child: PaymentIntent): Promise<Action[]> {
  const { tenantId, id, status, updatedAt: at } = child;
  if (link.stored.state.closedBy === undefined) return endLink(run, link, id, at);
  const executionId = child.executions.at(-1)?.executionId ?? "";
  const stands = `closed at ${link.intent.linkClosedAt}`;
  const record = { tenantId, intentId: id, executionId, said: status, stands };
  return reconciliationActions(run.table, { ...record, kind: "paid_after_close", openedAt: at }, status);
}

/**
 * The writes by which money that arrived after all, at a time, closes its single-use link, as a payment that completes
 * does.
 */
export async function arrivedByLink(run: Run, child: PaymentIntent, at: string): Promise<Action[]> {
  if (child.createdFrom === undefined || !isSingleUse(child)) return [];
  const link = await findLinkOf(run, child);
  return link.stored.state.closedBy === undefined ? endLink(run, link, child.id, at) : [];
}

const named = ({ stored, intent: { externalId } }: Link): NamedLink => ({ ...stored, externalId });

/**
 * The only writes that end a link, for the transaction of their cause. Payers are judged by the record; the tenant reads the
 * intent. Audit entry and event come with them.
 */
function endLink(run: Run, found: Link, childId: string, at: string): Action[] {
  const { intent: link } = found;
  const { actions } = changeActions(run, {
    before: link,
    after: { ...link, linkClosedAt: at, updatedAt: changedAt(link.updatedAt, Date.parse(at)) },
    events: [{ name: "link_closed", actor: actorOf("service"), data: { paymentIntentId: childId } }],
  });
  return [
    ...closeLink(run.table, named(found), childId, Date.parse(at)),
    ...actions().map((action) => ({ ...action, label: "link" })),
  ];
}
