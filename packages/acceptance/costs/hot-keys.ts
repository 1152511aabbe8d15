import { EVENT_SHARDS } from "@intents/storage/events/events.ts";
import { COUNTER_PARTITIONS, keysOf } from "@intents/storage/table/keys.ts";
import { linkKey, payeeKey, railKey, watchShard } from "@intents/storage/table/shared-keys.ts";
import type { KeyUnits } from "./watch.ts";

/** One DynamoDB partition's capacity in units a second, whatever the table's size. */
export const PARTITION = { reads: 3_000, writes: 1_000 } as const;

/** A key that many payments share, and the units that one of them costs it: made, paid and completed. */
export type KeyLine = KeyUnits &
  Readonly<{
    of: "a payment" | "a payment by a link" | "a session on a link";
    whose: "tenant" | "key" | "link" | "payee" | "source" | "rail";
    name: string;
    /** The table, or the table and its index, and the partition key: `{…}` stands for an id. */
    key: string;
    /** Its payments are spread over so many partitions, for which `{partition}` stands. */
    partitions?: number;
  }>;

const keys = keysOf("{tenant}");
const list = keys.list("INTENT");
const children = keys.children("{link}");

const main = (partition: string): string => `payment-intents ${partition}`;
/** A counter, whose shards lie in several partitions. */
const counter = (name: string) => ({
  key: main(keys.counter(name, 0).PK.replace(/0$/, "{partition}")),
  partitions: COUNTER_PARTITIONS,
});
/** A tenant's events, each in the partition of what it is about. */
const events = {
  name: "its events",
  key: main(keys.event(0, "").PK.replace(/0$/, "{partition}")),
  partitions: EVENT_SHARDS,
};
const index = (name: string, partition: string): string => `payment-intents/${name} ${partition}`;
/** A tenant's payments of one use case in one status. */
const paymentsIn = (status: string, useCase: string): string =>
  index("byFacet", keys.facet(list, `${status}|${useCase}`));

/** The keys of a tenant that every payment of its kind costs the same. */
const tenantKeys = (of: KeyLine["of"], useCase: string): KeyLine[] => [
  ...[
    { name: "its list of payments", key: index("byCreation", list), reads: 0, writes: 1 },
    { name: "its payments by their last change", key: index("byChange", list), reads: 0, writes: 5 },
    { name: "the counter of its payments", ...counter("INTENT"), reads: 0, writes: 6 },
    { name: "its drafts of one use case", key: paymentsIn("draft", useCase), reads: 0, writes: 2 },
    { name: "its executing ones", key: paymentsIn("executing", useCase), reads: 0, writes: 2 },
    { name: "its completed ones", key: paymentsIn("completed", useCase), reads: 0, writes: 1 },
    { name: "the counter of its commissions", ...counter("COMMISSION"), reads: 0, writes: 2 },
    { name: "the counter of what is outstanding", ...counter("OUTSTANDING"), reads: 0, writes: 2 },
    { name: "its list of commissions", key: index("byCreation", keys.list("COMMISSION")), reads: 0, writes: 1 },
    { name: "its list of what is outstanding", key: index("byOwner", keys.outstanding()), reads: 0, writes: 1 },
    { ...events, reads: 0, writes: 6 },
    { name: "whether it is suspended", key: main(keys.suspension().PK), reads: 1, writes: 0 },
  ].map((line) => ({ of, whose: "tenant" as const, ...line })),
  { of, whose: "payee", name: "the payee", key: main(payeeKey(5001).PK), reads: 2, writes: 0 },
  // A question, which reads how the rail has answered, may be about 100 payments.
  { of, whose: "rail", name: "how it answers", key: main(railKey("sandbox embedded").PK), reads: 0.5, writes: 0 },
  { of, whose: "rail", name: "what waits for it", key: index("byWatch", watchShard(0)), reads: 0, writes: 2 },
];

const MANUAL = "education_provider_tuition|manual";
const BY_LINK = "education_provider_tuition|payment_link_submission";
/** The payments by a link in one status. */
const childrenIn = (status: string): string => index("byOwnerFacet", keys.facet(children, `${status}|${BY_LINK}`));
const byLink = { of: "a payment by a link", whose: "link" } as const;

const paymentKeys: readonly KeyLine[] = [
  ...tenantKeys("a payment", MANUAL),
  { of: "a payment", whose: "key", name: "the API key", key: main("APIKEY#demo"), reads: 1, writes: 0 },
  {
    ...{ of: "a payment", whose: "key", name: "its rate window, of two requests" },
    ...{ key: "windows RATE#global#key#demo", reads: 0, writes: 2 },
  },
  ...tenantKeys("a payment by a link", BY_LINK),
  { ...byLink, name: "its list of payments", key: index("byOwner", children), reads: 0, writes: 1 },
  {
    ...byLink,
    name: "the counter of its payments",
    ...counter("CHILDREN#{link}"),
    reads: 0,
    writes: 6,
  },
  { ...byLink, name: "its payments begun", key: childrenIn("draft"), reads: 0, writes: 2 },
  { ...byLink, name: "its executing ones", key: childrenIn("executing"), reads: 0, writes: 2 },
  { ...byLink, name: "its completed ones", key: childrenIn("completed"), reads: 0, writes: 1 },
  { ...byLink, name: "its token", key: main(linkKey("{token}").PK), reads: 1, writes: 0 },
  { ...byLink, name: "its intent", key: main(keys.intent("{link}").PK), reads: 1, writes: 0 },
  {
    ...{ of: "a payment by a link", whose: "tenant", name: "its metadata" },
    ...{ key: main(keys.intentMetadata("{link}").PK), reads: 1, writes: 0 },
  },
  {
    ...{ of: "a payment by a link", whose: "source", name: "the count of its unpaid payments" },
    ...{ key: main(keys.payerSource("{link}", "{source}").PK), reads: 1, writes: 4 },
  },
  {
    ...{ of: "a payment by a link", whose: "source", name: "its rate window" },
    ...{ key: "windows RATE#public_link#{token}#127.0.0.1", reads: 0, writes: 1 },
  },
];

/** Of a payment by a link, what its session costs until the payment is under way: reads and writes. */
const sessionUnits: Readonly<Record<string, readonly [reads: number, writes: number]>> = {
  "its list of payments": [0, 1],
  "its payments by their last change": [0, 3],
  "the counter of its payments": [0, 4],
  "its drafts of one use case": [0, 2],
  "its payments begun": [0, 2],
  "its executing ones": [0, 1],
  "its events": [0, 4],
  "its token": [1, 0],
  "its intent": [1, 0],
  "its metadata": [1, 0],
  "the count of its unpaid payments": [1, 2],
  "its rate window": [0, 1],
  "whether it is suspended": [1, 0],
  "the payee": [1, 0],
  "what waits for it": [0, 1],
};

/** Every key that two payments of a tenant, or two by one link, have in common, but for the shards of timers. */
export const hotKeys: readonly KeyLine[] = [
  ...paymentKeys,
  ...paymentKeys.flatMap((line): KeyLine[] => {
    const units = line.of === "a payment by a link" ? sessionUnits[line.name] : undefined;
    return units === undefined ? [] : [{ ...line, of: "a session on a link", reads: units[0], writes: units[1] }];
  }),
];

/** The most payments a second that a key bears. */
export const paymentsPerSecond = ({ reads, writes, partitions = 1 }: Omit<KeyLine, "of">): number =>
  Math.floor(partitions * Math.min(PARTITION.reads / reads, PARTITION.writes / writes));
