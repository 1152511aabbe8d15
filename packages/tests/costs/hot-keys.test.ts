import { mainTableSchema } from "@intents/deployment/table-schema.ts";
import type { StoreCall } from "@intents/local/events/calls.ts";
import { type Values, valueAt } from "@intents/local/events/event.ts";
import { expect, test } from "vitest";
import { type Flow, hotKeys, ratePerSecond, type Units, unitsOf } from "./hot-keys.ts";
import { costOf, openStage, TENANT } from "./stage.ts";
import { type Change, followTable, type Image } from "./table-stream.ts";

const { table, replay } = await openStage({ SANDBOX_SETTLE_SECONDS: "0" });
const takeChanges = await followTable(table);

/** Parts of keys that differ between payments or runs, and their names. */
const marks: [mark: string | RegExp, name: string][] = [
  ["payment-intents ", ""],
  [`T#${TENANT}`, "{tenant}"],
  [/(?<=#COUNT#.*#|#EVENT#)\d$/g, "{shard}"],
  [/education_provider_tuition\|\w+/g, "{use case}"],
  [/(?<=PAYERS(?:OURCE|ECRET)#.*#).*/g, "{source}"],
];
const nameOf = (key: string) => marks.reduce((name, mark) => name.replaceAll(...mark), key);

const textOf = (value: Image[string] = { S: "" }): string => Object.values(value)[0] ?? "";
const sizeOf = (image: Image = {}): number =>
  Object.entries(image).reduce((sum, [name, value]) => sum + Buffer.byteLength(name + textOf(value)), 0);

/** Units of a partition of a table or an index. */
type Use = readonly [key: string, kind: "reads" | "writes", units: number];

/** The partitions that a change writes to, in the table and its indexes. */
function usesOfChange({ OldImage, NewImage }: Change): Use[] {
  // Transactions count twice in the table. No other write changes an item of a shared partition.
  const units = 2 * Math.ceil(Math.max(sizeOf(OldImage), sizeOf(NewImage)) / 1_024);
  const entries = mainTableSchema.indexes.flatMap(({ name, partitionKey, sortKey }) => {
    const [was, is] = [OldImage, NewImage].map((image = {}) => {
      const [partition, sort] = [textOf(image[partitionKey.name]), textOf(image[sortKey.name])];
      return partition && sort ? { key: `${name} ${partition}`, sort } : undefined;
    });
    return was?.key === is?.key && was?.sort === is?.sort ? [] : [was, is].flatMap((entry) => entry?.key ?? []);
  });
  const item = textOf((NewImage ?? OldImage)?.["PK"]);
  return [[item, "writes", units], ...entries.map((key): Use => [key, "writes", 1])];
}

/** The partitions that a call reads, or writes to without a change of the main table. */
const usesOfCall = (call: StoreCall): Use[] =>
  call.targets.flatMap((target): Use[] => {
    const { reads, writes } = costOf([call]);
    const [place, partition, , action] = target.split(" ");
    const key = `${place} ${partition}`;
    if (reads > 0) return [[key, "reads", reads / call.targets.length]];
    if (action === "(ConditionCheck)") return [[key, "writes", 2]];
    return writes > 0 && place !== table.name ? [[key, "writes", writes]] : [];
  });

/** Each partition with its units. */
function sumOf(uses: readonly Use[]): Map<string, Units> {
  const sum = new Map<string, Units>();
  for (const [key, kind, units] of uses) {
    const name = nameOf(key);
    const known = sum.get(name) ?? { reads: 0, writes: 0 };
    sum.set(name, { ...known, [kind]: known[kind] + units });
  }
  return sum;
}

type Step = Readonly<{ values: Values; uses: readonly Use[] }>;

/** Replays an event and what it needs; gives all answers, and the uses of the event added to those before. */
async function replayed({ values, uses }: Step, event: string, ...before: readonly string[]): Promise<Step> {
  let known = values;
  for (const needed of before) known = (await replay(needed, known)).values;
  await takeChanges();
  const { calls, values: answers } = await replay(event, known);
  return {
    values: answers,
    uses: [...uses, ...calls.flatMap(usesOfCall), ...(await takeChanges()).flatMap(usesOfChange)],
  };
}

/** The units of the second payment in each partition that the first uses, too. The first fills what containers remember. */
function sharedBy(first: Step, second: Step) {
  const known = sumOf(first.uses);
  // Timers lie in shards.
  return Object.fromEntries([...sumOf(second.uses)].filter(([key]) => known.has(key) && !key.startsWith("byDue ")));
}

const expectedOf = (flow: Flow) =>
  Object.fromEntries(
    hotKeys.map((row) => [row.key, unitsOf(row, flow)] as const).filter(([, { reads, writes }]) => reads + writes > 0),
  );

const POLL = "advance-intent/question.json";
const SUBMIT = "payment-intents/submitPaymentIntent.json";

test("the partitions that payments of a tenant share are known, with the units of each", async () => {
  const before = ["parties/createStudent.json", "rates/createQuote.json", "documents/uploadDocument.json"];
  const pay = async () => {
    const draft = await replayed({ values: {}, uses: [] }, "payment-intents/createPaymentIntent.json", ...before);
    return replayed(await replayed(draft, SUBMIT), POLL);
  };
  expect(sharedBy(await pay(), await pay())).toEqual(expectedOf("payments"));
});

test("the partitions that payments by a link share are known, with the units of each", async () => {
  const draft = await replay("payment-intents/createPaymentIntent.link.json");
  const { values } = await replay(SUBMIT, draft.values);
  marks.push([String(valueAt(values, "createPaymentIntent.id")), "{link}"]);
  marks.push([String(valueAt(values, "createPaymentIntent.publicLinkId")), "{token}"]);
  const begin = () =>
    replayed({ values, uses: [] }, "payment-links/openPayerSession.json", "payment-links/quotePaymentLink.json");
  const complete = async (session: Step) => {
    const createPaymentIntent = { id: valueAt(session.values, "openPayerSession.paymentIntentId") };
    const { values } = await replay("payment-intents/getPaymentIntent.json", { createPaymentIntent });
    const known = { createPaymentIntent, submitPaymentIntent: values["getPaymentIntent"] };
    return replayed({ values: known, uses: session.uses }, POLL);
  };
  const [first, second] = [await begin(), await begin()];
  expect(sharedBy(first, second)).toEqual(expectedOf("sessions on a link"));
  expect(sharedBy(await complete(first), await complete(second))).toEqual(expectedOf("payments by a link"));
});

test("a tenant makes 200 payments a second, and 333 sessions a second begin on a link, before any key of theirs is full", () => {
  const rows = hotKeys.filter(({ name }) => !name.startsWith("a payer's"));
  const least = (flow: Flow) => Math.min(...rows.map((row) => ratePerSecond(row, flow)));
  expect([least("payments"), least("payments by a link"), least("sessions on a link")]).toEqual([200, 200, 333]);
});
