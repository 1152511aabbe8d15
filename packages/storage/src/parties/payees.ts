import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import type { Payee } from "@intents/domain/parties/payee.ts";
import { payeeSortKey } from "../lists/range.ts";
import { countActions } from "../table/counters.ts";
import { keysOf } from "../table/keys.ts";
import { addRecord, findItems, findRecord, newRecord } from "../table/records.ts";
import { payeeKey } from "../table/shared-keys.ts";
import { fromDoc, type Table } from "../table/table.ts";
import { transact } from "../table/transact.ts";

/** Stores a payee under its id; false when the id is taken. A tenant's own registered payees are listed and counted. */
export async function addPayee(table: Table, payee: Payee, listed: boolean): Promise<boolean> {
  const { tenantId } = payee;
  if (!listed || tenantId === undefined) return addRecord(table, payeeKey(payee.id), payee);
  const index = { listPK: keysOf(tenantId).list("PAYEE"), listSK: payeeSortKey(payee.id) };
  const verdict = await transact(table, () => [
    { label: "payee", write: { Put: newRecord(table, payeeKey(payee.id), payee, index) } },
    ...countActions(tenantId, [{ counter: "PAYEE", to: "all" }], table),
  ]);
  return verdict.done;
}

export const findPayee = (table: Table, id: number) => findRecord<Payee>(table, payeeKey(id));

/** The payees of an intent's recipients. */
export const findPayeesOf = (table: Table, { recipients }: Pick<PaymentIntent, "recipients">) =>
  findPayees(
    table,
    recipients.flatMap(({ connectorPayeeId }) => connectorPayeeId ?? []),
  );

/** The payees with these ids, of whatever tenant; an id that does not exist has no entry. */
export async function findPayees(table: Table, ids: readonly number[]): Promise<Map<number, Payee>> {
  const items = await findItems(table, [...new Set(ids)].map(payeeKey));
  const payees = items.map((item) => fromDoc<Payee>(item));
  return new Map(payees.map((payee) => [payee.id, payee]));
}
