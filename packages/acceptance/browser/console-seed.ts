import { randomBytes } from "node:crypto";
import { pathToFileURL } from "node:url";
import { BatchWriteCommand } from "@aws-sdk/lib-dynamodb";
import { DAY_MS } from "@intents/domain/durations.ts";
import { newNumericId, newRecordId, newUuid } from "@intents/domain/ids.ts";
import type { Execution, PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import type { IntentStatus } from "@intents/domain/intents/statuses.ts";
import { bookAcceptance, bookProgress } from "@intents/domain/ledger/ledger.ts";
import { storedIntent } from "@intents/domain/test/intent-fixture.ts";
import { INTENT_COUNTER, intentActions, intentCountKey } from "@intents/storage/intents/intents.ts";
import { ledgerActions } from "@intents/storage/intents/ledger.ts";
import { addTenant } from "@intents/storage/parties/tenants.ts";
import { reconciliationId } from "@intents/storage/reviews/reconciliation.ts";
import { countActions } from "@intents/storage/table/counters.ts";
import { mapInTurns } from "@intents/storage/table/in-turns.ts";
import { keysOf } from "@intents/storage/table/keys.ts";
import { type Table, toDoc } from "@intents/storage/table/table.ts";
import { transact } from "@intents/storage/table/transact.ts";
import { openOperator } from "../service/operator-fixture.ts";

// Fills the store of a service that runs here: node console-seed.ts <port> <payments>. Payments that were really made, by
// `operator seed`, take a hundred times as long.

/** The statuses of twenty payments in a row. */
const statuses: readonly IntentStatus[] = [
  ...Array.from({ length: 11 }, () => "completed" as const),
  ...(["executing", "executing", "executing", "draft", "draft", "failed", "failed"] as const),
  ...(["requires_recovery", "cancelled"] as const),
];
const people = [
  ["Ana", "Silva"],
  ["Priya", "Nair"],
  ["محمد عبد الرحمن", "الأنصاري"],
  ["Minh", "Trần"],
  ["Hubert Blaine", "Wolfeschlegelsteinhausenbergerdorffwelchevoralternwaren"],
  ["Kenji", "Mori"],
  ["Zoë", "O'Hara"],
] as const;
const currencies = ["BRL", "INR", "VND", "COP", "EUR"] as const;

const DAYS = 6;
const PER_BATCH = 25;
const AT_ONCE = 8;
/** Payments in memory before a write. */
const PART = 2_000;

const random = (count: number) => new Uint8Array(randomBytes(count));
const at = (ms: number): string => new Date(ms).toISOString();

/** Stores payments of the last six days straight into the table, each with its ledger and its audit, and counts them. */
export async function seedPayments(table: Table, tenantId: string, count: number, nowMs: number): Promise<void> {
  for (let start = 0; start < count; start += PART) {
    const part = Array.from({ length: Math.min(PART, count - start) }, (_, index) => {
      // More of them are new than old.
      const ageMs = Math.round(DAYS * DAY_MS * ((start + index + 0.5) / count) ** 1.3);
      return paymentOf(tenantId, start + index, nowMs - ageMs);
    });
    await write(
      table,
      part.flatMap(({ intent, ended }) => itemsOf(table, intent, ended)),
    );
    const counted = Map.groupBy(part, ({ intent }) => intentCountKey(intent));
    const counts = [...counted].map(([to, some]) => ({ counter: INTENT_COUNTER, to, by: some.length }));
    for (const each of counts) await transact(table, () => countActions(tenantId, [each], table));
  }
}

/** Stores `count` commission requests and as many reconciliation records, 1 % open, and a tenth as many tenants. */
export async function seedRecords(table: Table, tenantId: string, count: number, nowMs: number): Promise<void> {
  const keys = keysOf(tenantId);
  const items = Array.from({ length: count }, (_, index): Item[] => {
    const ms = nowMs - index * 60_000;
    const id = newRecordId(ms, random);
    const isOpen = index % 100 === 50;
    const request = {
      ...{ requestId: id, status: isOpen ? "submitted" : "paid", totalAmount: "12.00", currency: "AUD" },
      ...{ paymentCount: 0, createdOn: at(ms), payments: [] },
    };
    const about = { intentId: id, executionId: newUuid(random), kind: "contradicts_outcome" } as const;
    const closed = isOpen ? {} : { closed: { at: at(ms), by: "olga", reason: "settled" } };
    const record = { tenantId, ...about, said: "cleared", stands: "failed", openedAt: at(ms), ...closed };
    return [
      {
        ...{ ...keys.commissionRequest(id), listPK: keys.list("COMMISSION_REQUEST"), listSK: id },
        ...{ doc: toDoc(request), phase: isOpen ? "submitted" : "ended", chunks: 0 },
      },
      { ...keys.reconciliation(reconciliationId(about)), doc: toDoc(record) },
    ];
  });
  await write(table, items.flat());
  const createdAt = at(nowMs);
  const terms = { countryCode: "AU", currencyCode: "AUD", commissionSpread: "0.01", createdAt };
  const others = Array.from({ length: Math.floor(count / 10) }, (_, index) => String(900_000 + index));
  await mapInTurns(others, AT_ONCE, (id) => addTenant(table, { tenantId: id, name: `Customer ${id}`, ...terms }));
}

type Seeded = Readonly<{ intent: PaymentIntent; ended: Execution | undefined }>;

function paymentOf(tenantId: string, index: number, createdMs: number): Seeded {
  const status = statuses[(index * 7) % statuses.length] ?? "draft";
  const [firstName, lastName] = people[index % people.length] ?? ["", ""];
  const createdAt = at(createdMs);
  const intent = storedIntent({
    tenantId,
    id: newRecordId(createdMs, random),
    status,
    createdAt,
    updatedAt: createdAt,
    payer: { role: "student", details: { firstName, lastName, email: `payer.${index}@example.com` } },
    recipients: [
      {
        role: "education_provider",
        connectorPayeeId: 5001,
        reference: `Invoice ${index}`,
        amount: { payerAmount: amountOf(index) },
      },
    ],
    statusHistory: [
      { status: "draft", at: createdAt, by: "demo-user" },
      { status, at: at(createdMs + 2_000), by: "demo-user" },
    ],
  });
  if (status === "draft") return { intent, ended: undefined };
  const ended = executionOf(intent, index, createdMs);
  return { intent: { ...intent, executions: [ended] }, ended };
}

const amountOf = (index: number): string => `${900 + ((index * 1371) % 11_100)}.00`;

function executionOf({ status, payer }: PaymentIntent, index: number, createdMs: number): Execution {
  const isOver = status !== "executing" && status !== "requires_recovery";
  const ends = status === "completed" ? "cleared" : "failed";
  const currency = currencies[index % currencies.length] ?? "BRL";
  const leg = {
    order: 0,
    payeeId: 5001,
    splitRole: "principal_provider_amount",
    payerAmount: amountOf(index),
    payerCurrency: currency,
    payeeAmount: "1500.00",
    payeeCurrency: "AUD",
    status: isOver ? ends : "executing",
  } as const;
  return {
    executionId: newUuid(random),
    connector: index % 3 === 0 ? "sandbox-bank" : "sandbox",
    status: isOver ? (status as "completed" | "failed" | "cancelled") : "executing",
    startedAt: at(createdMs + 1_000),
    ...(isOver && { endedAt: at(createdMs + 2_000) }),
    connectorPaymentIds: [newNumericId(createdMs, random)],
    railPaymentId: `rail-${index}`,
    payer: payer.details ?? {},
    currency,
    fee: "20.00",
    legs: [leg],
    ...(status === "failed" && { cause: "the payer's bank refused the transfer" }),
  };
}

type Item = Readonly<Record<string, unknown>>;

function itemsOf(table: Table, intent: PaymentIntent, ended: Execution | undefined): Item[] {
  const created = { event: "paymentIntent.created", actor: "demo-user", at: intent.createdAt };
  const { actions } = intentActions(table, undefined, intent, [created], () => ({}));
  return [...actions, ...ledgerActions(table, intent, ended === undefined ? [] : booked(ended))].flatMap(
    ({ write: { Put } }) => (Put?.Item === undefined ? [] : [Put.Item]),
  );
}

function booked(ended: Execution) {
  const begun: Execution = {
    ...ended,
    status: "executing",
    legs: ended.legs.map((leg) => ({ ...leg, status: "executing" as const })),
  };
  const { endedAt: _, ...open } = begun;
  return [...bookAcceptance(open), ...bookProgress(open, ended)];
}

async function write({ db, name }: Table, items: readonly Item[]): Promise<void> {
  const batches = Array.from({ length: Math.ceil(items.length / PER_BATCH) }, (_, batch) =>
    items.slice(batch * PER_BATCH, (batch + 1) * PER_BATCH).map((Item) => ({ PutRequest: { Item } })),
  );
  await mapInTurns(batches, AT_ONCE, (batch) => db.send(new BatchWriteCommand({ RequestItems: { [name]: batch } })));
}

const [, main = "", port, payments] = process.argv;
if (import.meta.url === pathToFileURL(main).href) {
  const operator = openOperator(`http://127.0.0.1:${port}`);
  await seedPayments(operator.table, "1001", Number(payments), Date.now());
  operator.close();
}
