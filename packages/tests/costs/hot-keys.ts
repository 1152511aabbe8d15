import { EVENT_SHARDS } from "@intents/storage/events/events.ts";
import { COUNTER_PARTITIONS } from "@intents/storage/table/keys.ts";

/** The capacity units that one partition of DynamoDB bears in a second, whatever the table bears. */
const PARTITION = { reads: 3_000, writes: 1_000 } as const;

/** Payments from draft to end; those by one link, from their payers' sessions; and such sessions alone. */
export const flows = ["payments", "payments by a link", "sessions on a link"] as const;
export type Flow = (typeof flows)[number];

type HotKey = Readonly<{
  name: string;
  /** The index, or the table if it is not the main one, and the partition key; `{…}` stands for a part that varies. */
  key: string;
  /** The number of partitions for which `{shard}` stands. */
  shards?: number;
  /** Units of one of each flow, in their order. */
  reads?: readonly [number, number, number];
  writes?: readonly [number, number, number];
}>;

const intents = "{tenant}#LIST#INTENT";
const children = "{tenant}#CHILDREN#{link}";
const two = COUNTER_PARTITIONS;

/** Each partition that two payments of a tenant, or two by one link, have in common, but for the shards of timers. */
export const hotKeys: readonly HotKey[] = [
  { name: "a tenant's payments by their last change", key: `byChange ${intents}`, writes: [5, 5, 3] },
  { name: "a tenant's payments", key: `byCreation ${intents}`, writes: [1, 1, 1] },
  { name: "a tenant's drafts of a use case", key: `byFacet ${intents}#draft|{use case}`, writes: [2, 2, 2] },
  { name: "a tenant's executing payments", key: `byFacet ${intents}#executing|{use case}`, writes: [2, 2, 1] },
  { name: "a tenant's completed payments", key: `byFacet ${intents}#completed|{use case}`, writes: [1, 1, 0] },
  { name: "a tenant's count of payments", key: "{tenant}#COUNT#INTENT#{shard}", writes: [6, 6, 4], shards: two },
  { name: "a tenant's commissions", key: "byCreation {tenant}#LIST#COMMISSION", writes: [1, 1, 0] },
  { name: "a tenant's count of commissions", key: "{tenant}#COUNT#COMMISSION#{shard}", writes: [2, 2, 0], shards: two },
  { name: "a tenant's outstanding commissions", key: "byOwner {tenant}#OUTSTANDING", writes: [1, 1, 0] },
  { name: "a tenant's outstanding amounts", key: "{tenant}#COUNT#OUTSTANDING#{shard}", writes: [2, 2, 0], shards: two },
  { name: "a tenant's events", key: "{tenant}#EVENT#{shard}", writes: [6, 6, 4], shards: EVENT_SHARDS },
  { name: "a tenant's suspension", key: "{tenant}#SUSPENSION", reads: [1, 1, 1] },
  { name: "a tenant's metadata", key: "{tenant}#METADATA", reads: [0, 1, 1] },
  { name: "an API key", key: "APIKEY#demo", reads: [1, 0, 0] },
  { name: "an API key's rate window", key: "windows RATE#global#key#demo", writes: [2, 0, 0] },
  { name: "a payee", key: "PAYEE#5001", reads: [2, 2, 1] },
  { name: "a rail's waiting payments", key: "byWatch WATCH#0", writes: [2, 2, 1] },
  { name: "a rail's state", key: "RAIL#sandbox", reads: [0.5, 0.5, 0] },
  { name: "a link", key: "{tenant}#INTENT#{link}", reads: [0, 1, 1] },
  { name: "a link's token", key: "LINK#{token}", reads: [0, 1, 1] },
  { name: "a link's payments", key: `byOwner ${children}`, writes: [0, 1, 1] },
  { name: "a link's drafts", key: `byOwnerFacet ${children}#draft|{use case}`, writes: [0, 2, 2] },
  { name: "a link's executing payments", key: `byOwnerFacet ${children}#executing|{use case}`, writes: [0, 2, 1] },
  { name: "a link's completed payments", key: `byOwnerFacet ${children}#completed|{use case}`, writes: [0, 1, 0] },
  { name: "a link's count of payments", key: "{tenant}#COUNT#CHILDREN#{link}#{shard}", writes: [0, 6, 4], shards: two },
  {
    name: "a payer's unpaid payments",
    key: "{tenant}#PAYERSOURCE#{link}#{source}",
    reads: [0, 1, 1],
    writes: [0, 4, 2],
  },
  { name: "a payer's newest payment", key: "{tenant}#PAYERSECRET#{link}#{source}", writes: [0, 2, 2] },
  { name: "a payer's rate window", key: "windows RATE#public_link#{token}#127.0.0.1", writes: [0, 1, 1] },
];

export type Units = Readonly<{ reads: number; writes: number }>;

/** The units of one such flow. */
export function unitsOf({ reads, writes }: HotKey, flow: Flow): Units {
  const at = flows.indexOf(flow);
  return { reads: reads?.[at] ?? 0, writes: writes?.[at] ?? 0 };
}

/** The number of such flows a second that a key bears; infinite for a key that they do not use. */
export function ratePerSecond(hotKey: HotKey, flow: Flow): number {
  const { reads, writes } = unitsOf(hotKey, flow);
  return Math.floor((hotKey.shards ?? 1) * Math.min(PARTITION.reads / reads, PARTITION.writes / writes));
}
