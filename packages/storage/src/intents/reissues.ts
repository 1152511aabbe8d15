import { keysOf } from "../table/keys.ts";
import { findRecord } from "../table/records.ts";
import { type Table, toDoc } from "../table/table.ts";
import type { Action } from "../table/transact.ts";

/** The intent that pays another one again. */
export type Reissuer = Readonly<{ intentId: string }>;

type IntentKey = Readonly<{ tenantId: string; id: string }>;

export const findReissuer = (table: Table, tenantId: string, reissuedId: string) =>
  findRecord<Reissuer>(table, keysOf(tenantId).reissue(reissuedId));

/** Makes an intent the only one that pays `reissuedId` again: a part of the claim. */
export const takeReissue = (table: Table, { tenantId, id }: IntentKey, reissuedId: string): Action => ({
  label: "reissue",
  write: {
    Put: {
      TableName: table.name,
      Item: { ...keysOf(tenantId).reissue(reissuedId), doc: toDoc({ intentId: id }) },
      ConditionExpression: "attribute_not_exists(PK)",
    },
  },
});

/** Lets another intent pay `reissuedId` again: a part of the release. */
export const freeReissue = (table: Table, { tenantId }: IntentKey, reissuedId: string): Action => ({
  label: "reissue",
  write: { Delete: { TableName: table.name, Key: keysOf(tenantId).reissue(reissuedId) } },
});
