import { setImmediate as turn } from "node:timers/promises";
import { BatchGetItemCommand, type DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { S3Client } from "@aws-sdk/client-s3";
import { SQSClient } from "@aws-sdk/client-sqs";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import type { TableSchema } from "@intents/deployment/table-schema.ts";
import type { Rail } from "@intents/domain/rails/rail.ts";
import { type Item, readUnits, textOf, type Units, writeUnits } from "./units.ts";

/** The costs of one operation. `depth`: so many of its calls waited for one another. */
export type Cost = Readonly<{ calls: number; depth: number; reads: number; writes: number }>;

/** Units of one key: `table`, or `table/index`, and a partition key of it. */
export type KeyUnits = { reads: number; writes: number };

export type Counted = Cost &
  Readonly<{
    byKey: ReadonlyMap<string, KeyUnits>;
    /** Where the rules and the store's own report differ, a sentence each. */
    disputed: readonly string[];
  }>;

type Command = Readonly<{ constructor: { name: string }; input: Record<string, unknown> }>;
type Write = Readonly<{ table: string; key: Item; isTransaction: boolean; put?: Item }>;
type Capacity = Readonly<{ TableName?: string; CapacityUnits?: number }>;
type Counting = { calls: number; depth: number; reads: number; writes: number; disputed: string[] };

/** Turns of the event loop without a call, after which all remaining work waits for answers. */
const QUIET_TURNS = 100;

/**
 * Counts this process's calls to DynamoDB, S3, SQS and the rails: their cost by the rules, which the store's own report
 * must confirm, and their depth. A round holds back its answers until every call that needs none of them has been made.
 * The depth therefore does not depend on speed or load. Tables outside of `schemas`, such as the rail's, do not count.
 */
export function watchStores(store: DynamoDBClient, schemas: Readonly<Record<string, TableSchema>>) {
  let counting: Counting | undefined;
  let byKey = new Map<string, KeyUnits>();
  let begun = 0;
  let changes = 0;
  const held: (() => void)[] = [];

  async function openRound(): Promise<void> {
    for (let quiet = 0, seen = changes; quiet < QUIET_TURNS; quiet++) {
      await turn();
      if (begun > 0 || seen !== changes) [quiet, seen] = [0, changes];
    }
    if (counting !== undefined) counting.depth += 1;
    for (const release of held.splice(0)) release();
  }

  /** Makes a call, and gives its answer when the round ends. */
  async function inRound<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    if (counting !== undefined) counting.calls += 1;
    const outcome = await busily(() => settle(call));
    await new Promise<void>((release) => {
      if (held.push(release) === 1) void openRound();
    });
    return outcome();
  }

  async function busily<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    begun += 1;
    changes += 1;
    return call().finally(() => {
      begun -= 1;
      changes += 1;
    });
  }

  function add(kind: keyof KeyUnits, table: string, { index, partition, units }: Units): void {
    if (counting !== undefined) counting[kind] += units;
    const name = `${index === undefined ? table : `${table}/${index}`} ${partition}`;
    const known = byKey.get(name) ?? { reads: 0, writes: 0 };
    byKey.set(name, { ...known, [kind]: known[kind] + units });
  }

  async function itemsAt(writes: readonly Write[]): Promise<(Item | undefined)[]> {
    const [{ table = "" } = {}] = writes;
    const items: Item[] = [];
    for (let start = 0; start < writes.length; start += 100) {
      const Keys = writes.slice(start, start + 100).map(({ key }) => key);
      const { Responses } = await store.send(
        new BatchGetItemCommand({ RequestItems: { [table]: { Keys, ConsistentRead: true } } }),
      );
      items.push(...(Responses?.[table] ?? []));
    }
    const nameOf = ({ PK, SK }: Item) => `${PK?.S} ${SK?.S}`;
    const found = new Map(items.map((item) => [nameOf(item), item]));
    return writes.map(({ key }) => found.get(nameOf(key)));
  }

  /** Makes a write between two looks at its items, by which the rules tell its cost. */
  async function write<Answer>(writes: readonly Write[], call: () => Promise<Answer>): Promise<Answer> {
    const before = await itemsAt(writes);
    const outcome = await settle(call);
    const after = outcome.failed ? before : await itemsAt(writes);
    const units = writes.flatMap(({ table, key, isTransaction, put }, at) => {
      const schema = schemas[table];
      if (schema === undefined) return [];
      // A write that its condition refuses costs as much as one that it lets pass, without the indexes.
      const items = { before: before[at], after: outcome.failed ? (put ?? before[at]) : after[at], isTransaction };
      const all = writeUnits(schema, textOf(key["PK"]), items);
      return (outcome.failed ? all.slice(0, 1) : all).map((one) => ({ table, one }));
    });
    for (const { table, one } of units) add("writes", table, one);
    if (!outcome.failed)
      confirm(
        units.reduce((sum, { one }) => sum + one.units, 0),
        outcome.value,
      );
    return outcome();
  }

  async function read<Answer>(command: Command, call: () => Promise<Answer>): Promise<Answer> {
    const answer = await call();
    const { input } = command;
    const [table = "", { Keys = [], ConsistentRead = false } = {}] = Object.entries(
      (input["RequestItems"] ?? {}) as Record<string, { Keys?: object[]; ConsistentRead?: boolean }>,
    )[0] ?? [String(input["TableName"]), { Keys: [input["Key"] as object], ConsistentRead: input["ConsistentRead"] }];
    if (command.constructor.name === "QueryCommand" || command.constructor.name === "ScanCommand") {
      const index = input["IndexName"] === undefined ? {} : { index: String(input["IndexName"]) };
      const partition = String((input["ExpressionAttributeValues"] as Record<string, unknown>)?.[partitionMark(input)]);
      add("reads", table, { ...index, partition, units: reported(answer) });
      return answer;
    }
    const keys = Keys.map((key) => toItem(key));
    const items = await itemsAt(keys.map((key) => ({ table, key, isTransaction: false })));
    const units = keys.map((key, at) => ({
      partition: textOf(key["PK"]),
      units: readUnits(items[at], ConsistentRead === true),
    }));
    for (const one of units) add("reads", table, one);
    confirm(
      units.reduce((sum, one) => sum + one.units, 0),
      answer,
    );
    return answer;
  }

  function confirm(units: number, answer: unknown): void {
    const told = reported(answer);
    if (told !== units) counting?.disputed.push(`the store reports ${told} units, and the rules give ${units}`);
  }

  function around<Answer>(command: Command, call: () => Promise<Answer>): Promise<Answer> {
    if (counting === undefined) return call();
    const { input } = command;
    const writes = writesOf(command);
    const table = String(
      writes[0]?.table ?? Object.keys((input["RequestItems"] as object) ?? {})[0] ?? input["TableName"],
    );
    if (input["Bucket"] !== undefined || input["QueueUrl"] !== undefined) return inRound(call);
    if (schemas[table] === undefined) return busily(call);
    input["ReturnConsumedCapacity"] = "INDEXES";
    return inRound(() => (writes.length > 0 ? write(writes, call) : read(command, call)));
  }

  for (const { prototype } of [DynamoDBDocumentClient, S3Client, SQSClient]) {
    const sends = prototype as unknown as { send: (command: Command, ...rest: unknown[]) => Promise<unknown> };
    const { send } = sends;
    sends.send = function watched(command, ...rest) {
      return around(command, () => send.call(this, command, ...rest));
    };
  }

  return {
    /** Lets each question to a rail count as one call. */
    watchRail: (rail: Rail, whenAsked: () => void): void => {
      const port = rail as { -readonly [Name in keyof Rail]: Rail[Name] };
      for (const name of ["execute", "status", "statuses", "cancel", "fund", "list"] as const) {
        const ask = port[name]?.bind(port) as (...asked: unknown[]) => Promise<never>;
        port[name] = (...asked: unknown[]) => {
          whenAsked();
          return counting === undefined ? ask(...asked) : inRound(() => ask(...asked));
        };
      }
    },

    count: async (operation: () => Promise<unknown>): Promise<Counted> => {
      const now: Counting = { calls: 0, depth: 0, reads: 0, writes: 0, disputed: [] };
      byKey = new Map();
      counting = now;
      try {
        await operation();
      } finally {
        counting = undefined;
      }
      return { ...now, byKey };
    },
  };
}

