import { BatchGetCommand, GetCommand, QueryCommand, ScanCommand } from "@aws-sdk/lib-dynamodb";
import type { Table } from "./table.ts";

const reads = [BatchGetCommand, GetCommand, QueryCommand, ScanCommand];

/** The same table, in which nothing can be written: for code that must not. */
export const readOnly = (table: Table): Table => ({
  ...table,
  db: Object.create(table.db, {
    send: {
      value: async (command: object) => {
        if (reads.some((read) => command instanceof read)) return table.db.send(command as GetCommand);
        throw new Error(`This table is only read: ${command.constructor.name}`);
      },
    },
  }),
});
