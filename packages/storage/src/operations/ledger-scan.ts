import { setTimeout as pause } from "node:timers/promises";
import { DescribeTableCommand } from "@aws-sdk/client-dynamodb";
import { commissionProblems } from "@intents/domain/commissions/correction.ts";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { copyProblems } from "@intents/domain/ledger/correction-copy.ts";
import { addTurnover, type Turnovers, verifyLedger } from "@intents/domain/ledger/verify.ts";
import { listAudit, verifyAudit } from "../audit/intents.ts";
import { findCommissions } from "../commissions/commissions.ts";
import { listLegs } from "../intents/batch-legs.ts";
import { childCounter, findIntent, INTENT_COUNTER, intentCountKey } from "../intents/intents.ts";
import { listLedger } from "../intents/ledger.ts";
import { listCorrections } from "../reviews/corrections.ts";
import { readCopy } from "../reviews/reviews.ts";
import { readCounts } from "../table/counters.ts";
import { mapInTurns } from "../table/in-turns.ts";
import { type Owned, parseOwnedKey } from "../table/key-owners.ts";
import { type IntentKey, type Key, keysOf } from "../table/keys.ts";
import { scanPages } from "../table/pages.ts";
import { findItems } from "../table/records.ts";
import type { Table } from "../table/table.ts";

/** A fault of one intent or one counter, as a sentence. */
export type Finding = Readonly<{ tenantId: string; about: string; problem: string }>;

export type Verification = Readonly<{
  intents: number;
  entries: number;
  turnovers: Turnovers;
  /** The first FINDINGS_MAX findings; `problems` counts all of them. */
  findings: readonly Finding[];
  problems: number;
}>;

export type VerifyOptions = Readonly<{
  /** Verifies this tenant only; the whole table is read all the same. */
  tenantId?: string;
  /** Also compares the counters of lists with a recount, which is exact only while nothing changes. */
  recount?: boolean;
  /** Called with the number of items that each page has read. */
  onRead?: (items: number) => void;
}>;

/** The number of segments of the table, and of intents in each segment, that are read side by side. */
const SEGMENTS = 4;
const SIDE_BY_SIDE = 8;
const FINDINGS_MAX = 1_000;
/** An intent that changes meanwhile is read so often, with so long a pause in between. */
const TRIES_MAX = 5;
const PAUSE_MS = 100;

/**
 * Checks every intent of the table against its ledger, its executions, its corrections and its audit, and reports ledgers
 * and audits without an intent. Memory does not grow with the table, except that a recount keeps a number per counter.
 */
export async function verifyTable(table: Table, options: VerifyOptions = {}): Promise<Verification> {
  const { verify, find, verification } = openVerification(table);
  const counted = new Map<string, Map<string, number>>();

  async function verifyAndCount(owner: IntentKey): Promise<void> {
    const intent = await verify(owner);
    if (options.recount === true) count(counted, intent);
  }

  async function readSegment(segment: number): Promise<void> {
    for await (const page of partitionsOf(table, segment, options)) {
      const intents = page.filter(({ kind }) => kind === "INTENT");
      await mapInTurns(intents, SIDE_BY_SIDE, verifyAndCount);
      const records = page.filter(({ kind }) => kind !== "INTENT");
      for (const { kind, tenantId, id } of await orphansOf(table, records)) {
        const what = kind === "LEDGER" ? "ledger" : "audit";
        find({ tenantId, about: id, problem: `it has a ${what}, and there is no such intent` });
      }
    }
  }

  await Promise.all(Array.from({ length: SEGMENTS }, (_, segment) => readSegment(segment)));
  for (const finding of await recount(table, counted)) find(finding);
  return verification();
}

/** Checks these intents alone: for each, the intent, its ledger and its audit are read. */
export async function verifyIntents(table: Table, owners: readonly IntentKey[]): Promise<Verification> {
  const { verify, verification } = openVerification(table);
  await mapInTurns(owners, SIDE_BY_SIDE, verify);
  return verification();
}

/** The sums of a verification that goes on, intent by intent. */
function openVerification(table: Table) {
  const sums = { intents: 0, entries: 0, problems: 0 };
  const findings: Finding[] = [];
  const turnovers: Turnovers = new Map();
  const find = (finding: Finding): void => {
    sums.problems += 1;
    if (findings.length < FINDINGS_MAX) findings.push(finding);
  };
  const verify = async (owner: IntentKey): Promise<PaymentIntent> => {
    const { intent, entries, problems } = await verifyOne(table, owner);
    sums.intents += 1;
    sums.entries += entries.length;
    for (const problem of problems) find({ tenantId: owner.tenantId, about: owner.id, problem });
    // Turnovers leave out the books of intents with problems.
    if (problems.length === 0) addTurnover(turnovers, entries);
    return intent;
  };
  return { verify, find, verification: (): Verification => ({ ...sums, turnovers, findings }) };
}

