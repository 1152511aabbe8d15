import { createHash } from "node:crypto";
import { ScanCommand, type TransactWriteCommandInput } from "@aws-sdk/lib-dynamodb";
import { type Commission, earningLegs } from "@intents/domain/commission.ts";
import type { PaymentOrder } from "@intents/domain/connector.ts";
import { HISTORY_MAX, type IntentStatus, isTerminal, moves } from "@intents/domain/intent-states.ts";
import { addAmounts, compareAmounts } from "@intents/domain/money.ts";
import { documentsOf, type PaymentIntent } from "@intents/domain/payment-intent.ts";
import { outstandingTotals } from "@intents/storage/commissions.ts";
import { readCounts } from "@intents/storage/counters.ts";
import { INTENT_COUNTER, intentCountKey } from "@intents/storage/intents.ts";
import { verifyTable } from "@intents/storage/ledger-scan.ts";
import type { Table } from "@intents/storage/table.ts";
import { caller } from "./world-fixture.ts";

/** What must never be seen. */
export class Violation extends Error {}

export function must(holds: boolean, claim: string): asserts holds {
  if (!holds) throw new Violation(claim);
}

type Item = Readonly<Record<string, unknown>>;
type Entry = Readonly<{ event: string; previous: string | null; intentId: string }>;

const legalSteps = new Set(
  Object.values(moves).flatMap(({ from, to }) => from.map((status: IntentStatus) => `${status}>${to}`)),
);
const executed: readonly IntentStatus[] = ["executing", "completed", "failed", "partially_completed"];

export type Ledger = ReturnType<typeof openLedger>;

/** Remembers what was written and paid, and says at once when the two do not fit. */
export function openLedger() {
  const intents = new Map<string, PaymentIntent>();
  const chains = new Map<string, { head: string | null; events: string[] }>();
  /** By intent and recipient of a batch: the one execution that the rail took. */
  const paid = new Map<string, string>();
  const paidFor = (id: string) =>
    [...paid].filter(([key]) => key.startsWith(`${id}:`)).map(([, execution]) => execution);

  function seeItem(item: Item): void {
    const doc = String(item["doc"]);
    if (item["SK"] === "INTENT") seeIntent(JSON.parse(doc) as PaymentIntent);
    if (String(item["PK"]).includes("#AUDIT#")) seeEntry(JSON.parse(doc) as Entry, doc, String(item["hash"]));
  }

  function seeIntent(after: PaymentIntent): void {
    const { id, status } = after;
    const before = intents.get(id);
    must(
      after.version === (before?.version ?? 0) + 1,
      `${id} goes from version ${before?.version} to ${after.version}`,
    );
    if (before === undefined) must(status === "draft", `${id} begins as ${status}`);
    else {
      must(!isTerminal(before.status) || before.status === status, `${id} leaves ${before.status} for ${status}`);
      const kept = before.statusHistory.length < HISTORY_MAX;
      const past = after.statusHistory.slice(0, before.statusHistory.length);
      must(!kept || JSON.stringify(past) === JSON.stringify(before.statusHistory), `${id} rewrites its history`);
    }
    const steps = after.statusHistory.map((step) => step.status);
    must(steps.at(-1) === status, `${id} is ${status} and its history ends with ${steps.at(-1)}`);
    for (const [index, to] of steps.slice(1).entries()) {
      must(legalSteps.has(`${steps[index]}>${to}`), `${id} went from ${steps[index]} to ${to}`);
    }
    intents.set(id, after);
    seeStanding(after);
  }

  /** Nothing is paid without a record, and nothing recorded as paid was not. */
  function seeStanding(intent: PaymentIntent): void {
    const { id, status, executions, submission } = intent;
    const known = new Set([...executions.map(({ executionId }) => executionId), submission?.executionId]);
    const stray = paidFor(id).filter((executionId) => !known.has(baseOf(executionId)));
    must(stray.length === 0, `${id} is ${status} and the rail holds ${stray.join(", ")}, of which it knows nothing`);
    if (intent.deliveryMode === "reusable_payment_link" || intent.deliveryMode === "bulk") return;
    if (executed.includes(status)) must(paidFor(id).length === 1, `${id} is ${status} without a payment`);
    if (executed.includes(status)) must(executions.length === 1, `${id} has ${executions.length} executions`);
    if (status === "draft" && submission === undefined) must(paidFor(id).length === 0, `${id} is a draft and was paid`);
  }

  function seeEntry({ event, previous, intentId }: Entry, doc: string, hash: string): void {
    const chain = chains.get(intentId) ?? { head: null, events: [] };
    must(previous === chain.head, `the audit entry ${event} of ${intentId} does not follow the one before`);
    must(
      createHash("sha256").update(doc).digest("hex") === hash,
      `the audit entry ${event} of ${intentId} was changed`,
    );
    chains.set(intentId, { head: hash, events: [...chain.events, event] });
  }

  function seeTransaction({ TransactItems = [] }: TransactWriteCommandInput): void {
    for (const item of TransactItems.flatMap(({ Put }) => Put?.Item ?? [])) seeItem(item);
  }

  function seeAccepted(order: PaymentOrder, executionId: string): void {
    const key = `${order.intentId}:${executionId.split(":")[1] ?? "only"}`;
    const other = paid.get(key);
    must(other === undefined || other === executionId, `${key} was paid by ${other} and by ${executionId}`);
    paid.set(key, executionId);
    const intent = intents.get(order.intentId);
    must(intent !== undefined, `${order.intentId} was paid before it was stored`);
    seeStanding(intent);
  }

  return { intents, chains, paidFor, seeTransaction, seeAccepted };
}

