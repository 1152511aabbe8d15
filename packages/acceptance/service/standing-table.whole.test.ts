import { addAmounts } from "@intents/domain/amounts/money.ts";
import { type IntentStatus, intentStatuses } from "@intents/domain/intents/statuses.ts";
import { correctionRow, standings } from "@intents/domain/ledger/correcting.ts";
import { addTurnover, type Turnovers } from "@intents/domain/ledger/verify.ts";
import { listLedger } from "@intents/storage/intents/ledger.ts";
import { mapInTurns } from "@intents/storage/table/in-turns.ts";
import { expect, test } from "vitest";
import { type Data, noRateLimit } from "./client.ts";
import { enterConsole, startConsole } from "./console-fixture.ts";
import { newSecret, type Payer, publishLink } from "./links.ts";
import { pay, payrollBody, priceLinkBody } from "./scenarios-fixture.ts";
import { eventually, openOperatedService } from "./service-fixture.ts";
import { create, tuition } from "./tuition.ts";

// All statements about a payment's money, in every status, by every way of delivery and rail: docs/standing.md.
// `vitest run --project service <this file> --update` writes it anew.

const TENANT = "1001";
/** Payments made at once. */
const AT_ONCE = 6;
const { client, operator, service } = await openOperatedService({
  ...{ ...noRateLimit, SANDBOX_SETTLE_SECONDS: "3600", POLL_INTERVAL_SECONDS: "3600", RECOVERY_AFTER_SECONDS: "3600" },
});

type Told = Readonly<{
  status: IntentStatus;
  underReview?: object;
  connectorPayment?: Readonly<{ reference: string }>;
  executions: readonly Readonly<{
    receivedAt?: string;
    feeMoney?: string;
    connectorPaymentIds: readonly number[];
    legs?: readonly Readonly<{ money: string; feeMoney?: string; status: string; connectorPaymentId?: number }>[];
  }>[];
}>;
const told = async (id: string) => (await client.getIntent(id)) as unknown as Told;
const until = (id: string, holds: (intent: Told) => boolean) =>
  eventually(async () => expect(holds(await told(id))).toBe(true));
const decide = async (paymentId: number | string | undefined, what: string) =>
  expect((await client.call("POST", `/sandbox/payments/${paymentId}/${what}`)).status).toBe(200);
const paymentOf = async (id: string) => (await told(id)).executions[0]?.connectorPaymentIds[0];
const byHand = (name: string, id: string) => operator.change("intents", name, id, "--tenant", TENANT);

/** A case of the table: a payment, and its payer's way back where it is one by a link. */
type Case = Readonly<{ id: string; payer?: Readonly<{ page: Payer; secret: string }> }>;
/** Makes a payment at a rail, which its country decides. */
type Make = (countryCode: string) => Promise<Case>;

async function submitted(countryCode: string, payeeIds: readonly number[] = [5001]): Promise<Case> {
  const { id } = await create(client, (await tuition(client, { countryCode, payeeIds })).body);
  expect((await client.submit(id)).status).toBe(200);
  return { id };
}

const then =
  (make: Make, ...deeds: readonly ((id: string) => Promise<unknown>)[]): Make =>
  async (countryCode) => {
    const made = await make(countryCode);
    for (const deed of deeds) await deed(made.id);
    return made;
  };
const wish = (what: string) => async (id: string) => decide(await paymentOf(id), what);
const isIn = (status: string) => (id: string) => until(id, (intent) => intent.status === status);
const isReceived = (id: string) => until(id, ({ executions }) => executions[0]?.receivedAt !== undefined);

/** The rail tells that the money came back, so that the payment comes under review. */
const returned = (which?: string) => async (id: string) => {
  const { executions, connectorPayment } = await told(id);
  const isBatch = executions[0]?.legs?.some(({ connectorPaymentId }) => connectorPaymentId !== undefined) === true;
  const railId = isBatch ? connectorPayment?.reference : executions[0]?.connectorPaymentIds[0];
  await decide(railId, `return${which === undefined ? "" : `?order=${which}`}`);
  await until(id, ({ underReview }) => underReview !== undefined);
};

