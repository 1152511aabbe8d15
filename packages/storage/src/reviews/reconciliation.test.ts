import { afterAll, describe, expect, test } from "vitest";
import { readPartition, startTable } from "../../test/table-fixture.ts";
import { keysOf } from "../table/keys.ts";
import { transact } from "../table/transact.ts";
import {
  amendReconciliation,
  closeReconciliation,
  findReconciliations,
  listReconciliations,
  openReconciliation,
  type Reconciliation,
  reconciliationActions,
  reconciliationId,
} from "./reconciliation.ts";

const { table, stop } = await startTable();
afterAll(stop);

let tenants = 8000;
const newRecord = (changes: Partial<Reconciliation> = {}): Reconciliation => ({
  tenantId: String(++tenants),
  intentId: "intent-1",
  executionId: "e1",
  kind: "contradicts_outcome",
  said: "cleared",
  stands: "failed",
  openedAt: "2026-11-21T09:00:00.000Z",
  ...changes,
});
const change = { operator: "olga", atMs: Date.UTC(2026, 10, 22), action: "reconciliation.close", reason: "paid back" };

describe("a record for an operator", () => {
  test("is opened once, however often the rail repeats itself, and listed by intent", async () => {
    const record = newRecord();
    const { tenantId } = record;
    const other = newRecord({ tenantId, intentId: "intent-0" });
    for (const each of [record, other]) await openReconciliation(table, each, Date.now());
    await openReconciliation(table, { ...record, openedAt: "2027-01-01T00:00:00.000Z" }, Date.now());
    expect(await listReconciliations(table, tenantId)).toEqual([other, record]);
    expect(await findReconciliations(table, tenantId, "intent-1")).toEqual([record]);
    expect(await listReconciliations(table, "1")).toEqual([]);
  });

  test("is named by the word that it tells: a close of what was said before closes nothing", async () => {
    const record = newRecord();
    const { tenantId } = record;
    await openReconciliation(table, record, Date.now());
    await openReconciliation(table, { ...record, said: "cancelled", openedAt: "2026-11-21T10:00:00.000Z" }, Date.now());
    expect(await closeReconciliation(table, tenantId, reconciliationId(record), change)).toBeUndefined();
    const [stored] = await listReconciliations(table, tenantId);
    expect(stored).toMatchObject({ nth: 2, openedAt: record.openedAt, saidAt: "2026-11-21T10:00:00.000Z" });
    const id = `${reconciliationId(record)}#2`;
    expect(await closeReconciliation(table, tenantId, id, change)).toMatchObject({ closed: { by: "olga" } });
  });

  test("tells no word that the rail was asked for earlier, however late it arrives", async () => {
    const record = newRecord();
    await openReconciliation(table, record, Date.now());
    for (const openedAt of ["2026-11-21T08:59:59.999Z", "2026-11-21T09:00:00.000Z"])
      await openReconciliation(table, { ...record, said: `asked at ${openedAt}`, openedAt }, Date.now());
    const records = await listReconciliations(table, record.tenantId);
    expect(records).toMatchObject([{ nth: 2, said: "asked at 2026-11-21T09:00:00.000Z" }]);
  });

  test("that is not there is amended by nobody", async () => {
    const record = newRecord();
    await amendReconciliation(table, record, Date.now());
    expect(await listReconciliations(table, record.tenantId)).toEqual([]);
  });

  test("remembers so many words, and how many there were", async () => {
    const record = newRecord();
    const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 9, minute)).toISOString();
    for (let minute = 0; minute < 103; minute++)
      await openReconciliation(table, { ...record, said: `word ${minute}`, openedAt: at(minute) }, Date.now());
    const [stored] = await listReconciliations(table, record.tenantId);
    expect(stored).toMatchObject({ said: "word 102", nth: 103, openedAt: at(0) });
    expect(stored?.earlier?.map(({ said }) => said)).toEqual(
      Array.from({ length: 100 }, (_, index) => `word ${index + 2}`),
    );
  });

  test("is one for each execution and each kind of contradiction", async () => {
    const record = newRecord();
    const more = [record, { ...record, executionId: "e2" }, { ...record, kind: "paid_after_close" as const }];
    for (const each of more) await openReconciliation(table, each, Date.now());
    expect(await listReconciliations(table, record.tenantId)).toEqual([more[0], more[2], more[1]]);
  });

  test("is opened within a transaction only if there is none yet", async () => {
    const record = newRecord();
    const actions = await reconciliationActions(table, record, "completed");
    const open = () => transact(table, () => actions);
    expect(await open()).toEqual({ done: true });
    expect(await open()).toEqual({ done: false, failed: ["reconciliation", "review"] });
    expect(await listReconciliations(table, record.tenantId)).toEqual([record]);
  });

  test("is closed once, by an operator whose reason is kept and audited", async () => {
    const record = newRecord();
    const { tenantId } = record;
    const close = (id: string) => closeReconciliation(table, tenantId, id, change);
    await openReconciliation(table, record, Date.now());
    expect(await close("nobody's")).toBeUndefined();
    const closed = { ...record, closed: { at: "2026-11-22T00:00:00.000Z", by: "olga", reason: "paid back" } };
    expect(await close(reconciliationId(record))).toEqual(closed);
    expect(await listReconciliations(table, tenantId)).toEqual([closed]);
    expect(await close(reconciliationId(record))).toBeUndefined();
    const audit = await readPartition(table, keysOf(tenantId).audit("OPERATOR", 0).PK);
    const { atMs, ...said } = change;
    expect(audit.map(({ doc }) => JSON.parse(String(doc)))).toEqual([{ ...said, at: "2026-11-22T00:00:00.000Z" }]);
  });
});
