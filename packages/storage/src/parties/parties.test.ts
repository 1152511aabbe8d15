import { mergeParty, type SavedPayer, type Student } from "@intents/domain/parties/party.ts";
import { listQuery } from "@intents/domain/test/query-fixture.ts";
import { afterAll, describe, expect, test } from "vitest";
import { startTable } from "../../test/table-fixture.ts";
import { listRecords } from "../lists/lists.ts";
import { readCounts } from "../table/counters.ts";
import { addParty, findParty, findPartyDetails, updateParty } from "./parties.ts";

const AT_MS = Date.UTC(2026, 10, 21, 9);
const AT = new Date(AT_MS).toISOString();
const TENANT = "1001";

const { table, stop } = await startTable();
afterAll(stop);

let made = 0;
const newId = () => String(++made).padStart(24, "0");

async function newStudent(changes: Partial<Student> = {}): Promise<Student> {
  const _id = newId();
  const email = `${_id}@example.com`;
  const student = { _id, firstName: "Ana", lastName: "Silva", email, createdAt: AT, updatedAt: AT, ...changes };
  await addParty(table, TENANT, "STUDENT", student);
  return student;
}
const change = (id: string, changes: Record<string, unknown>, tenantId = TENANT) =>
  updateParty(table, tenantId, "STUDENT", id, (student) => mergeParty(student, changes, AT_MS));
const withEmail = async (email: string, tenantId = TENANT) => {
  const page = await listRecords(table, tenantId, "STUDENT", listQuery({ filter: { email }, limit: 10 }));
  return page.ok ? page.value.items : page.failure;
};

describe("a saved party", () => {
  test("is found as it was stored, by its kind and its own tenant only", async () => {
    const student = await newStudent();
    expect(await findParty(table, TENANT, "STUDENT", student._id)).toEqual(student);
    expect(await findParty(table, TENANT, "PAYER", student._id)).toBeUndefined();
    expect(await findParty(table, "1002", "STUDENT", student._id)).toBeUndefined();
  });

  test("whose id is taken is a fault, and is neither stored nor counted", async () => {
    const student = await newStudent();
    const before = await readCounts(table, TENANT, "STUDENT");
    await expect(newStudent({ _id: student._id, firstName: "Other" })).rejects.toThrow();
    expect(await findParty(table, TENANT, "STUDENT", student._id)).toEqual(student);
    expect(await readCounts(table, TENANT, "STUDENT")).toEqual(before);
  });

  test("that 20 callers change at once loses none of their changes", async () => {
    const { _id } = await newStudent({ city: "" });
    const append = (letter: string) =>
      updateParty(table, TENANT, "STUDENT", _id, (student) => ({ ...student, city: `${student.city}${letter}` }));
    const letters = [..."abcdefghijklmnopqrst"];
    await Promise.all(letters.map(append));
    const stored = await findParty(table, TENANT, "STUDENT", _id);
    expect([...(stored?.city ?? "")].toSorted()).toEqual(letters);
  });

  test("keeps the fields that a change leaves out", async () => {
    const student = await newStudent({ phone: "+5511999990000" });
    const changed = await change(student._id, { city: "Recife" });
    expect(changed).toEqual({ ...student, city: "Recife" });
    expect(await findParty(table, TENANT, "STUDENT", student._id)).toEqual(changed);
  });

  test("is found by its new email address once that changes, in any letter case, not by the old one or by others", async () => {
    const student = await newStudent();
    const email = `New-${student._id}@Example.com`;
    const changed = await change(student._id, { email });
    expect(await withEmail(email)).toEqual([{ id: student._id, ...Object(changed) }]);
    expect([await withEmail(student.email), await withEmail(email, "1002")]).toEqual([[], []]);
  });

  test("that does not exist for this tenant is not changed", async () => {
    const student = await newStudent();
    expect(await change(newId(), { city: "Recife" })).toBeUndefined();
    expect(await change(student._id, { city: "Recife" }, "1002")).toBeUndefined();
    expect(await findParty(table, TENANT, "STUDENT", student._id)).toEqual(student);
  });
});

test("details are looked up among students, then payers, and an unknown id has no entry", async () => {
  const { _id, firstName, lastName, email } = await newStudent();
  const payer: SavedPayer = {
    _id: newId(),
    payerType: "business",
    email: "b@example.com",
    createdAt: AT,
    updatedAt: AT,
  };
  await addParty(table, TENANT, "PAYER", payer);
  await addParty(table, TENANT, "PAYER", { ...payer, _id });
  expect(await findPartyDetails(table, TENANT, [_id, payer._id, newId()])).toEqual(
    new Map([
      [_id, { firstName, lastName, email }],
      [payer._id, { payerType: "business", email: payer.email }],
    ]),
  );
});
