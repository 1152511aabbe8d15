import { renderView } from "@intents/console/views.tsx";
import { sumCommissions } from "@intents/domain/commissions/correction.ts";
import { type IntentStatus, intentStatuses } from "@intents/domain/intents/statuses.ts";
import { correctionRow, standings } from "@intents/domain/ledger/correcting.ts";
import { addTurnover, type Turnovers } from "@intents/domain/ledger/verify.ts";
import type { PaymentRow } from "@intents/domain/search/payment-row.ts";
import { quote } from "@intents/domain/test/intent-fixture.ts";
import { advanceIntent } from "@intents/execution/advance.ts";
import { compileIntent } from "@intents/execution/drafts/compile.ts";
import { findLinkPayment } from "@intents/execution/links/link-payment.ts";
import type { PublishedLink } from "@intents/execution/links/published-link.ts";
import { readAnswer } from "@intents/execution/metadata/read-answer.ts";
import { closeWith, planClose } from "@intents/execution/operations/correction.ts";
import { cancelIntent, loseTrackOfIntent } from "@intents/execution/operations/payment.ts";
import { findPayerPayment } from "@intents/execution/payer-sessions/payer-payment.ts";
import { ask } from "@intents/execution/polling/question.ts";
import type { Post } from "@intents/execution/polling/sweep.ts";
import { describePayments } from "@intents/execution/search/describe.ts";
import { by, startWorld } from "@intents/execution/test/execution-fixture.ts";
import { payersOf } from "@intents/execution/test/session-fixture.ts";
import { decidePayment } from "@intents/execution/testing/payments.ts";
import { findCommissions } from "@intents/storage/commissions/commissions.ts";
import { listLedger } from "@intents/storage/intents/ledger.ts";
import { reviewCommissions } from "@intents/storage/reviews/commissions.ts";
import { findReconciliations, reconciliationId } from "@intents/storage/reviews/reconciliation.ts";
import { afterAll, expect, test } from "vitest";
import { paymentView } from "./payment-rows.ts";

// All statements about a payment's money, in every status and by every way of delivery: docs/standing.md.
// `pnpm generate` writes it anew.

const world = await startWorld();
afterAll(world.stop);
const payers = payersOf(world);
const { table } = world;
/** Reviews hold commissions, as in the functions. */
const run = { ...world.run, reviewCommissions };
const { tenantId } = world.caller;

type Made = Readonly<{ id: string; link?: PublishedLink }>;
type Deed = (id: string) => Promise<unknown>;
type Wish = Parameters<typeof decidePayment>[3];

/** Carries out the work that would be posted to the queue. */
const post: Post = async (messages) => {
  for (const { message } of messages) {
    if (message.kind === "question") await ask(run, message, post);
    if (message.kind === "timer") await advanceIntent(run, message, Number.POSITIVE_INFINITY);
  }
};

/** A tester's wish about a payment, of a batch about all of it. */
const wish =
  (how: Wish["how"], order?: number): Deed =>
  async (id) => {
    const { connectorPayment, executions } = await world.get(id);
    const paymentId = Number(connectorPayment?.reference ?? executions[0]?.connectorPaymentIds[0]);
    const wanted = { how, ...(order !== undefined && { order }) } as Wish;
    const decided = await decidePayment(run, { sandboxes: [world.rail], post }, { tenantId, paymentId }, wanted);
    expect(decided).toMatchObject({ ok: true });
  };
const byHand =
  (operate: typeof cancelIntent): Deed =>
  async (id) =>
    expect(await operate(run, by(id))).toMatchObject({ ok: true });
/** An operator closes the open record: the money came back. */
const foundReturned: Deed = async (id) => {
  const [record] = await findReconciliations(table, tenantId, id);
  const planned = record && (await planClose(table, tenantId, reconciliationId(record), "cameBack"));
  if (!planned?.ok) throw new Error("The record cannot be closed");
  const change = { operator: "olga", action: "reconciliation.close", reason: "ticket 7", atMs: run.now() };
  expect(await closeWith(run, planned.value, change)).toBeDefined();
};

const draft = async (): Promise<Made> => ({ id: (await world.newDraft()).id });
const submitted =
  (payeeIds = [5001]) =>
  async (): Promise<Made> => {
    const { id } = await world.newDraft({ payeeIds });
    expect(await world.submit(id)).toMatchObject({ ok: true });
    return { id };
  };
const published = async (): Promise<Made> => ({ id: (await payers.publish()).intent.id });
const byLink =
  (payeeIds = [5001]) =>
  async (): Promise<Made> => {
    const amount = { payeeAmount: "99.00", currency: "AUD" };
    const recipients = payeeIds.map((connectorPayeeId) => ({
      role: "public_payee" as const,
      connectorPayeeId,
      amount,
    }));
    const link = await payers.publish({ isSingleUse: true }, { recipients });
    const { variants } = quote(payeeIds);
    const { quoteId } = await payers.newQuote(link, { variants });
    return { id: await payers.begin(link, { quoteId, secretHash: link.stored.token }), link };
  };