/** The money of these recipients came back, of all where none is named, and an operator finds the same. */
const comeBack = (which?: string) => async (id: string) => {
  await returned(which)(id);
  const of = ["--tenant", TENANT];
  const record = await eventually(async () => {
    const listed = JSON.parse((await operator.run("reconciliation", "list", ...of, "--json")).stdout) as {
      id: string;
    }[];
    const found = listed.find((one) => one.id.startsWith(id));
    expect(found).toBeDefined();
    return found?.id ?? "";
  });
  await operator.change("reconciliation", "close", record, ...of, "--as", "came-back");
};

const draft: Make = async (countryCode) => {
  const { id } = await create(client, (await tuition(client, { countryCode })).body);
  return { id };
};
const byLink =
  (...payeeIds: readonly number[]): Make =>
  async (countryCode) => {
    const recipients = payeeIds.map((connectorPayeeId) => ({ ...publicPayee, connectorPayeeId }));
    const body = { ...priceLinkBody(), ...(recipients.length > 0 && { recipients }) };
    const { payer: page } = await publishLink(client, { isSingleUse: true }, body);
    const secret = newSecret();
    const quote = await page.quote({ payerCountryCode: countryCode });
    const chosen = quote.variants.find(({ settlementMethod }) => settlementMethod === "dmt");
    const session = { ...(await page.sessionBody()), quoteId: quote.quoteId, selectedQuoteVariantId: chosen?.id };
    return { id: (await page.open(session, secret)).paymentIntentId, payer: { page, secret } };
  };
const publicPayee = { role: "public_payee", amount: { payeeAmount: "99.00", currency: "AUD" } };
const batch =
  (...references: readonly string[]): Make =>
  async (countryCode) => {
    const body = { ...payrollBody(2, references), instructions: { manualPayment: { countryCode, purpose: "other" } } };
    const { id } = await pay(client, body);
    const taken = 2 - references.filter((reference) => reference === "SANDBOX-UNAVAILABLE").length;
    await until(id, (intent) => legsOf(intent).filter(({ status }) => status === "executing").length === taken);
    return { id };
  };
const legsOf = ({ executions }: Told) => executions[0]?.legs ?? [];
const deposit = (what: string) => async (id: string) => decide((await told(id)).connectorPayment?.reference, what);
const legs =
  (...wanted: readonly string[]) =>
  (id: string) =>
    until(
      id,
      (intent) =>
        legsOf(intent)
          .map(({ money }) => money)
          .join() === wanted.join(),
    );
const settleOne = async (id: string) => decide(await paymentOf(id), "settle?order=0");
const failRest = async (id: string) => decide(await paymentOf(id), "fail");

const cases: readonly (readonly [way: string, make: Make])[] = [
  ["manual, a draft", draft],
  ["manual, compiled", then(draft, (id) => client.must("POST", `/v2/payment-intents/${id}/draft`))],
  ["manual, a draft called off", then(draft, (id) => byHand("cancel", id))],
  ["manual, accepted", submitted],
  ["manual, money came in", then(submitted, wish("receive"), isReceived)],
  ["manual, lost track of", then(submitted, (id) => byHand("lose-track", id))],
  ["manual, called off by its rail", then(submitted, (id) => byHand("cancel", id))],
  ["manual, settled", then(submitted, wish("settle"), isIn("completed"))],
  ["manual, settled, under review", then(submitted, wish("settle"), isIn("completed"), returned())],
  ["manual, settled, and found to have come back", then(submitted, wish("settle"), isIn("completed"), comeBack())],
  ["manual, declined", then(submitted, wish("fail"), isIn("failed"))],
  ["manual, declined after money came in", then(submitted, wish("receive"), isReceived, wish("fail"), isIn("failed"))],
  [
    "manual, one of two settled",
    then(
      (countryCode) => submitted(countryCode, [5001, 5010]),
      settleOne,
      isReceived,
      failRest,
      isIn("partially_completed"),
    ),
  ],
  ["link, published", async () => ({ id: (await publishLink(client)).id })],
  ["by a link, accepted", byLink()],
  ["by a link, money came in", then(byLink(), wish("receive"), isReceived)],
  ["by a link, lost track of", then(byLink(), (id) => byHand("lose-track", id))],
  ["by a link, called off by its rail", then(byLink(), (id) => byHand("cancel", id))],
  ["by a link, settled", then(byLink(), wish("settle"), isIn("completed"))],
  ["by a link, settled, under review", then(byLink(), wish("settle"), isIn("completed"), returned())],
  ["by a link, settled, and found to have come back", then(byLink(), wish("settle"), isIn("completed"), comeBack())],
  [
    "by a link, one of two settled",
    then(byLink(5001, 5010), settleOne, isReceived, failRest, isIn("partially_completed")),
  ],
  ["by a link, declined", then(byLink(), wish("fail"), isIn("failed"))],
  ["batch, accepted", batch()],
  ["batch, one not taken", batch("SANDBOX-UNAVAILABLE")],
  ["batch, lost track of", then(batch(), (id) => byHand("lose-track", id))],
  [
    "batch, called off before any was taken",
    then(batch("SANDBOX-UNAVAILABLE", "SANDBOX-UNAVAILABLE"), (id) => byHand("cancel", id), isIn("cancelled")),
  ],
  ["batch, money came in", then(batch(), deposit("receive"), legs("received", "received"))],
  ["batch, settled", then(batch(), deposit("settle"), isIn("completed"))],
  [
    "batch, one called off after money came in",
    then(
      batch("SANDBOX-UNAVAILABLE"),
      deposit("receive"),
      legs("planned", "received"),
      (id) => byHand("cancel", id),
      deposit("settle"),
      isIn("partially_completed"),
    ),
  ],
  ["batch, settled, one under review", then(batch(), deposit("settle"), isIn("completed"), returned("0"))],
  [
    "batch, settled, and one found to have come back",
    then(batch(), deposit("settle"), isIn("completed"), comeBack("0")),
  ],
  ["batch, declined", then(batch(), deposit("fail"), isIn("failed"))],
];

