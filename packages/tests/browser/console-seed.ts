import { randomBytes } from "node:crypto";
import { BatchWriteCommand } from "@aws-sdk/lib-dynamodb";
import { DAY_MS } from "@intents/domain/durations.ts";
import { newNumericId, newRecordId, newUuid } from "@intents/domain/ids.ts";
import type { Execution, PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import type { IntentStatus } from "@intents/domain/intents/statuses.ts";
import { bookAcceptance, bookProgress } from "@intents/domain/ledger/ledger.ts";
import { storedIntent } from "@intents/domain/test/intent-fixture.ts";
import { INTENT_COUNTER, intentActions, intentCountKey } from "@intents/storage/intents/intents.ts";
import { ledgerActions } from "@intents/storage/intents/ledger.ts";
import { countActions } from "@intents/storage/table/counters.ts";
import { mapInTurns } from "@intents/storage/table/in-turns.ts";
import type { Table } from "@intents/storage/table/table.ts";
import { transact } from "@intents/storage/table/transact.ts";

// Fills the store of a service that runs here. Payments that were really made, by `operator seed`, take a hundred times as
// long.

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
