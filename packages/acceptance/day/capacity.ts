import type { Table } from "@intents/storage/table/table.ts";

/** A store's charge in read and write units, indexes included. */
export type Capacity = Readonly<{ read: number; write: number }>;

type Consumed = Readonly<{ CapacityUnits?: number }>;

const isRead = (command: string): boolean => /^(Get|Query|Scan|BatchGet)/.test(command);

/** Adds up what the store says that it charges for each call. */
export function countCapacity({ client }: Table): () => Capacity {
  const total = { read: 0, write: 0 };
  client.middlewareStack.add(
    (next, { commandName = "" }) =>
      async (args) => {
        Object.assign(args.input, { ReturnConsumedCapacity: "INDEXES" });
        const result = await next(args);
        const { ConsumedCapacity = [] } = result.output as { ConsumedCapacity?: Consumed | Consumed[] };
        for (const { CapacityUnits = 0 } of [ConsumedCapacity].flat()) {
          total[isRead(commandName) ? "read" : "write"] += CapacityUnits;
        }
        return result;
      },
    { step: "initialize", name: "countCapacity" },
  );
  return () => ({ ...total });
}
