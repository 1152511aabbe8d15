import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { newLinkToken, type RandomBytes } from "@intents/domain/ids.ts";
import type {
  ExecuteAnswer,
  ExecutionKey,
  FundAnswer,
  PaymentOrder,
  Rail,
  RailRecord,
  RecordsAnswer,
  StatusAnswer,
} from "@intents/domain/rails/rail.ts";
import { fail, ok, type Result } from "@intents/domain/result.ts";
import { describeScenario } from "../descriptions.ts";
import { type Fulfilled, planFates, type TestWish, type WishRefusal } from "./fates.ts";
import { addFunding, openDeposits, receiveFunding } from "./fundings.ts";
import { keysIn, type RailTable } from "./items.ts";
import { isLapsed, planFunding, planPayment, type RailPayment, statusOf } from "./payment.ts";
import { forgetPeople } from "./privacy.ts";
import {
  findPayment,
  findPaymentByToken,
  findPayments,
  listPayments,
  readCursor,
  scanPayments,
  toCursor,
} from "./reads.ts";
import { type CheckoutOutcome, checkoutOutcomes, isAnswered } from "./scenarios.ts";
import { type SandboxCheckout, type SandboxPayment, toCheckout, toSandboxPayment } from "./shown.ts";
import { addPayment, addRefusal, endPayment, type Stored, writeFates } from "./store.ts";
import { type SandboxTerms, sandbox } from "./terms.ts";

const LIST_MAX = 1000;

export type SandboxOptions = Readonly<{
  db: DynamoDBDocumentClient;
  tableName: string;
  /** The address at which the checkout page is served, without a slash at the end. */
  baseUrl: string;
  settleSeconds: number;
  dedupSeconds: number;
  /** Milliseconds since 1970. */
  now: () => number;
  random: RandomBytes;
}>;

type CheckoutRefusal = Readonly<{ kind: "not_found" }> | Readonly<{ kind: "closed"; checkout: SandboxCheckout }>;

/** The operations of a simulated rail that are for testers and payers. */
export type SandboxDesk = Readonly<{
  /** The tenant's payments, newest first; `limit` is 1 to 1,000. With `executionId`: only those of that execution. */
  listPayments(tenantId: string, query: Readonly<{ executionId?: string; limit: number }>): Promise<SandboxPayment[]>;
  findCheckout(token: string): Promise<SandboxCheckout | undefined>;
  /** Pays or declines. Repeating the first outcome succeeds again; another one, or a lapsed session, is `closed`. */
  finishCheckout(token: string, outcome: CheckoutOutcome): Promise<Result<SandboxCheckout, CheckoutRefusal>>;
}>;

type Decided = Readonly<{ fulfilled?: Fulfilled }>;
type DecisionRefusal = WishRefusal | Readonly<{ kind: "not_found" }>;

export type SandboxRail = SandboxDesk &
  Readonly<{
    port: Rail;
    /** Has the deposit of a batch come in, once; false where none was announced under this reference. */
    receiveDeposit(tenantId: string, fundingReference: string): Promise<boolean>;
    /** Makes something happen to a payment, once; tells how it stands then, and whether it was so already. */
    decide(
      tenantId: string,
      executionId: string,
      wish: TestWish,
    ): Promise<Result<Decided & Readonly<{ payment: SandboxPayment }>, DecisionRefusal>>;
  }>;

/**
 * A simulated rail with state of its own: it moves no money, and answers as a real one would (DESIGN 6). `terms` say
 * which of the simulated rails it is; by default it is the one for every corridor.
 */
