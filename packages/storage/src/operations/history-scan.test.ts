import { HeadObjectCommand } from "@aws-sdk/client-s3";
import { DeleteCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import { HOUR_MS } from "@intents/domain/durations.ts";
import { storedIntent } from "@intents/domain/test/intent-fixture.ts";
import { afterAll, describe, expect, test } from "vitest";
import { startFiles } from "../../test/files-fixture.ts";
import { writeIntent } from "../../test/intent-fixture.ts";
import { readPartition, startTable } from "../../test/table-fixture.ts";
import { copyEntry } from "../audit/copies.ts";
import { operatorAudit } from "../audit/operators.ts";
import { ledgerActions } from "../intents/ledger.ts";
import { historyCopyKey } from "../table/key-owners.ts";
import { keysOf } from "../table/keys.ts";
import { transact } from "../table/transact.ts";
import { compareHistory, type HistoryEntry } from "./history-scan.ts";

const { files: history, stop: stopFiles } = await startFiles();
const { table, stop } = await startTable();
afterAll(async () => {
  await stopFiles();
  await stop();
});

const AT = "2026-11-21T09:00:00.000Z";
const AT_MS = Date.parse(AT);

/** The faults of a tenant's history an hour after it was made. */
async function faultsOf(tenantId: string, nowMs = AT_MS + HOUR_MS): Promise<string[]> {
  const faults: string[] = [];
  for await (const { about, problem } of compareHistory(table, { history, nowMs, tenantId }))
    faults.push(`${about} ${problem}`);
  return faults;
}

const copyAll = async (entries: readonly HistoryEntry[]) => {
  for (const entry of entries) await copyEntry(history, entry, entry.doc);
};

let tenants = 1000;
/** A tenant of its own with an intent, of which there are two audit entries and one in the ledger, and with a change. */
async function newHistory() {
  const tenantId = String(++tenants);
  const intent = storedIntent({ tenantId });
  const eventsOf = (event: string) => ({ events: [{ event, actor: "demo-user", at: AT }] });
  const accounts = { debit: "payer_receivable", credit: "payable:fee" } as const;
  const booked = {
    id: "1#1#accepted",
    event: "accepted",
    ...accounts,
    amount: "1.00",
    currency: "BRL",
    at: AT,
  } as const;
  const made = await writeIntent(table, undefined, intent, eventsOf("created"));
  const also = ledgerActions(table, intent, [booked]);
  await writeIntent(table, made.intent, made.intent, { ...eventsOf("submitted"), also });
  const operated = { operator: "olga", atMs: AT_MS, action: "keys.revoke", reason: "lost" };
  await transact(table, () => [operatorAudit(table, tenantId, operated)]);
  const keys = keysOf(tenantId);
  const partitions = [keys.audit(intent.id, 0), keys.ledger(intent.id, ""), keys.audit("OPERATOR", 0)];
  const stored = await Promise.all(
    partitions.map(async ({ PK }) => (await readPartition(table, PK)) as HistoryEntry[]),
  );
  const [created, submitted, ledger, change] = stored.flat();
  return { tenantId, id: intent.id, created: created!, submitted: submitted!, ledger: ledger!, change: change! };
}

type History = Awaited<ReturnType<typeof newHistory>>;
const entriesOf = ({ created, submitted, ledger, change }: History) => [created, submitted, ledger, change];

const put = (Item: HistoryEntry) => table.db.send(new PutCommand({ TableName: table.name, Item }));
const remove = async (...entries: readonly HistoryEntry[]) => {
  for (const { PK, SK } of entries) await table.db.send(new DeleteCommand({ TableName: table.name, Key: { PK, SK } }));
};

describe("a history and its copies", () => {
  test("agree, however often an entry was copied", async () => {
    const made = await newHistory();
    await copyAll(entriesOf(made));
    await copyAll(entriesOf(made));
    expect(await faultsOf(made.tenantId)).toEqual([]);
    const Key = historyCopyKey(made.created, made.created.doc);
    const copy = await (await history.client()).send(new HeadObjectCommand({ Bucket: history.bucket, Key }));
    expect(copy.ContentType).toBe("application/json");
  });

  const faults: readonly [string, (made: History) => Promise<unknown>, (made: History) => readonly string[]][] = [
    [
      "an entry that was replaced",
      ({ ledger }) => put({ ...ledger, doc: ledger.doc.replace("1.00", "9.00") }),
      ({ id, ledger }) => [
        `${id} ledger: the entry ${ledger.SK} was replaced`,
        `${id} ledger: the entry ${ledger.SK} has no copy`,
      ],
    ],
    [
      "one that was replaced and copied again",
      async ({ created }) => {
        const other = { ...created, doc: created.doc.replace("demo-user", "somebody") };
        await put(other);
        await copyAll([other]);
      },
      ({ id, created }) => [`${id} audit: the entry ${created.SK} was replaced`],
    ],
    [
      "one that was removed",
      ({ submitted }) => remove(submitted),
      ({ id, submitted }) => [`${id} audit: the entry ${submitted.SK} was removed`],
    ],
    [
      "all of an audit",
      ({ created, submitted }) => remove(created, submitted),
      ({ id }) => [`${id} audit: all its entries were removed`],
    ],
    ["an operator's change", ({ change }) => remove(change), () => ["OPERATOR audit: all its entries were removed"]],
  ];
  test.each(faults)("betray %s", async (_, tamper, expected) => {
    const made = await newHistory();
    await copyAll(entriesOf(made));
    await tamper(made);
    expect(await faultsOf(made.tenantId)).toEqual(expected(made));
  });

  test("tell entries without a copy, but only after the time that copying may take", async () => {
    const made = await newHistory();
    await copyAll([made.created, made.change]);
    const missing = [
      `${made.id} audit: the entry ${made.submitted.SK} has no copy`,
      `${made.id} ledger: the entry ${made.ledger.SK} has no copy`,
    ];
    expect(await faultsOf(made.tenantId, AT_MS + 60_000)).toEqual([]);
    expect((await faultsOf(made.tenantId)).toSorted()).toEqual(missing);
  });
});
