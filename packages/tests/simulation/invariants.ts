import { addAmounts, compareAmounts, isZero } from "@intents/domain/amounts/money.ts";
import type { BatchLeg } from "@intents/domain/batches/batch.ts";
import { watchForLeg } from "@intents/domain/batches/leg.ts";
import { type Commission, earningLegs } from "@intents/domain/commissions/commission.ts";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { isTerminal } from "@intents/domain/intents/statuses.ts";
import { isOver } from "@intents/domain/links/hold.ts";
import { watchFor } from "@intents/domain/polling/watch.ts";
import { documentsOf } from "@intents/domain/scenarios/draft.ts";
import { matchRails } from "@intents/execution/rails/match.ts";
import { outstandingTotals } from "@intents/storage/commissions/commissions.ts";
import { findIntent, INTENT_COUNTER, intentCountKey } from "@intents/storage/intents/intents.ts";
import { verifyTable } from "@intents/storage/operations/ledger-scan.ts";
import { listReconciliations } from "@intents/storage/reviews/reconciliation.ts";
import { readCounts } from "@intents/storage/table/counters.ts";
import { tenantOf } from "@intents/storage/table/key-owners.ts";
import { keysOf } from "@intents/storage/table/keys.ts";
import type { Table } from "@intents/storage/table/table.ts";
import { type Item, scanItems } from "./items.ts";
import { executed, type Ledger, must, Violation } from "./ledger.ts";
import { SOURCE } from "./payers.ts";
import type { People } from "./people.ts";
import { type SimulatedWorld, tenantIds } from "./world.ts";

/** Compares the whole store with what the ledger saw of it; nothing may be under way while it reads. */
export async function checkStore(table: Table, ledger: Ledger, people: People): Promise<void> {
  const items = await scanItems(table, table.name);
  const stored = items.filter(({ SK }) => SK === "INTENT").map(({ doc }) => JSON.parse(String(doc)) as PaymentIntent);
  must(stored.length === ledger.intents.size, `${stored.length} intents are stored of ${ledger.intents.size}`);
  const isWaiting = ({ dueAt, watchSK }: Item) => dueAt !== undefined || watchSK !== undefined;
  const timers = new Set(
    items.filter((item) => item["SK"] === "INTENT" && isWaiting(item)).map(({ PK }) => String(PK).split("#").at(-1)),
  );
  const documents = new Map(
    items
      .filter(({ PK }) => String(PK).includes("#DOCUMENT#"))
      .map((item) => [String(item["PK"]).split("#").at(-1), item]),
  );
  const live = new Set<unknown>();
  for (const intent of stored) {
    const { id, status, submission, auditHead } = intent;
    must(JSON.stringify(intent) === JSON.stringify(ledger.intents.get(id)), `${id} was changed by no transaction`);
    const waits = submission !== undefined || !(isTerminal(status) || status === "pending_link_payment");
    must(timers.has(id) === waits, `${id} is ${status} and ${waits ? "has no timer" : "still has a timer"}`);
    checkWatch(intent, items);
    const { head, events = [] } = ledger.chains.get(id) ?? {};
    must(auditHead === head, `${id} does not name the end of its audit chain`);
    for (const once of ["paymentIntent.created", "paymentIntent.terms_accepted"]) {
      must(events.filter((event) => event === once).length === 1, `${id} has not exactly one ${once}`);
    }
    if (submission !== undefined) live.add(submission.executionId);
    // The documents of a person who was erased are gone.
    if (!people.isForgotten(ledger.versionsOf(id))) checkDocuments(intent, documents);
  }
  for (const [id, { executionId, consumedBy }] of documents) {
    const isHeld = executionId !== undefined && consumedBy === undefined;
    must(!isHeld || live.has(executionId), `document ${id} stays reserved for ${executionId}`);
  }
  checkHolds(stored, items);
  for (const tenantId of tenantIds) {
    const counts = await readCounts(table, tenantId, INTENT_COUNTER);
    const own = stored.filter((intent) => intent.tenantId === tenantId);
    const counted = Map.groupBy(own, intentCountKey);
    for (const key of new Set([...counts.keys(), ...counted.keys()])) {
      const count = counted.get(key)?.length ?? 0;
      must((counts.get(key) ?? 0) === count, `${key} is counted as ${counts.get(key)} of tenant ${tenantId}`);
    }
    const theirs = items.filter(({ PK }) => tenantOf(String(PK)) === tenantId);
    await checkCommissions(table, tenantId, own, theirs);
  }
}