type Row = Readonly<{ id: string; money: Readonly<Record<string, Readonly<Record<string, readonly object[]>>>> }>;

/** The states of a CSV's line: those that have an amount. */
function statesIn(names: readonly string[], line: readonly string[]): string {
  const told = names.flatMap((name, at) => (/(Amount|Fee)$/.test(name) && line[at] ? name.replace(/[A-Z].*/, "") : []));
  return [...new Set(told)].join(", ");
}

/** The cells of a CSV's line; one with commas or quotes stands in quotes. */
const cellsOf = (line: string): string[] =>
  [...line.matchAll(/(?:"((?:[^"]|"")*)"|([^,]*))(?:,|$)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");

/** The accounts that hold something, by what they are for. */
async function ledgerOf(id: string): Promise<string> {
  const turnovers: Turnovers = new Map();
  addTurnover(turnovers, await listLedger(operator.table, { tenantId: TENANT, id }));
  const held = [...turnovers].filter(([, { debit, credit }]) => debit !== credit);
  const names = held.map(
    ([name, { debit, credit }]) => `${name.split(/[: ]/)[0]} ${debit > credit ? "debit" : "credit"}`,
  );
  return [...new Set(names)].toSorted().join(", ");
}

/** The number of a payment's commissions, and the sum of several. */
async function commissionsOf(id: string): Promise<string> {
  const { commissions } = await client.must<{ commissions: { commissionAmount: string; underReview?: object }[] }>(
    "GET",
    `/v2/commissions?filter[paymentId]=${(await paymentOf(id)) ?? 0}`,
  );
  const sum = addAmounts(...commissions.map(({ commissionAmount }) => commissionAmount));
  const reviewed = commissions.some(({ underReview }) => underReview !== undefined) ? ", under review" : "";
  return `${commissions.length}${commissions.length > 1 ? `, in all ${sum}` : ""}${reviewed}`;
}

type ToPayer = Readonly<{
  money?: string;
  underReview?: object;
  payment: Readonly<{ recipients: readonly Readonly<{ money: string }>[] }>;
}>;

/** The payer's view of each recipient; the status by the payment's number alone says the same of all together. */
async function toldTo({ page, secret }: NonNullable<Case["payer"]>, id: string): Promise<string> {
  const { body } = await page.askAgain<Data<ToPayer>>(secret);
  const { money, underReview, payment } = body.data;
  const known = await page.askStatus<Data<Omit<ToPayer, "payment">>>(id);
  expect(known.body.data).toMatchObject({ ...(money && { money }), ...(underReview && { underReview }) });
  const states = payment.recipients.map((one) => one.money).join(", ");
  return underReview === undefined ? states : `${states}, under review`;
}

