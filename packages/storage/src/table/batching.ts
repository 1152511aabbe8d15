import { BatchGetCommand, GetCommand } from "@aws-sdk/lib-dynamodb";
import type { Key } from "./keys.ts";
import { fetchItems } from "./records.ts";
import type { Table } from "./table.ts";

type Items = (Readonly<Record<string, unknown>> | undefined)[];

/** A read by key that waits for the others of its moment. */
type Read = Readonly<{
  keys: readonly Key[];
  isStrong: boolean;
  resolve: (items: Items) => void;
  reject: (error: unknown) => void;
}>;

/**
 * The same table, whose reads by key that start at the same moment are one call of the store. Each read gets its own items
 * as before; if one asks for strong consistency, all have it.
 */
export function batching(table: Table): Table {
  let waiting: Read[] = [];
  const flush = async (): Promise<void> => {
    const reads = waiting;
    waiting = [];
    const keys = new Map(reads.flatMap((read) => read.keys.map((key) => [nameOf(key), key])));
    try {
      const items = await fetchItems(table, [...keys.values()], { isStrong: reads.some(({ isStrong }) => isStrong) });
      const found = new Map([...keys.keys()].map((name, index) => [name, items[index]]));
      for (const read of reads) read.resolve(read.keys.map((key) => found.get(nameOf(key))));
    } catch (error) {
      for (const { reject } of reads) reject(error);
    }
  };
  const read = (keys: readonly Key[], isStrong = false): Promise<Items> =>
    new Promise((resolve, reject) => {
      // Runs once all code that is ready now has asked for what it needs.
      if (waiting.length === 0) process.nextTick(flush);
      waiting.push({ keys, isStrong, resolve, reject });
    });
  const send = async (command: GetCommand) => {
    const { input } = command;
    if (command instanceof BatchGetCommand) {
      const { Keys = [], ConsistentRead } = command.input.RequestItems?.[table.name] ?? {};
      const items = await read(Keys as Key[], ConsistentRead);
      return { Responses: { [table.name]: items.filter((item) => item !== undefined) } };
    }
    if (!(command instanceof GetCommand) || input.ProjectionExpression !== undefined) return table.db.send(command);
    const [Item] = await read([input.Key as Key], input.ConsistentRead);
    return { Item };
  };
  return { ...table, db: Object.create(table.db, { send: { value: send } }) };
}

const nameOf = ({ PK, SK }: Key): string => `${PK} ${SK}`;