/** About how many items a table has; DynamoDB counts every six hours. */
export async function countItems({ client, name }: Table): Promise<number> {
  const { Table: described } = await client.send(new DescribeTableCommand({ TableName: name }));
  return described?.ItemCount ?? 0;
}

/** The partitions of intents, ledgers and audits in one segment of the table, each once, page by page. */
async function* partitionsOf(
  table: Table,
  segment: number,
  { tenantId, onRead }: VerifyOptions,
): AsyncGenerator<readonly Owned[]> {
  const pages = scanPages(table, ["PK", "SK"], {
    Segment: segment,
    TotalSegments: SEGMENTS,
    ...(tenantId !== undefined && {
      FilterExpression: "begins_with(PK, :tenant)",
      ExpressionAttributeValues: { ":tenant": `${keysOf(tenantId).tenant().PK}#` },
    }),
  });
  let last: string | undefined;
  for await (const { Items = [], ScannedCount = 0 } of pages) {
    onRead?.(ScannedCount);
    const partitions: Owned[] = [];
    for (const { PK } of Items as Key[]) {
      // The items of a partition follow each other, sometimes across two pages.
      const owned = PK === last ? undefined : parseOwnedKey(PK);
      if (owned !== undefined) partitions.push(owned);
      last = PK;
    }
    yield partitions;
  }
}

async function verifyOne(table: Table, owner: IntentKey) {
  let seen: string | undefined;
  for (let tries = 1; ; tries++) {
    const read = await readOne(table, owner);
    const { intent, legs, entries, audit, corrections, commissions, copy } = read;
    const problems = [
      ...verifyLedger(intent, legs, entries, corrections),
      ...verifyAudit(intent, audit),
      ...copyProblems(corrections, copy.corrections),
      ...copy.astray.map((name) => `conditions see other ${name} than the mark says`),
      ...(corrections.length === 0 ? [] : commissionProblems(intent, corrections, commissions)),
    ];
    // The records were read one after the other, and may have changed in between: only a problem that stays counts.
    const now = JSON.stringify(read);
    if (problems.length === 0 || now === seen || tries === TRIES_MAX) return { intent, entries, problems };
    seen = now;
    await pause(PAUSE_MS);
  }
}

async function readOne(table: Table, { tenantId, id }: IntentKey) {
  const found = await findIntent(table, tenantId, id);
  if (!found.ok) throw new Error(`The intent ${id} was deleted, which nothing does`);
  const owner = { tenantId, id };
  const [entries, audit, corrections, copy, legs] = await Promise.all([
    listLedger(table, owner),
    listAudit(table, owner),
    listCorrections(table, owner),
    readCopy(table, owner),
    found.value.bulkProgress === undefined ? [] : listLegs(table, owner),
  ]);
  // A payment without corrections has one commission, written with its end; nothing changes its sum.
  const paymentIds = corrections.length === 0 ? [] : found.value.executions.flatMap((one) => one.connectorPaymentIds);
  const commissions = (await findCommissions(table, tenantId, paymentIds)).map(({ commission }) => commission);
  return { intent: found.value, entries, audit, corrections, copy, legs, commissions };
}

/** Records of `owned` without an intent. */
async function orphansOf(table: Table, owned: readonly Owned[]): Promise<Owned[]> {
  const keyOf = ({ tenantId, id }: IntentKey) => keysOf(tenantId).intent(id);
  const keys = new Map(owned.map((each) => [keyOf(each).PK, keyOf(each)]));
  const there = new Set((await findItems(table, [...keys.values()])).map(({ PK }) => PK));
  return owned.filter((each) => !there.has(keyOf(each).PK));
}

function count(counted: Map<string, Map<string, number>>, intent: PaymentIntent): void {
  const parent = intent.createdFrom?.paymentIntentId;
  for (const counter of [INTENT_COUNTER, ...(parent === undefined ? [] : [childCounter(parent)])]) {
    const name = `${intent.tenantId} ${counter}`;
    const counts = counted.get(name) ?? new Map<string, number>();
    counts.set(intentCountKey(intent), (counts.get(intentCountKey(intent)) ?? 0) + 1);
    counted.set(name, counts);
  }
}

async function recount(table: Table, counted: ReadonlyMap<string, ReadonlyMap<string, number>>): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [name, there] of counted) {
    const [tenantId = "", counter = ""] = name.split(" ");
    const stored = await readCounts(table, tenantId, counter);
    for (const key of new Set([...stored.keys(), ...there.keys()])) {
      const [is, counts] = [there.get(key) ?? 0, stored.get(key) ?? 0];
      const problem = `${key} is counted as ${counts}, and there are ${is}`;
      if (is !== counts) findings.push({ tenantId, about: counter, problem });
    }
  }
  return findings;
}