/** The effects of a correction, by a recipient's standing and the operator's finding. */
const corrections = standings.flatMap((standing) =>
  (["arrived", "cameBack", "neverMoved"] as const).map((outcome) => {
    const { state, books, commission = "", mayBePaidAgain } = correctionRow(standing, outcome);
    const booked = books === undefined ? "" : `${books.debit} debit, ${books.credit} credit`;
    return `| ${[standing, outcome, state, booked, commission, mayBePaidAgain ? "yes" : "no"].join(" | ")} |\n`;
  }),
);

/** A payment's money states in the console's list, without amounts. */
function shownIn(page: string, id: string): string {
  const [row = ""] = page.slice(page.indexOf(`>${id}<`)).split("</tr>");
  const told = [...row.matchAll(/class="money">(\w+)/g)].map(([, state]) => state);
  return told.join(", ");
}

test("everybody says the same of where the money is, in every status, way of delivery and rail: docs/standing.md", async () => {
  const wanted = ["BR", "NO"].flatMap((countryCode) => cases.map(([way, make]) => ({ way, make, countryCode })));
  const made = await mapInTurns(wanted, AT_ONCE, async ({ way, make, countryCode }) => {
    const rail = countryCode === "BR" ? "sandbox" : "sandbox-bank";
    const made = await make(countryCode).catch((cause: unknown) => {
      throw new Error(`${way}, by ${rail}`, { cause });
    });
    return { way, rail, ...made };
  });
  const list = ["intents", "list", "--tenant", TENANT, "--limit", "all"];
  const rows = JSON.parse((await operator.run(...list, "--json")).stdout) as Row[];
  const [names = [], ...lines] = (await operator.run(...list, "--csv")).stdout.split("\r\n").map(cellsOf);
  const running = await startConsole(service.url);
  const see = await enterConsole(running);
  const table: string[] = [];
  const statuses = new Set<IntentStatus>();
  for (const { way, rail, id, payer } of made) {
    const { status, underReview, executions } = await told(id);
    statuses.add(status);
    const { money = {} } = rows.find((row) => row.id === id) ?? {};
    const byOperator = Object.keys(money).join(", ");
    const csv = statesIn(names, lines.find((line) => line[1] === id) ?? []);
    const console = shownIn(await see(`search?tenant=${TENANT}&what=${id}`), id);
    // A draft may state amounts whose currency its quote alone knows.
    const summed = Object.keys(money).filter((state) =>
      Object.values(money[state] ?? {}).some((sums) => sums.length > 0),
    );
    expect([way, csv, console]).toEqual([way, summed.join(", "), byOperator]);
    const byTenant = executions.flatMap(({ feeMoney, legs: all = [] }) => [
      ...all.flatMap((leg) => [leg.money, ...(leg.feeMoney === undefined ? [] : [`fee ${leg.feeMoney}`])]),
      ...(feeMoney === undefined ? [] : [`fee ${feeMoney}`]),
    ]);
    const byPayer = payer === undefined ? "" : await toldTo(payer, id);
    const cells = [
      way,
      rail,
      underReview === undefined ? status : `${status}, under review`,
      byOperator,
      byTenant.join(", "),
      byPayer,
      await commissionsOf(id),
      await ledgerOf(id),
    ];
    table.push(`| ${cells.join(" | ")} |`);
  }
  running.stop();
  // A submit passes the others in one transaction: nobody can ask while a payment has one of them.
  const passed = ["ready_for_quote", "quoted", "ready_for_execution"];
  expect([...statuses, ...passed].toSorted()).toEqual(intentStatuses.toSorted());
  await expect(`${head}${table.join("\n")}\n${foot}${corrections.join("")}`).toMatchFileSnapshot(
    "../../../docs/standing.md",
  );
});

const head = `# Where the money is, as each says

\`packages/acceptance/service/standing-table.whole.test.ts\` makes these payments and this table. The columns are
the words of each reader: *operator* in lists, their CSV and the console, which agree; *tenant* in the legs and fees of
the answer; *payer* on the payment's own page; *commissions* their number; *books* the accounts with a balance
([Decision 030](decisions/030-money.md)). A submit passes the statuses that are not here in one transaction.

| payment | rail | status | operator | tenant | payer | commissions | books |
|---|---|---|---|---|---|---|---|
`;

const foot = `
## What a correction does

An operator closes a record with what was found of each recipient. The row is by how the recipient stood before, in its
execution or by its newest correction; the books take the difference alone. The commission is one of its own, where the
recipient's money earns one ([Decision 021](decisions/021-commissions.md)).

| stood | found | money | books | commission | may be paid again |
|---|---|---|---|---|---|
`;
