import type { ChartData, Series } from "@intents/console/chart.tsx";
import { linkTo } from "@intents/console/frame.ts";
import type { PaymentsView } from "@intents/console/payments.tsx";
import { DAY_MS, HOUR_MS } from "@intents/domain/durations.ts";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { type IntentStatus, intentStatuses } from "@intents/domain/intents/statuses.ts";
import { describeMoney } from "@intents/domain/money-state/describe-money.ts";
import { type MoneyPart, sumByState } from "@intents/domain/money-state/money-state.ts";
import { describePayments, openPayees } from "@intents/execution/search/describe.ts";
import { fromCountKey, INTENT_COUNTER } from "@intents/storage/intents/intents.ts";
import { listRecords } from "@intents/storage/lists/lists.ts";
import { readNewest } from "@intents/storage/lists/newest.ts";
import { findMoneyFacts } from "@intents/storage/reviews/money-facts.ts";
import { readCounts } from "@intents/storage/table/counters.ts";
import { Refusal } from "../refusal.ts";
import type { Means } from "./means.ts";

/** The charts are drawn of at most so many payments, the newest of their time. */
const DRAWN_MAX = 5_000;
/** A page of the list. */
const PAGE = 50;

type PaymentsQuery = Readonly<{ days: number; status?: IntentStatus | undefined; cursor?: string | undefined }>;

/** Payments over time, and a page of the list of them; behind its first page the list stands alone. */
export async function readPayments(
  means: Means,
  tenantId: string,
  asked: PaymentsQuery,
  drawnMax = DRAWN_MAX,
): Promise<PaymentsView> {
  const [charts, list] = await Promise.all([
    asked.cursor === undefined ? readCharts(means, tenantId, asked.days, drawnMax) : undefined,
    readList(means, tenantId, asked),
  ]);
  return {
    days: asked.days,
    status: asked.status,
    statuses: intentStatuses,
    ...list,
    ...(charts !== undefined && { charts }),
  };
}

async function readList({ session }: Means, tenantId: string, { days, status, cursor }: PaymentsQuery) {
  const filter = status === undefined ? {} : { status };
  const begin = cursor === undefined ? {} : { cursor };
  const query = { filter, sort: [], population: [], stripped: [], skip: 0, limit: PAGE, ...begin };
  const page = await listRecords(session.table, tenantId, "INTENT", query);
  if (!page.ok) throw new Refusal("cursor is not one of this list");
  const { items, nextCursor } = page.value;
  const rows = await describePayments(
    session.table,
    items.map((payment) => ({ tenantId, payment })),
  );
  const older = nextCursor && linkTo("payments", { tenant: tenantId, days, status, cursor: nextCursor });
  return { rows, older };
}

/** The fields of a payment that the charts need. */
type Dot = Readonly<{ bucket: number; status: string; currency: string; rail: string; parts: readonly MoneyPart[] }>;

async function readCharts(
  { session }: Means,
  tenantId: string,
  days: number,
  drawnMax: number,
): Promise<NonNullable<PaymentsView["charts"]>> {
  const { stepMs, startMs, count } = bucketsOf(days, Date.now());
  const newest: PaymentIntent[] = [];
  for await (const page of readNewest(session.table, [tenantId], { sinceMs: startMs })) {
    newest.push(...page);
    if (newest.length > drawnMax) break;
  }
  const hasMore = newest.length > drawnMax;
  const intents = newest.slice(0, drawnMax);
  const [facts, payees] = await Promise.all([
    findMoneyFacts(session.table, intents),
    openPayees(session.table).of(intents),
  ]);
  const drawn = intents.map((intent, at): Dot => {
    const parts = describeMoney(intent, { ...(facts[at] ?? { legs: [], corrections: [] }), payees });
    return toDot(intent, parts, Math.floor((Date.parse(intent.createdAt) - startMs) / stepMs));
  });
  const counts = await readCounts(session.table, tenantId, INTENT_COUNTER);
  const buckets = Array.from({ length: count }, (_, at) => labelsOf(startMs + at * stepMs, stepMs));
  const chart = (by: "status" | "currency" | "rail"): ChartData => ({
    id: by,
    title: `Payments by ${by}`,
    unit: "payments",
    buckets,
    series: seriesOf(drawn, count, (dot) => dot[by]),
  });
  return {
    drawn: drawn.length,
    hasMore,
    counted: countedByStatus(counts),
    all: [chart("status"), chart("currency"), chart("rail")],
    sums: sumsOf(drawn),
  };
}

/** All payments there are, by status, the most first; as they are counted for lists. */
function countedByStatus(counts: ReadonlyMap<string, number>): NonNullable<PaymentsView["charts"]>["counted"] {
  const byStatus = Map.groupBy(counts, ([key]) => (fromCountKey(key) as Readonly<{ status: string }>).status);
  return [...byStatus]
    .map(([status, some]) => ({ status, payments: some.reduce((sum, [, count]) => sum + count, 0) }))
    .filter(({ payments }) => payments > 0)
    .toSorted((one, other) => other.payments - one.payments);
}

/** A bucket for each hour of a day, or else for each day; the last one is the present one. */
function bucketsOf(days: number, nowMs: number) {
  const stepMs = days === 1 ? HOUR_MS : DAY_MS;
  const count = days === 1 ? 24 : days;
  return { stepMs, count, startMs: (Math.floor(nowMs / stepMs) - count + 1) * stepMs };
}

function labelsOf(ms: number, stepMs: number): ChartData["buckets"][number] {
  const text = new Date(ms).toISOString();
  return stepMs === HOUR_MS
    ? { name: text.slice(0, 16).replace("T", " "), short: text.slice(11, 16) }
    : { name: text.slice(0, 10), short: text.slice(5, 10) };
}

const toDot = ({ status, executions }: PaymentIntent, parts: readonly MoneyPart[], bucket: number): Dot => ({
  bucket,
  status,
  parts,
  currency: parts.find(({ payerAmount }) => payerAmount !== undefined)?.payerAmount?.currency ?? "not known yet",
  rail: executions.at(-1)?.connector ?? "none yet",
});

function seriesOf(dots: readonly Dot[], count: number, kindOf: (dot: Dot) => string): Series[] {
  return [...Map.groupBy(dots, kindOf)].map(([name, some]) => {
    const counts = Array.from({ length: count }, () => 0);
    for (const { bucket } of some) counts[bucket] = (counts[bucket] ?? 0) + 1;
    return { name, counts };
  });
}

/** Where the money is, by currency and side. */
function sumsOf(dots: readonly Dot[]): NonNullable<PaymentsView["charts"]>["sums"] {
  const states = Object.entries(sumByState(dots.flatMap(({ parts }) => parts)));
  const sides = { payer: "payerAmount", fee: "fee", payee: "payeeAmount" } as const;
  const rows = states.flatMap(([state, sums]) =>
    (["payer", "fee", "payee"] as const).flatMap((side) =>
      sums[sides[side]].map(({ currency, amount }) => ({ key: `${currency} ${side}`, currency, side, state, amount })),
    ),
  );
  return [...Map.groupBy(rows, ({ key }) => key).values()]
    .flatMap((some) => {
      const [first] = some;
      const byState = Object.fromEntries(some.map(({ state, amount }) => [state, amount]));
      return first === undefined ? [] : [{ currency: first.currency, side: first.side, byState }];
    })
    .toSorted((one, other) => one.currency.localeCompare(other.currency));
}