export function openSandboxRail(options: SandboxOptions, terms: SandboxTerms = sandbox): SandboxRail {
  const { db, tableName: name, random, now } = options;
  const { keySpace, retentionMs } = terms;
  const table: RailTable = { db, name, random, keySpace, retentionMs };
  return {
    port: {
      rail: terms.rail,
      describe: (scenario) => describeScenario(terms.rail.name, terms.scenarios, scenario),
      execute: (order, executionId) => execute(table, terms, options, order, executionId).catch(toUnknown),
      status: (tenantId, executionId) => findStatus(table, tenantId, executionId, now()).catch(toUnavailable),
      statuses: (asked) =>
        findStatuses(table, asked, now()).catch((error: unknown) => asked.map(() => toUnavailable(error))),
      cancel: (tenantId, executionId) => cancel(table, tenantId, executionId, now()).catch(toUnavailable),
      fund: (order) =>
        addFunding(table, planFunding(order, terms, now())).then(({ answer }): FundAnswer => answer, toUnknown),
      forget: (tenantId, executionId) => forgetPeople(table, tenantId, executionId),
      list: (page) => listRecords(table, page, now()).catch(toUnavailable),
    },
    async listPayments(tenantId, { executionId, limit }) {
      const found = await listPayments(table, tenantId, withinLimit(limit), executionId);
      const depositOf = openDeposits(table);
      return Promise.all(
        found.map(async (payment) => toSandboxPayment(payment, terms.rail.name, now(), await depositOf(payment))),
      );
    },
    receiveDeposit: (tenantId, fundingReference) => receiveFunding(table, { tenantId, fundingReference }, now()),
    async decide(tenantId, executionId, wish) {
      const decided = await decide(table, { tenantId, executionId }, wish, now);
      if (!decided.ok) return decided;
      const { payment, ...already } = decided.value;
      return ok({ ...already, payment: toSandboxPayment(payment, terms.rail.name, now()) });
    },
    async findCheckout(token) {
      const payment = await findPaymentByToken(table, token);
      return payment && toCheckout(payment, now());
    },
    async finishCheckout(token, outcome) {
      const { end: wanted } = checkoutOutcomes[outcome];
      const payment = await findPaymentByToken(table, token);
      if (payment === undefined) return fail({ kind: "not_found" });
      const nowMs = now();
      const ended = await endPayment(table, payment, isLapsed(payment, nowMs) ? "expired" : wanted, nowMs);
      const checkout = toCheckout(ended, nowMs);
      return checkout.state === wanted ? ok(checkout) : fail({ kind: "closed", checkout });
    },
  };
}

async function execute(
  table: RailTable,
  terms: SandboxTerms,
  options: SandboxOptions,
  order: PaymentOrder,
  executionId: string,
): Promise<ExecuteAnswer> {
  if (isAnswered(order.legs, "unreachable")) return { kind: "unreachable", reason: "the sandbox plays unavailable" };
  const { settleSeconds, baseUrl, dedupSeconds } = options;
  const [nowMs, dedupMs] = [options.now(), dedupSeconds * 1000];
  const checkoutToken = newLinkToken(table.random);
  const payment = planPayment(order, executionId, terms, { nowMs, settleSeconds, baseUrl, checkoutToken });

  const stored: Stored = isAnswered(order.legs, "duplicate")
    ? { kind: "refused", answer: { kind: "duplicate", untilMs: nowMs + dedupMs } }
    : await addPayment(table, payment, dedupMs);
  if (stored.kind === "refused") return addRefusal(table, payment, stored.answer);
  if (stored.kind === "answered") return stored.answer;
  // The payment is made, and only the answer is lost: the next request gets it.
  if (isAnswered(order.legs, "unknown")) return { kind: "unknown", reason: "the sandbox lost its answer" };
  return payment.answer;
}

async function findStatus(
  table: RailTable,
  tenantId: string,
  executionId: string,
  nowMs: number,
): Promise<StatusAnswer> {
  return statusNow(table, await findPayment(table, tenantId, executionId), nowMs);
}

async function findStatuses(table: RailTable, asked: readonly ExecutionKey[], nowMs: number): Promise<StatusAnswer[]> {
  const payments = await findPayments(table, asked);
  const depositOf = openDeposits(table);
  return Promise.all(
    asked.map(({ tenantId, executionId }) => {
      const payment = payments.get(JSON.stringify(keysIn(table).payment(tenantId, executionId)));
      return statusNow(table, payment, nowMs, depositOf).catch(toUnavailable);
    }),
  );
}