const batch =
  (...references: readonly string[]) =>
  async (): Promise<Made> => {
    const { id } = await world.newBatch(2, references);
    expect(await world.submit(id)).toMatchObject({ ok: true });
    await world.tick(id);
    return { id };
  };

const [compiled, cancelled, lost] = [
  async (id: string) => expect(await compileIntent(run, world.caller, id)).toMatchObject({ ok: true }),
  byHand(cancelIntent),
  byHand(loseTrackOfIntent),
];
const [received, settled, failed, returned] = [wish("receive"), wish("settle"), wish("fail"), wish("return")];
const partly = [wish("settle", 0), failed];
const untaken = "SANDBOX-UNAVAILABLE";

const cases: readonly (readonly [way: string, make: () => Promise<Made>, ...deeds: readonly Deed[]])[] = [
  ["manual, a draft", draft],
  ["manual, compiled", draft, compiled],
  ["manual, a draft called off", draft, cancelled],
  ["manual, accepted", submitted()],
  ["manual, money came in", submitted(), received],
  ["manual, lost track of", submitted(), lost],
  ["manual, called off by its rail", submitted(), cancelled],
  ["manual, settled", submitted(), settled],
  ["manual, settled, under review", submitted(), settled, returned],
  ["manual, settled, and found to have come back", submitted(), settled, returned, foundReturned],
  ["manual, declined", submitted(), failed],
  ["manual, declined after money came in", submitted(), received, failed],
  ["manual, one of two settled", submitted([5001, 5002]), ...partly],
  ["link, published", published],
  ["by a link, accepted", byLink()],
  ["by a link, money came in", byLink(), received],
  ["by a link, lost track of", byLink(), lost],
  ["by a link, called off by its rail", byLink(), cancelled],
  ["by a link, settled", byLink(), settled],
  ["by a link, settled, under review", byLink(), settled, returned],
  ["by a link, settled, and found to have come back", byLink(), settled, returned, foundReturned],
  ["by a link, one of two settled", byLink([5001, 5002]), ...partly],
  ["by a link, declined", byLink(), failed],
  ["batch, accepted", batch()],
  ["batch, one not taken", batch(untaken)],
  ["batch, lost track of", batch(), lost],
  ["batch, called off before any was taken", batch(untaken, untaken), cancelled],
  ["batch, money came in", batch(), received],
  ["batch, settled", batch(), settled],
  ["batch, one called off after money came in", batch(untaken), received, world.tick, cancelled, settled, world.tick],
  ["batch, settled, one under review", batch(), settled, wish("return", 0)],
  ["batch, settled, and one found to have come back", batch(), settled, wish("return", 0), foundReturned],
  ["batch, declined", batch(), failed],
];

const frame = { service: "tests", isProduction: false, tenants: [], readAt: new Date(0).toISOString() };
/** The states of a row in the console's search. */
function statesInConsole(row: PaymentRow): (string | undefined)[] {
  const found = { rows: [row], by: "key", looked: 1, tenantsLeft: 0 } as const;
  const page = renderView(frame, { of: "search", view: { what: row.id, isEverywhere: false, days: 1, found } });
  return [...page.matchAll(/class="money">(\w+)/g)].map(([, state]) => state);
}

/** An operator's view: the states of a row, which the console shows, and a CSV where they have an amount. */
async function toOperator(way: string, id: string): Promise<string> {
  const [row] = await describePayments(table, [{ tenantId, payment: await world.get(id) }]);
  const { money = {} } = row ?? {};
  const line = row && (paymentView.csv?.(row) as Readonly<Record<string, unknown>>);
  const columns = Object.entries(line ?? {}).filter(
    ([name, cell]) => /(Amount|Fee)$/.test(name) && String(cell) !== "",
  );
  // A draft may state amounts whose currency its quote alone knows.
  const stated = Object.entries(money).filter(([, sums]) => Object.values(sums).some((each) => each.length > 0));
  const inCsv = new Set(columns.map(([name]) => name.replace(/[A-Z].*/, "")));
  const inConsole = row && statesInConsole(row);
  expect([way, [...inCsv], inConsole]).toEqual([way, stated.map(([state]) => state), Object.keys(money)]);
  return Object.keys(money).join(", ");
}

type Answer = Readonly<{
  status: IntentStatus;
  underReview?: object;
  executions: readonly Readonly<{
    feeMoney?: string;
    legs?: readonly Readonly<{ money: string; feeMoney?: string }>[];
  }>[];
}>;

