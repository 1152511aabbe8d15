import { DeleteCommand, PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { countItems, type Verification, verifyTable } from "@intents/storage/operations/ledger-scan.ts";
import { keysOf } from "@intents/storage/table/keys.ts";
import { readPartition } from "@intents/storage/test/table-fixture.ts";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startWorld, type World } from "../../test/execution-fixture.ts";

let world: World;
beforeEach(async () => {
  world = await startWorld();
});
afterEach(() => world.stop());

/** The law draws so many times; each time one to four payments live. */
const LIVES = process.env["WHOLE"] === "1" ? 24 : 3;

const references = [
  undefined,
  "SANDBOX-FAIL",
  "SANDBOX-PARTIAL",
  "SANDBOX-OVERDUE",
  "SANDBOX-TIMEOUT",
  "SANDBOX-DUPLICATE",
];
const lives = fc.record({
  kind: fc.constantFrom("payment" as const, "batch" as const, "link" as const),
  reference: fc.constantFrom(...references),
  submitted: fc.constantFrom(true, true, true, false),
  ticks: fc.integer({ min: 0, max: 6 }),
});

type Life = typeof lives extends fc.Arbitrary<infer Made> ? Made : never;

/** Takes one intent through the steps of a life, as far as they go. */
async function live({ kind, reference, submitted, ticks }: Life): Promise<string> {
  const named = reference === undefined ? {} : { reference };
  const make = {
    payment: () => world.newDraft({ payeeIds: [5001, 5002], ...named }),
    batch: () => world.newBatch(4, [reference]),
    link: () => world.newLink(),
  };
  const { id } = await make[kind]();
  if (submitted) await world.submit(id);
  for (let tick = 0; submitted && tick < ticks && (await world.timerOf(id)) !== undefined; tick++) await world.tick(id);
  return id;
}

const problemsOf = ({ findings }: Verification) => findings.map(({ about, problem }) => `${about}: ${problem}`);
const verify = async () => problemsOf(await verifyTable(world.table, { recount: true }));

test("whatever payments live through, their ledgers, audits and counters agree", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(lives, { minLength: 1, maxLength: 4 }), async (several) => {
      for (const life of several) await live(life);
      expect(await verify()).toEqual([]);
    }),
    { numRuns: LIVES },
  );
  let read = 0;
  const { intents, entries, problems, turnovers } = await verifyTable(world.table, {
    onRead: (items) => (read += items),
  });
  expect({ intents, entries, problems }).toEqual({
    intents: expect.any(Number),
    entries: expect.any(Number),
    problems: 0,
  });
  expect(intents).toBeGreaterThanOrEqual(LIVES);
  expect(read).toBe(await countItems(world.table));
  const sums = [...turnovers.values()].reduce((sum, { debit, credit }) => sum + debit - credit, 0n);
  expect(sums).toBe(0n);
});

describe("verifying a table", () => {
  type Item = Readonly<Record<string, unknown>>;
  const put = (Item: Item) => world.table.db.send(new PutCommand({ TableName: world.table.name, Item }));
  const remove = ({ PK, SK }: Item) =>
    world.table.db.send(new DeleteCommand({ TableName: world.table.name, Key: { PK, SK } }));
  const rewrite = (item: Item, change: Item) =>
    put({ ...item, doc: JSON.stringify({ ...JSON.parse(String(item["doc"])), ...change }) });

  const entriesOf = (id: string) => readPartition(world.table, keysOf("1001").ledger(id, "").PK);
  const auditOf = (id: string) => readPartition(world.table, keysOf("1001").audit(id, 0).PK);
  const intentOf = (id: string) => readPartition(world.table, keysOf("1001").intent(id).PK);
  const stray = "f".repeat(24);

  type Fault = Readonly<{ does: (id: string) => Promise<unknown>; says: RegExp }>;
  const amount = (item: Item, to: string) =>
    put({ ...item, doc: String(item["doc"]).replace(/("amount":")[^"]+/, `$1${to}`) });
  const first = async (items: Promise<Item[]>): Promise<Item> => (await items)[0]!;
  const faults: Readonly<Record<string, Fault>> = {
    "an amount that was changed": {
      does: async (id) => amount(await first(entriesOf(id)), "1.00"),
      says: /has the amount 1.00 instead of/,
    },
    "an amount with too many decimals, be it in the payment and its entries alike": {
      does: async (id) => {
        for (const item of [...(await intentOf(id)), ...(await entriesOf(id))])
          await put({ ...item, doc: String(item["doc"]).replaceAll('"1001.00"', '"1001.005"') });
      },
      says: /has the amount 1001.005, which BRL does not have/,
    },
    "an amount with too many decimals in the payment alone": {
      does: async (id) => {
        const item = (await intentOf(id)).find(({ SK }) => SK === "INTENT")!;
        await put({ ...item, doc: String(item["doc"]).replaceAll('"1001.00"', '"1001.005"') });
      },
      says: /has the amount 1001.00 instead of 1001.005/,
    },
    "an entry that is missing": { does: async (id) => remove(await first(entriesOf(id))), says: /is missing$/ },
    "an entry too many": {
      does: async (id) => {
        const entry = await first(entriesOf(id));
        await put({ ...entry, SK: `${entry["SK"]}x`, doc: String(entry["doc"]).replaceAll("#accepted", "#acceptedx") });
      },
      says: /belongs to nothing that was executed/,
    },
    "an audit entry that was changed": {
      does: async (id) => rewrite(await first(auditOf(id)), { version: 7 }),
      says: /paymentIntent\.created, .* was changed/,
    },
    "an audit entry that was changed with its hash": {
      does: async (id) => rewrite({ ...(await first(auditOf(id))), hash: "0" }, { version: 7 }),
      says: /does not follow the one before it/,
    },
    "an audit entry that is missing at the end": {
      does: async (id) => remove((await auditOf(id)).at(-1)!),
      says: /does not end where the intent says/,
    },
    "a ledger of no intent": {
      does: async (id) => put({ ...(await first(entriesOf(id))), PK: keysOf("1001").ledger(stray, "").PK }),
      says: new RegExp(`${stray}: it has a ledger, and there is no such intent`),
    },
    "a status that nothing led to": {
      does: async (id) => rewrite((await intentOf(id)).find(({ SK }) => SK === "INTENT")!, { status: "cancelled" }),
      says: /its history ends with completed/,
    },
    "a counter that lost count": {
      does: () =>
        world.table.db.send(
          new UpdateCommand({
            TableName: world.table.name,
            Key: keysOf("1001").counter("INTENT", 3),
            UpdateExpression: "ADD #key :one",
            ExpressionAttributeNames: { "#key": "completed|education_provider_tuition|manual" },
            ExpressionAttributeValues: { ":one": 1 },
          }),
        ),
      says: /INTENT: completed\|education_provider_tuition\|manual is counted as 2, and there are 1/,
    },
  };

  test.each(Object.keys(faults))("finds %s", async (name) => {
    const { does, says } = faults[name]!;
    const id = await live({ kind: "payment", reference: undefined, submitted: true, ticks: 6 });
    expect(await verify()).toEqual([]);
    await does(id);
    expect((await verify()).join("\n")).toMatch(new RegExp(says.source, "m"));
    expect(problemsOf(await verifyTable(world.table, { tenantId: "1002" }))).toEqual([]);
  });
});