async function statusNow(
  table: RailTable,
  payment: RailPayment | undefined,
  nowMs: number,
  depositOf = openDeposits(table),
): Promise<StatusAnswer> {
  if (payment === undefined) return { kind: "not_found" };
  // A cancellation is told only once it is stored, so that a payer cannot pay what we called cancelled.
  const now = isLapsed(payment, nowMs) ? await endPayment(table, payment, "expired", nowMs) : payment;
  return statusOf(now, nowMs, await depositOf(payment));
}

/** Cancels a payment unless it has been paid, and tells its status afterwards. */
async function cancel(table: RailTable, tenantId: string, executionId: string, nowMs: number): Promise<StatusAnswer> {
  const payment = await findPayment(table, tenantId, executionId);
  if (payment === undefined) return { kind: "not_found" };
  const deposit = await openDeposits(table)(payment);
  const isPaid = payment.end !== undefined || statusOf(payment, nowMs, deposit).kind !== "pending";
  const ended = isPaid ? payment : await endPayment(table, payment, "cancelled", nowMs);
  return statusOf(ended, nowMs, deposit);
}

/** Tries to write a tester's wish while others change the payment. */
const WISH_TRIES_MAX = 8;

async function decide(
  table: RailTable,
  { tenantId, executionId }: ExecutionKey,
  wish: TestWish,
  now: () => number,
): Promise<Result<Decided & Readonly<{ payment: RailPayment }>, DecisionRefusal>> {
  for (let tries = 0; tries < WISH_TRIES_MAX; tries++) {
    const payment = await findPayment(table, tenantId, executionId);
    if (payment === undefined) return fail({ kind: "not_found" });
    const planned = planFates(payment, wish, now());
    if (!planned.ok) return planned;
    if (typeof planned.value === "string") return ok({ payment, fulfilled: planned.value });
    const written = await writeFates(table, payment, planned.value);
    if (written !== undefined) return ok({ payment: written });
  }
  throw new Error(`The payment ${executionId} changes faster than a wish is written`);
}

async function listRecords(
  table: RailTable,
  { sinceMs, after, limit }: Parameters<Rail["list"]>[0],
  nowMs: number,
): Promise<RecordsAnswer> {
  const from = after === undefined ? undefined : readCursor(after);
  if (after !== undefined && from === undefined)
    return { kind: "unavailable", reason: "after is no cursor of this rail" };
  const page = await scanPayments(table, { sinceMs, after: from, limit: withinLimit(limit) });
  return {
    kind: "page",
    payments: page.payments.map((payment) => toRecord(payment, nowMs)),
    ...(page.after !== undefined && { after: toCursor(page.after) }),
  };
}

/** A checkout whose session ended unpaid is still pending here: only `status` closes it, and then says so. */
function toRecord(payment: RailPayment, nowMs: number): RailRecord {
  const { tenantId, intentId, executionId, answer, acceptedAtMs, payerCurrency: currency, totalAmount } = payment;
  const status = statusOf(payment, nowMs);
  const { railPaymentId } = answer;
  const record = { tenantId, intentId, executionId, railPaymentId, acceptedAtMs, currency, totalAmount };
  if (status.kind !== "settled") return { ...record, standing: status.kind };
  const failed = status.legs.flatMap(({ order, outcome }) => (outcome === "failed" ? order : []));
  return { ...record, standing: "settled", failed };
}

const withinLimit = (limit: number): number => Math.min(Math.max(limit, 1), LIST_MAX);

// A failure of the simulated rail's own store is to its caller a rail that gave no answer, and may have accepted.
const toUnknown = (error: unknown) => ({ kind: "unknown", reason: failureOf(error) }) as const;
const toUnavailable = (error: unknown) => ({ kind: "unavailable", reason: failureOf(error) }) as const;
const failureOf = (error: unknown): string => `the sandbox failed: ${error instanceof Error ? error.name : "unknown"}`;