/** The tenant's view, and the status. */
async function toTenant(id: string) {
  const found = await readAnswer(run, { tenantId, id });
  if (!found.ok) throw new Error(found.failure.kind);
  const { status, underReview, executions } = found.value.tell({}) as Answer;
  const fee = (money: string | undefined) => (money === undefined ? [] : [`fee ${money}`]);
  const money = executions.flatMap(({ feeMoney, legs = [] }) => [
    ...legs.flatMap((leg) => [leg.money, ...fee(leg.feeMoney)]),
    ...fee(feeMoney),
  ]);
  return { status, underReview, money: money.join(", ") };
}

/** The payer's view of each recipient; the answer to whoever knows the payment's number alone says the same. */
async function toPayer({ id, link }: Made): Promise<string> {
  if (link === undefined) return "";
  const { token } = link.stored;
  const [own, known] = [
    await findPayerPayment(run, { token, secretHash: token }),
    await findLinkPayment(table, link.stored, id),
  ];
  if (!own.ok) throw new Error(own.failure.kind);
  const { money, underReview, payment } = own.value;
  expect([known?.money, known?.underReview]).toEqual([money, underReview]);
  const states = payment.recipients.map((one) => one.money);
  return [...states, ...(underReview === undefined ? [] : ["under review"])].join(", ");
}

/** The number of a payment's commissions, and the sum of several. */
async function commissionsOf(id: string): Promise<string> {
  const paymentIds = (await world.get(id)).executions.flatMap(({ connectorPaymentIds }) => connectorPaymentIds);
  const earned = (await findCommissions(table, tenantId, paymentIds)).map(({ commission }) => commission);
  const sum = earned.length > 1 ? `, in all ${sumCommissions(earned).commissionAmount}` : "";
  return `${earned.length}${sum}${earned.some(({ underReview }) => underReview) ? ", under review" : ""}`;
}

/** The accounts that hold something, by what they are for. */
async function booksOf(id: string): Promise<string> {
  const turnovers: Turnovers = new Map();
  addTurnover(turnovers, await listLedger(table, { tenantId, id }));
  const held = [...turnovers].filter(([, { debit, credit }]) => debit !== credit);
  const names = held.map(
    ([name, { debit, credit }]) => `${name.split(/[: ]/)[0]} ${debit > credit ? "debit" : "credit"}`,
  );
  return [...new Set(names)].toSorted().join(", ");
}

/** The effects of a correction, by a recipient's standing and the operator's finding. */
const corrections = standings.flatMap((standing) =>
  (["arrived", "cameBack", "neverMoved"] as const).map((outcome) => {
    const { state, books, commission = "", mayBePaidAgain } = correctionRow(standing, outcome);
    const booked = books === undefined ? "" : `${books.debit} debit, ${books.credit} credit`;
    return `| ${[standing, outcome, state, booked, commission, mayBePaidAgain ? "yes" : "no"].join(" | ")} |\n`;
  }),
);

test("everybody says the same of where the money is, in every status and way of delivery: docs/standing.md", async () => {
  const rows: string[] = [];
  const statuses = new Set<IntentStatus>();
  for (const [way, make, ...deeds] of cases) {
    const made = await make();
    for (const deed of deeds) await deed(made.id);
    const { status, underReview, money } = await toTenant(made.id);
    statuses.add(status);
    const shown = underReview === undefined ? status : `${status}, under review`;
    const views = [await toOperator(way, made.id), money, await toPayer(made)];
    rows.push(`| ${[way, shown, ...views, await commissionsOf(made.id), await booksOf(made.id)].join(" | ")} |\n`);
  }
  // A submit passes the others in one transaction: nobody can ask while a payment has one of them.
  const passed = ["ready_for_quote", "quoted", "ready_for_execution"];
  expect([...statuses, ...passed].toSorted()).toEqual(intentStatuses.toSorted());
  await expect(head + rows.join("") + foot + corrections.join("")).toMatchFileSnapshot("../../../docs/standing.md");
});

const head = `# Where the money is, as each says

\`packages/operator/src/payment-rows.test.ts\` makes these payments and this table. The columns are
each reader's names: *operator* in lists, their CSV and the console, which agree; *tenant* in the legs and fees
of the answer; *payer* on the payment's own page; *commissions* their number; *books* the accounts with a balance
([Decision 030](decisions/030-money.md)). A submit passes the statuses that are not here in one transaction.

| payment | status | operator | tenant | payer | commissions | books |
|---|---|---|---|---|---|---|
`;

const foot = `
## What a correction does

An operator closes a record with what was found of each recipient. The row is by how the recipient stood before, in its
execution or by its newest correction; the books take the difference alone. The commission is one of its own, where the
recipient's money earns one ([Decision 021](decisions/021-commissions.md)). *receivable* is \`payer_receivable\`, or
\`owed_back\` where the payer's money had come in: it is owed back unless the payee has it.

| stood | found | money | books | commission | may be paid again |
|---|---|---|---|---|---|
`;
