import { DeleteCommand, PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { isTerminal } from "@intents/domain/intents/statuses.ts";
import { timeOf } from "@intents/storage/events/events.ts";
import { keysOf } from "@intents/storage/table/keys.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { type Fault, type Rest, runEpisode } from "./episode.ts";
import { scanItems } from "./items.ts";
import { type SimulatedWorld, START_MS } from "./world.ts";

test("a seed repeats a run exactly", async () => {
  const episode = { seed: 7, operations: 30 };
  expect(await runEpisode(episode)).toEqual(await runEpisode(episode));
});

type Item = Readonly<Record<string, unknown>>;

/** A plant that changes the first fitting item of a table. */
const breaking =
  (where: "main" | "rail", fits: (item: Item) => boolean, change: (item: Item) => Item | undefined): Fault =>
  async ({ table, railTableName }: SimulatedWorld) => {
    const TableName = where === "main" ? table.name : railTableName;
    const item = (await scanItems(table, TableName)).find(fits);
    if (item === undefined) throw new Error("There is nothing to break");
    const { PK, SK } = item;
    const changed = change(item);
    if (changed === undefined) await table.db.send(new DeleteCommand({ TableName, Key: { PK, SK } }));
    else await table.db.send(new PutCommand({ TableName, Item: changed }));
  };
const removed = () => undefined;

/** Remembers every item of a world, and gives what stores them all again as they were. */
async function remember({ table, railTableName }: SimulatedWorld): Promise<() => Promise<void>> {
  const keyOf = ({ PK, SK }: Item) => `${PK} ${SK}`;
  const names = [table.name, railTableName];
  const remembered = await Promise.all(names.map(async (name) => [name, await scanItems(table, name)] as const));
  return async () => {
    for (const [TableName, before] of remembered) {
      const now = new Map((await scanItems(table, TableName)).map((item) => [keyOf(item), item]));
      for (const item of before) {
        const isKept = JSON.stringify(now.get(keyOf(item))) === JSON.stringify(item);
        now.delete(keyOf(item));
        if (!isKept) await table.db.send(new PutCommand({ TableName, Item: item }));
      }
      for (const { PK, SK } of now.values()) await table.db.send(new DeleteCommand({ TableName, Key: { PK, SK } }));
    }
  };
}

describe("the simulation is not blind: it fails once", () => {
  const faults: Readonly<Record<string, readonly [fault: Fault, problem: RegExp]>> = {
    "an entry of the ledger is gone": [
      breaking("main", ({ PK }) => String(PK).includes("#LEDGER#"), removed),
      /the entry .* is missing/,
    ],
    "a payment is gone from its rail": [
      breaking("rail", ({ PK, endedHow }) => String(PK).endsWith("#PAYMENT") && endedHow !== "cancelled", removed),
      /it is booked, and the rail does not hold it/,
    ],
    "a rail holds a payment that nobody booked": [
      breaking(
        "rail",
        ({ PK }) => String(PK).endsWith("#PAYMENT"),
        (item) => ({
          ...item,
          SK: "stray",
          payment: String(item["payment"]).replace(/"executionId":"[^"]+"/, '"executionId":"stray"'),
        }),
      ),
      /neither booked nor under reconciliation/,
    ],
    "a counter is off by one": [
      breaking(
        "main",
        ({ PK }) => String(PK).includes("#COUNT#INTENT#"),
        (item) => {
          const [key = ""] = Object.keys(item).filter((name) => name.includes("|"));
          return { ...item, [key]: Number(item[key]) + 1 };
        },
      ),
      /is counted as/,
    ],
    "an unpaid payment by a link is not counted": [
      breaking(
        "main",
        ({ SK }) => SK === "PAYERSOURCE",
        (item) => ({ ...item, unpaid: Number(item["unpaid"]) - 1 }),
      ),
      /counts -?\d+ unpaid payments of/,
    ],
    "an event comes to stand before those that were told": [
      breaking(
        "main",
        ({ PK }) => String(PK).includes("#EVENT#"),
        (item) => ({ ...item, SK: `${timeOf(START_MS)}#late` }),
      ),
      /was never told/,
    ],
    "a status changes without an event": [
      breaking(
        "main",
        ({ SK, closedBy }) => SK === "LINK" && closedBy === undefined,
        (item) => ({ ...item, closedBy: "nobody" }),
      ),
      /paymentLink \w+ is closed, and by its events (open|held)/,
    ],
    "a document stays reserved for what has ended": [
      async ({ table }) => {
        const document = (await scanItems(table, table.name)).find(
          ({ PK, consumedBy }) => String(PK).includes("#DOCUMENT#") && consumedBy === undefined,
        );
        const { PK, SK } = document ?? {};
        await table.db.send(
          new UpdateCommand({
            TableName: table.name,
            Key: { PK, SK },
            UpdateExpression: "SET executionId = :gone",
            ExpressionAttributeValues: { ":gone": "gone" },
          }),
        );
      },
      /stays reserved for gone/,
    ],
    "something at its end still has a timer": [
      async ({ table }, ledger) => {
        const ended = [...ledger.intents.values()].find(({ status }) => isTerminal(status));
        await table.db.send(
          new UpdateCommand({
            TableName: table.name,
            Key: keysOf(ended?.tenantId ?? "").timer(ended?.id ?? ""),
            UpdateExpression: "SET dueAt = :due",
            ExpressionAttributeValues: { ":due": 1 },
          }),
        );
      },
      /still has a timer/,
    ],
  };

  /** The error of the checks for each fault. Each is planted in one life at its end, and mended before the next. */
  const failures = new Map<string, string>();
  beforeAll(async () => {
    const atRest = async ({ world, ledger, check }: Rest) => {
      for (const [name, [fault]] of Object.entries(faults)) {
        const mend = await remember(world);
        await fault(world, ledger);
        failures.set(name, await check().then(() => "nothing", String));
        await mend();
      }
    };
    await runEpisode({ seed: 95, operations: 130, atRest });
  });

  test.each(Object.entries(faults))("%s", (name, [, expected]) => {
    expect(failures.get(name)).toMatch(expected);
  });

  test("an intent that waits has lost its timer", async () => {
    const isWaiting = ({ SK, dueAt, watchSK }: Item) => SK === "INTENT" && (dueAt ?? watchSK) !== undefined;
    const fault = breaking("main", isWaiting, ({ dueAt, watchSK, ...item }) => item);
    await expect(runEpisode({ seed: 95, operations: 130, plant: fault })).rejects.toThrow(/has no timer/);
  });

  test("a webhook endpoint's cursor leaps over what was not sent", async () => {
    const fault = breaking(
      "main",
      ({ SK }) => String(SK).endsWith("#PROGRESS"),
      ({ doc, ...item }) => {
        const progress = JSON.parse(String(doc)) as { cursor: { place: string } };
        const place = timeOf(Number.parseInt(progress.cursor.place, 10) + 365 * 86_400_000);
        return { ...item, doc: JSON.stringify({ ...progress, cursor: { place, count: 0 } }) };
      },
    );
    const life = runEpisode({ seed: 95, operations: 130, plant: fault });
    await expect(life).rejects.toThrow(/did not reach its endpoint/);
  });
});