const baseOf = (executionId: string): string => executionId.split(":")[0] ?? executionId;

async function scan({ db }: Table, TableName: string): Promise<Item[]> {
  const items: Item[] = [];
  let start: Record<string, unknown> | undefined;
  do {
    const page = await db.send(
      new ScanCommand({ TableName, ConsistentRead: true, ...(start !== undefined && { ExclusiveStartKey: start }) }),
    );
    items.push(...(page.Items ?? []));
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
  return items;
}

/** Holds the whole store against what was seen of it; nothing may be under way while it reads. */
export async function checkStore(table: Table, ledger: Ledger): Promise<void> {
  const items = await scan(table, table.name);
  const stored = items.filter(({ SK }) => SK === "INTENT").map(({ doc }) => JSON.parse(String(doc)) as PaymentIntent);
  must(stored.length === ledger.intents.size, `${stored.length} intents are stored of ${ledger.intents.size}`);
  const timers = new Set(items.filter(({ SK }) => SK === "TIMER").map(({ PK }) => String(PK).split("#").at(-1)));
  const documents = new Map(
    items
      .filter(({ PK }) => String(PK).includes("#DOCUMENT#"))
      .map((item) => [String(item["PK"]).split("#").at(-1), item]),
  );
  const live = new Set<unknown>();
  const counted = new Map<string, number>();
  for (const intent of stored) {
    const { id, status, submission, auditHead } = intent;
    counted.set(intentCountKey(intent), (counted.get(intentCountKey(intent)) ?? 0) + 1);
    must(JSON.stringify(intent) === JSON.stringify(ledger.intents.get(id)), `${id} was changed by no transaction`);
    const waits = submission !== undefined || !(isTerminal(status) || status === "pending_link_payment");
    must(timers.has(id) === waits, `${id} is ${status} and ${waits ? "has no timer" : "still has a timer"}`);
    const { head, events = [] } = ledger.chains.get(id) ?? {};
    must(auditHead === head, `${id} does not name the end of its audit chain`);
    for (const once of ["paymentIntent.created", "paymentIntent.terms_accepted"]) {
      must(events.filter((event) => event === once).length === 1, `${id} has not exactly one ${once}`);
    }
    if (submission !== undefined) live.add(submission.executionId);
    checkDocuments(intent, documents);
  }
  for (const [id, { executionId, consumedBy }] of documents) {
    const isHeld = executionId !== undefined && consumedBy === undefined;
    must(!isHeld || live.has(executionId), `document ${id} stays reserved for ${executionId}`);
  }
  const counts = await readCounts(table, caller.tenantId, INTENT_COUNTER);
  for (const key of new Set([...counts.keys(), ...counted.keys()])) {
    must((counts.get(key) ?? 0) === (counted.get(key) ?? 0), `${key} is counted as ${counts.get(key)}`);
  }
  await checkCommissions(table, stored, items);
}

/** One commission for every payment that earns one, and no other; what is outstanding is counted exactly. */
async function checkCommissions(table: Table, intents: readonly PaymentIntent[], items: readonly Item[]) {
  const earning = intents.flatMap((intent) =>
    intent.executions.flatMap((execution) =>
      earningLegs(intent, execution).length > 0 ? execution.connectorPaymentIds : [],
    ),
  );
  const commissions = items
    .filter(({ SK }) => SK === "COMMISSION")
    .map(({ doc }) => JSON.parse(String(doc)) as Commission);
  const paymentIds = commissions.map(({ paymentId }) => paymentId);
  must(paymentIds.toSorted().join() === earning.toSorted().join(), `${paymentIds} earned commissions, not ${earning}`);
  const amounts = Map.groupBy(commissions, ({ commissionCurrency }) => commissionCurrency);
  for (const { currency, amount } of await outstandingTotals(table, caller.tenantId)) {
    const earned = (amounts.get(currency) ?? []).map(({ commissionAmount }) => commissionAmount);
    must(compareAmounts(addAmounts(...earned), amount) === 0, `${amount} ${currency} are outstanding of ${earned}`);
    amounts.delete(currency);
  }
  must(amounts.size === 0, `${[...amounts.keys()]} are not counted as outstanding`);
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

/** What must hold once nothing is under way and every timer has run. */
export async function checkQuiescence(table: Table, railTableName: string, ledger: Ledger): Promise<void> {
  await checkStore(table, ledger);
  const { findings } = await verifyTable(table);
  for (const { about, problem } of findings) throw new Violation(`${about}: ${problem}`);
  for (const { id, status, submission, executions, deliveryMode } of ledger.intents.values()) {
    must(submission === undefined, `${id} still has a submission`);
    must(isTerminal(status) || status === "pending_link_payment", `${id} comes to rest as ${status}`);
    if (status === "cancelled" && executions.length === 0) must(ledger.paidFor(id).length === 0, `${id} was paid`);
    if (deliveryMode === "bulk" && executed.includes(status)) {
      const recorded = executions.flatMap(({ connectorPaymentIds }) => connectorPaymentIds).length;
      must(
        recorded === ledger.paidFor(id).length,
        `${id} records ${recorded} of ${ledger.paidFor(id).length} payments`,
      );
    }
  }
  const payments = (await scan(table, railTableName))
    .filter(({ PK }) => String(PK).endsWith("#PAYMENT"))
    .map(({ payment }) => JSON.parse(String(payment)) as { intentId: string; executionId: string });
  for (const { intentId, executionId } of payments) {
    must(ledger.paidFor(intentId).includes(executionId), `the rail holds ${executionId}, which nobody asked for`);
  }
}