/** Checks that exactly what waits for a rail's word is watched: a payment, or the accepted recipients of a batch. */
function checkWatch(intent: PaymentIntent, items: readonly Item[]): void {
  const { PK } = keysOf(intent.tenantId).intent(intent.id);
  for (const { SK, watchSK, doc } of items.filter((item) => item["PK"] === PK)) {
    const isLeg = String(SK).startsWith("LEG#");
    if (SK !== "INTENT" && !isLeg) continue;
    const watch = isLeg ? watchForLeg(intent, JSON.parse(String(doc)) as BatchLeg) : watchFor(intent);
    must((watchSK !== undefined) === (watch !== undefined), `${intent.id} ${SK} is watched as ${watchSK}`);
    must(watch === undefined || String(watchSK).endsWith(watch.executionId), `${intent.id} is watched as ${watchSK}`);
  }
}

/** Checks that whoever holds a link is not over, and that the unpaid payments by each link are counted. */
function checkHolds(intents: readonly PaymentIntent[], items: readonly Item[]): void {
  const byId = new Map(intents.map((intent) => [intent.id, intent]));
  for (const { PK, SK, holder, closedBy } of items) {
    const held = SK === "LINK" && closedBy === undefined ? byId.get(String(holder)) : undefined;
    must(held === undefined || !isOver(held), `${PK} is held by ${holder}, which is ${held?.status}`);
  }
  const counts = new Map(items.filter(({ SK }) => SK === "PAYERSOURCE").map((item) => [item["PK"], item["unpaid"]]));
  const unpaid = Map.groupBy(
    intents.filter((intent) => intent.payerSource === SOURCE && !isOver(intent)),
    ({ tenantId, createdFrom }) => keysOf(tenantId).payerSource(createdFrom?.paymentIntentId ?? "", SOURCE).PK,
  );
  for (const key of new Set([...counts.keys(), ...unpaid.keys()])) {
    const found = unpaid.get(String(key))?.length ?? 0;
    must((counts.get(key) ?? 0) === found, `${key} counts ${counts.get(key)} unpaid payments of ${found}`);
  }
}

/**
 * Checks that every payment that earns a commission has exactly one, and no other has any, but for those of corrections,
 * whose sums the verification of the ledger checks; the count of outstanding commissions is exact.
 */
async function checkCommissions(
  table: Table,
  tenantId: string,
  intents: readonly PaymentIntent[],
  items: readonly Item[],
) {
  const earning = intents.flatMap((intent) =>
    intent.executions.flatMap((execution) =>
      // No payment of a batch earns a commission.
      intent.bulkProgress === undefined && earningLegs(intent, execution).length > 0
        ? execution.connectorPaymentIds
        : [],
    ),
  );
  const earned = items.filter(({ SK }) => SK === "COMMISSION");
  const paymentIds = earned.map(toCommission).map(({ paymentId }) => paymentId);
  must(paymentIds.toSorted().join() === earning.toSorted().join(), `${paymentIds} earned commissions, not ${earning}`);
  const corrected = items.filter(({ PK }) => PK === keysOf(tenantId).correctedCommission(0, 0).PK);
  const unheld = [...earned, ...corrected].filter(({ heldBy }) => heldBy === undefined).map(toCommission);
  const free = unheld.filter(({ underReview }) => underReview === undefined);
  const amounts = Map.groupBy(free, ({ commissionCurrency }) => commissionCurrency);
  for (const { currency, amount } of await outstandingTotals(table, tenantId)) {
    const owed = (amounts.get(currency) ?? []).map(({ commissionAmount }) => commissionAmount);
    must(compareAmounts(addAmounts(...owed), amount) === 0, `${amount} ${currency} are outstanding of ${owed}`);
    amounts.delete(currency);
  }
  const uncounted = [...amounts].filter(
    ([, some]) => !isZero(addAmounts(...some.map(({ commissionAmount }) => commissionAmount))),
  );
  must(uncounted.length === 0, `${uncounted.map(([currency]) => currency)} are not counted as outstanding`);
  checkRequests(items, [...earned, ...corrected]);
}

const toCommission = ({ doc }: Item) => JSON.parse(String(doc)) as Commission;

