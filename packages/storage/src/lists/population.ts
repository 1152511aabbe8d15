import type { IntentExtras } from "@intents/domain/answers/intent-answer.ts";
import { project } from "@intents/domain/lists/projection.ts";
import type { Population } from "@intents/domain/lists/query.ts";
import { type ListKind, listResources } from "@intents/domain/lists/resources.ts";
import { isEmbedded, valuesAt } from "@intents/domain/lists/value.ts";
import { isVisible, type Payee } from "@intents/domain/parties/payee.ts";
import { type Key, keysOf } from "../table/keys.ts";
import { payeeKey } from "../table/shared-keys.ts";
import { fromDoc, type Table } from "../table/table.ts";
import { type Entry, fetchEntries } from "./read.ts";

/** The service issues no longer ids. */
const ID_LENGTH_MAX = 128;

/** The keys under which the target of a reference may be stored, the preferred one first. */
const references: Readonly<Record<string, (tenantId: string, id: string | number) => Key[]>> = {
  "payer.partyId": (tenantId, id) => partyKeys(tenantId, String(id)),
  "subject.partyId": (tenantId, id) => partyKeys(tenantId, String(id)),
  "recipients.connectorPayeeId": (_, id) => (Number.isSafeInteger(id) ? [payeeKey(Number(id))] : []),
  "createdFrom.paymentIntentId": (tenantId, id) => [keysOf(tenantId).intent(String(id))],
};
/** The keys of a party: students come before payers, as everywhere (SPEC, Parties). */
const partyKeys = (tenantId: string, id: string): Key[] => {
  const keys = keysOf(tenantId);
  return [keys.party("STUDENT", id), keys.party("PAYER", id)];
};

/**
 * The items with their references replaced by the records that they name, each in the form of a list item or of its
 * selected fields, or by null where the tenant may see no such record (Decision 017).
 */
export async function populate(
  table: Table,
  tenantId: string,
  items: readonly object[],
  populations: readonly Population[],
): Promise<object[]> {
  const keysAt = (path: string, id: unknown): Key[] =>
    isReference(id) && Object.hasOwn(references, path) ? (references[path]?.(tenantId, id) ?? []) : [];
  const wanted = populations.flatMap(({ path }) =>
    items.flatMap((item) => valuesAt(item, path.split(".")).flatMap((id) => keysAt(path, id))),
  );
  const found = await findEntries(table, wanted);
  return items.map((item) =>
    populations.reduce((populated, { path, select }) => {
      const replace = (id: unknown) => {
        const entry = keysAt(path, id).flatMap(({ PK }) => found.get(PK) ?? [])[0];
        const answer = entry === undefined ? undefined : toAnswer(entry, tenantId);
        if (answer === undefined) return null;
        return select.length === 0 ? answer : project({ mode: "include", paths: select }, answer);
      };
      return replaceAt(populated, path.split("."), replace) as object;
    }, item),
  );
}

const isReference = (id: unknown): id is string | number =>
  typeof id === "number" || (typeof id === "string" && id.length <= ID_LENGTH_MAX);

async function findEntries(table: Table, keys: readonly Key[]): Promise<Map<string, Entry>> {
  // Records of other kinds than intents have neither parts nor metadata beside them.
  const entries = await fetchEntries(table, "INTENT", [...new Map(keys.map((key) => [key.PK, key])).values()]);
  return new Map(entries.map((entry) => [entry.PK, entry]));
}

/** A populated record as callers see it. Its kind is the sort key of its item. */
function toAnswer(entry: Entry, tenantId: string): object | undefined {
  const record = fromDoc<object>(entry);
  if (entry.SK === "PAYEE" && !isVisible(record as Payee, tenantId)) return undefined;
  const { metadata } = entry;
  const toItem = listResources[entry.SK as ListKind].toItem as (stored: object, extras: IntentExtras) => object;
  return toItem(record, { metadata });
}

/** A copy in which the value at a path is replaced, in every element of an array on the way. */
function replaceAt(node: unknown, [name, ...below]: readonly string[], replace: (id: unknown) => unknown): unknown {
  if (name === undefined) return replace(node);
  if (Array.isArray(node)) return node.map((element) => replaceAt(element, [name, ...below], replace));
  if (!isEmbedded(node) || !Object.hasOwn(node, name)) return node;
  return { ...node, [name]: replaceAt(node[name], below, replace) };
}