/** A call's outcome, to be told later. */
async function settle<Answer>(call: () => Promise<Answer>) {
  try {
    const value = await call();
    return Object.assign(() => value, { failed: false as const, value });
  } catch (error) {
    const tell = (): never => {
      throw error;
    };
    return Object.assign(tell, { failed: true as const });
  }
}

function writesOf({ constructor: { name }, input }: Command): Write[] {
  const toWrite = (part: Record<string, unknown>, isTransaction: boolean): Write => {
    const { PK, SK } = (part["Key"] ?? part["Item"]) as Record<string, unknown>;
    const put = part["Item"] as object | undefined;
    return {
      table: String(part["TableName"]),
      key: toItem({ PK, SK }),
      isTransaction,
      ...(put && { put: toItem(put) }),
    };
  };
  if (["PutCommand", "UpdateCommand", "DeleteCommand"].includes(name)) return [toWrite(input, false)];
  const items = (input["TransactItems"] ?? []) as Record<string, Record<string, unknown>>[];
  return items.flatMap((item) => Object.values(item).map((part) => toWrite(part, true)));
}

/** A plain item with the types of its attributes. */
const toItem = (plain: object): Item =>
  Object.fromEntries(
    Object.entries(plain)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, typeof value === "number" ? { N: String(value) } : { S: String(value) }]),
  );

/** The mark of the value that the key condition of a query compares the partition key with. */
const partitionMark = (input: Record<string, unknown>): string =>
  /=\s*(:\w+)/.exec(String(input["KeyConditionExpression"]))?.[1] ?? "";

function reported(answer: unknown): number {
  const { ConsumedCapacity = [] } = answer as { ConsumedCapacity?: Capacity | readonly Capacity[] };
  return [ConsumedCapacity].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
}