/** Checks that every held commission has an existing holder, and that every request at work has a timer. */
function checkRequests(items: readonly Item[], earned: readonly Item[]): void {
  const idOf = ({ PK }: Item): string => String(PK).split("#").at(-1) ?? "";
  const requests = new Map(items.filter(({ SK }) => SK === "COMMISSION_REQUEST").map((item) => [idOf(item), item]));
  for (const item of earned) {
    const { heldBy } = item;
    must(
      heldBy === undefined || requests.has(String(heldBy)),
      `${idOf(item)} is held by ${heldBy}, which is not there`,
    );
  }
  for (const [id, { phase, dueAt }] of requests) {
    const isAtWork = phase !== "submitted" && phase !== "ended";
    must(
      (dueAt !== undefined) === isAtWork,
      `the request ${id} is ${phase} and ${isAtWork ? "has no" : "still has a"} timer`,
    );
  }
}

function checkDocuments(intent: PaymentIntent, documents: ReadonlyMap<string | undefined, Item>): void {
  if (intent.deliveryMode !== "manual" || intent.executions.length === 0) return;
  for (const { documentId } of documentsOf(intent)) {
    const document = documents.get(documentId);
    must(
      document?.["consumedBy"] === intent.id,
      `${intent.id} was paid with a document of ${document?.["consumedBy"]}`,
    );
  }
}

/** Checks the rules that hold once nothing is under way and every timer has run. */
export async function checkQuiescence(
  { table, run, forgotten }: SimulatedWorld,
  ledger: Ledger,
  people: People,
): Promise<void> {
  await checkStore(table, ledger, people);
  const { findings } = await verifyTable(table, { recount: true });
  for (const { about, problem } of findings) throw new Violation(`${about}: ${problem}`);
  // A rail may have forgotten older payments.
  const match = await matchRails(run, { sinceMs: forgotten.untilMs });
  for (const fault of match.unlisted) throw fault;
  for (const { intentId, executionId, problem } of match.findings) {
    throw new Violation(`${intentId}, execution ${executionId}: ${problem}`);
  }
  await checkLinks(table, ledger);
  for (const { tenantId, id, status, submission, executions, deliveryMode } of ledger.intents.values()) {
    must(submission === undefined, `${id} still has a submission`);
    must(isTerminal(status) || status === "pending_link_payment", `${id} comes to rest as ${status}`);
    if (status === "cancelled" && executions.length === 0) must(ledger.paidFor(id).length === 0, `${id} was paid`);
    if (deliveryMode === "bulk" && executed.includes(status)) {
      // A batch is written without the ids of its payments, which are an item of their own.
      const found = await findIntent(table, tenantId, id);
      const whole = found.ok ? found.value.executions : [];
      const recorded = whole.flatMap(({ connectorPaymentIds }) => connectorPaymentIds).length;
      must(
        recorded === ledger.paidFor(id).length,
        `${id} records ${recorded} of ${ledger.paidFor(id).length} payments`,
      );
    }
  }
  checkReissues([...ledger.intents.values()]);
}

/** Checks that a single-use link is paid once; any further payment is under reconciliation. */
async function checkLinks(table: Table, ledger: Ledger): Promise<void> {
  const records = (await Promise.all(tenantIds.map((tenantId) => listReconciliations(table, tenantId)))).flat();
  const late = records.filter(({ kind }) => kind === "paid_after_close");
  const intents = [...ledger.intents.values()];
  for (const link of intents.filter(({ instructions }) => instructions?.paymentLink?.isSingleUse === true)) {
    const children = intents.filter(({ createdFrom }) => createdFrom?.paymentIntentId === link.id);
    const paid = children.filter(({ status }) => status === "completed" || status === "partially_completed");
    const reported = late.filter(({ intentId }) => paid.some(({ id }) => id === intentId));
    must(paid.length - reported.length <= 1, `the single-use link ${link.id} was paid ${paid.length} times`);
    must(
      (link.linkClosedAt !== undefined) === paid.length > 0,
      `${link.id} was paid ${paid.length} times, or is closed`,
    );
  }
}

/** Checks that a payment is paid again at most once. */
function checkReissues(intents: readonly PaymentIntent[]): void {
  const executedOnes = intents.filter(({ status, executions }) => executed.includes(status) && executions.length > 0);
  const reissued = Map.groupBy(executedOnes, ({ instructions }) => instructions?.reissue?.paymentIntentId);
  reissued.delete(undefined);
  for (const [id, by] of reissued) must(by.length === 1, `${id} was paid again by ${by.map((intent) => intent.id)}`);
}
