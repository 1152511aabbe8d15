import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import type { Population } from "@intents/domain/lists/query.ts";
import { payee, storedIntent } from "@intents/domain/test/intent-fixture.ts";
import { listQuery } from "@intents/domain/test/query-fixture.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { storeAll } from "../../test/list-fixture.ts";
import { startTable } from "../../test/table-fixture.ts";
import { addParty } from "../parties/parties.ts";
import { addPayee } from "../parties/payees.ts";
import { listRecords } from "./lists.ts";

const TENANT = "1001";
const AT = "2026-11-21T09:00:00.000Z";
const dated = { createdAt: AT, updatedAt: AT };
const student = { _id: "a".repeat(24), firstName: "Ana", lastName: "Silva", email: "ana@example.com", ...dated };
const payer = { _id: "b".repeat(24), payerType: "individual", email: "rui@example.com", ...dated } as const;
const foreign = { ...student, _id: "c".repeat(24), firstName: "Eve" };
const parent = storedIntent({ id: "d".repeat(24), tenantId: TENANT, name: "the parent" });
const foreignParent = storedIntent({ id: "e".repeat(24), tenantId: "1002" });

const { table, stop } = await startTable();
afterAll(stop);
beforeAll(async () => {
  await addParty(table, TENANT, "STUDENT", student);
  await addParty(table, TENANT, "PAYER", payer);
  await addParty(table, "1002", "STUDENT", foreign);
  await addPayee(table, payee(5001), false);
  await addPayee(table, payee(5002, { tenantId: TENANT }), true);
  await addPayee(table, payee(5003, { tenantId: "1002" }), true);
  await storeAll(table, [parent, foreignParent]);
});

let made = 0;
/** An intent with `changes` as a list with these populations shows it, and the reads that this took. */
async function show(changes: Partial<PaymentIntent>, ...population: Population[]) {
  const id = String(++made).padStart(24, "0");
  await storeAll(table, [storedIntent({ id, tenantId: TENANT, ...changes })]);
  const query = listQuery({ filter: { id }, population });
  const page = await listRecords(table, TENANT, "INTENT", query, { isExplained: true });
  if (!page.ok) throw new Error(JSON.stringify(page.failure));
  return { item: page.value.items[0] as unknown, reads: page.value.explain?.reads.population };
}
const recipients = (...ids: (number | undefined)[]) => ({
  recipients: ids.map((id) => ({ ...(id !== undefined && { connectorPayeeId: id }) })),
});

describe("population", () => {
  test.each([
    [
      "a student",
      { payer: { role: "student", partyId: student._id } },
      "payer.partyId",
      { payer: { partyId: { id: student._id, ...student } } },
    ],
    [
      "a saved payer",
      { payer: { role: "family", partyId: payer._id } },
      "payer.partyId",
      { payer: { role: "family", partyId: { id: payer._id, ...payer } } },
    ],
    [
      "a subject",
      { subject: { role: "student", partyId: student._id } },
      "subject.partyId",
      { subject: { partyId: { email: student.email } } },
    ],
    [
      "the parent",
      { createdFrom: { paymentIntentId: parent.id } },
      "createdFrom.paymentIntentId",
      { createdFrom: { paymentIntentId: { _id: parent.id, id: parent.id } } },
    ],
    [
      "payees of the directory and its own",
      recipients(5001, 5002),
      "recipients.connectorPayeeId",
      {
        recipients: [
          { connectorPayeeId: { id: 5001, _id: 5001, name: "School 5001" } },
          { connectorPayeeId: { id: 5002 } },
        ],
      },
    ],
  ])("replaces %s", async (_, changes, path, expected) => {
    const { item } = await show(changes as Partial<PaymentIntent>, { path, select: [] });
    expect(item).toMatchObject(expected);
    expect(JSON.stringify(item)).not.toMatch(/tenantId|"version"|auditHead/);
  });

  test("shows only what is selected", async () => {
    const { item } = await show(
      { payer: { role: "student", partyId: student._id }, ...recipients(5001) },
      { path: "payer.partyId", select: ["firstName", "email"] },
      { path: "recipients.connectorPayeeId", select: ["name"] },
    );
    expect(item).toMatchObject({
      payer: { partyId: { firstName: "Ana" } },
      recipients: [{ connectorPayeeId: { name: "School 5001" } }],
    });
    expect((item as { payer: object }).payer).toEqual({
      role: "student",
      partyId: { firstName: "Ana", email: student.email },
    });
  });

  test.each([
    [
      "another tenant's party",
      { payer: { role: "student", partyId: foreign._id } },
      "payer.partyId",
      { payer: { partyId: null } },
    ],
    [
      "another tenant's payee",
      recipients(5003),
      "recipients.connectorPayeeId",
      { recipients: [{ connectorPayeeId: null }] },
    ],
    [
      "another tenant's intent",
      { createdFrom: { paymentIntentId: foreignParent.id } },
      "createdFrom.paymentIntentId",
      { createdFrom: { paymentIntentId: null } },
    ],
    [
      "what does not exist",
      { payer: { role: "student", partyId: "nobody" } },
      "payer.partyId",
      { payer: { partyId: null } },
    ],
    [
      "what could not be a key",
      { payer: { role: "student", partyId: "x".repeat(3_000) } },
      "payer.partyId",
      { payer: { partyId: null } },
    ],
  ])("shows null for %s", async (_, changes, path, expected) => {
    const { item } = await show(changes as Partial<PaymentIntent>, { path, select: [] });
    expect(item).toMatchObject(expected);
  });

  test("adds nothing where there is no reference", async () => {
    const { item, reads } = await show(
      { payer: { role: "tenant" }, ...recipients(undefined) },
      { path: "payer.partyId", select: [] },
      { path: "recipients.connectorPayeeId", select: [] },
    );
    expect(item).toMatchObject({ payer: { role: "tenant" }, recipients: [{}] });
    expect(JSON.stringify(item)).not.toMatch(/partyId|connectorPayeeId/);
    expect(reads).toMatchObject({ storeCalls: 0 });
  });

  test("of a page reads each reference once, a hundred at a time", async () => {
    const count = 150;
    await Promise.all(Array.from({ length: count }, (_, index) => addPayee(table, payee(30_000 + index), false)));
    const { item, reads } = await show(
      recipients(...Array.from({ length: 2 * count }, (_, index) => 30_000 + (index % count))),
      { path: "recipients.connectorPayeeId", select: ["id"] },
    );
    const ids = (item as { recipients: { connectorPayeeId: { id: number } }[] }).recipients.map(
      (one) => one.connectorPayeeId.id,
    );
    expect(ids).toEqual(Array.from({ length: 2 * count }, (_, index) => 30_000 + (index % count)));
    expect(reads).toMatchObject({ storeCalls: 2, itemsRead: count });
  });

  test("of a field that the projection leaves out reads nothing", async () => {
    await storeAll(table, [
      storedIntent({ id: "f".repeat(24), tenantId: TENANT, payer: { role: "student", partyId: student._id } }),
    ]);
    const query = listQuery({
      filter: { id: "f".repeat(24) },
      projection: { mode: "include", paths: ["id", "status"] },
      population: [{ path: "payer.partyId", select: [] }],
    });
    const page = await listRecords(table, TENANT, "INTENT", query);
    expect(page).toMatchObject({ ok: true, value: { items: [{ id: "f".repeat(24), status: "draft" }] } });
    expect(JSON.stringify(page)).not.toContain("partyId");
  });
});
