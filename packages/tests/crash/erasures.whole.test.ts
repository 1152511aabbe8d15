import { paginateScan } from "@aws-sdk/lib-dynamodb";
import { csvHeader, toCsvRow } from "@intents/domain/commissions/csv.ts";
import { createRequest } from "@intents/execution/commissions/create-request.ts";
import { storeUpload } from "@intents/execution/documents/upload.ts";
import type { Run } from "@intents/execution/run.ts";
import { eraseSubject } from "@intents/execution/subjects/erase.ts";
import { callsToFail, failAt, faultNames, faults } from "@intents/execution/test/fault-fixture.ts";
import { startPayers } from "@intents/execution/test/session-fixture.ts";
import { findCommissions } from "@intents/storage/commissions/commissions.ts";
import { putFile, readFile } from "@intents/storage/files/files.ts";
import { verifyTable } from "@intents/storage/operations/ledger-scan.ts";
import { addSavedDocument } from "@intents/storage/parties/documents.ts";
import { addParty } from "@intents/storage/parties/parties.ts";
import { keysOf } from "@intents/storage/table/keys.ts";
import { expect, onTestFinished, test } from "vitest";

const tenantId = "1001";
const keys = keysOf(tenantId);
let people = 0;

/** A person whose name and e-mail appear nowhere else. */
function newPerson() {
  people += 1;
  const lastName = `Quandorf${people}x`;
  return { firstName: "Zoe", lastName, email: `zoe.${lastName}@example.com`.toLowerCase() };
}
type Person = ReturnType<typeof newPerson>;

const fileOf = ({ lastName }: Person) => ({
  fileName: `${lastName}.pdf`,
  contentType: "application/pdf" as const,
  bytes: Buffer.from(`%PDF-1.7 ${lastName}`),
});

/** A world of its own for each fault: an erasure reads all of the table. */
async function startPeople() {
  const { bucket, world, payers, stop } = await startPayers();
  const { run, table } = world;

  /** A saved student with a document. */
  async function save(person: Person): Promise<string> {
    const createdAt = new Date(run.now()).toISOString();
    const student = { _id: `0198c0ffee00${String(people).padStart(12, "0")}`, ...person };
    await addParty(table, tenantId, "STUDENT", { ...student, createdAt, updatedAt: createdAt });
    const { bytes, ...file } = fileOf(person);
    const legacyDocumentId = crypto.randomUUID();
    const objectKey = keys.savedFile("STUDENT", student._id, legacyDocumentId);
    await putFile(run.files, objectKey, bytes, file.contentType);
    const saved = { ...file, legacyDocumentId, type: "identity", objectKey, createdAt } as const;
    await addSavedDocument(table, tenantId, "STUDENT", student._id, {
      ...saved,
      sizeBytes: bytes.length,
      sha256: "00",
    });
    return student._id;
  }

  /** A draft for a saved student, whose other details are the intent's own, with an uploaded document. */
  async function newTuition(person: Person, partyId: string) {
    const stored = await storeUpload(run, tenantId, fileOf(person), run.now());
    const { instructions } = await world.newDraft();
    const payerIdentityDocumentId = stored.ok ? stored.value.documentId : "";
    return world.newDraft({
      payer: { role: "student", partyId, details: person },
      reference: `fees ${person.lastName}`,
      instructions: { manualPayment: { ...instructions?.manualPayment, payerIdentityDocumentId } },
    });
  }

  /** Everything that one person leaves: a saved student, a draft, a payment with its commission, one by a link. */
  async function live() {
    const person = newPerson();
    const partyId = await save(person);
    await newTuition(person, partyId);
    const { id } = await newTuition(person, partyId);
    expect(await world.submit(id, `key ${people}`)).toMatchObject({ ok: true });
    world.clock.ms += 60_000;
    await world.tick(id);
    const paymentIds = (await world.get(id)).executions.flatMap(({ connectorPaymentIds }) => connectorPaymentIds);
    const earned = (await findCommissions(table, tenantId, paymentIds)).map(({ commission }) => commission);
    const csv = [csvHeader(), ...earned.map(toCsvRow)].join("");
    await putFile(run.files, keys.object("exports", crypto.randomUUID()), Buffer.from(csv), "text/csv", "month.csv");
    const [{ commissionAmount: commissionTotalAmount = "" } = {}] = earned;
    expect(await createRequest(run, tenantId, { paymentIds, commissionTotalAmount }, undefined)).toMatchObject({
      ok: true,
    });
    const link = await payers.publish();
    const documentIds = [await payers.upload(link)];
    const child = await payers.begin(link, { documentIds, payerDetails: person });
    world.clock.ms += 60_000;
    await world.tick(child);
    expect([(await world.get(id)).status, (await world.get(child)).status]).toEqual(["completed", "completed"]);
    return person;
  }

  /** Everything in the tables and the bucket, raw, that holds a person's name, as a part of the e-mail as well. */
  async function tracesOf({ lastName }: Person): Promise<string[]> {
    const tells = (text: string) => text.toLowerCase().includes(lastName.toLowerCase());
    const found: string[] = [];
    for (const TableName of [table.name, world.railTableName])
      for await (const { Items = [] } of paginateScan({ client: table.db }, { TableName }))
        found.push(...Items.map((item) => JSON.stringify(item)).filter(tells));
    for (const key of await bucket.keysBelow(""))
      if (tells(key + Buffer.from(await readFile(run.files, key)).toString())) found.push(key);
    return found;
  }

  return { run, table, live, tracesOf, stop };
}

const eraseFor =
  ({ email }: Person) =>
  (as: Run) =>
    eraseSubject(as, { tenantId, email });

test.each(faultNames)("an erasure whose worker %s, at any call, is finished by a repetition", async (fault) => {
  const { run, table, live, tracesOf, stop } = await startPeople();
  onTestFinished(stop);
  const first = await live();
  expect((await tracesOf(first)).length).toBeGreaterThan(8);
  for (const k of await callsToFail(run, fault, eraseFor(first))) {
    const person = await live();
    const { letGo } = await failAt(run, k, faults[fault], eraseFor(person));
    expect([k, await eraseFor(person)(run)]).toMatchObject([k, { waiting: [] }]);
    await letGo();
    expect([k, await tracesOf(person)]).toEqual([k, []]);
  }
  expect(await tracesOf(first)).toEqual([]);
  expect(await verifyTable(table, { recount: true })).toMatchObject({ problems: 0, findings: [] });
});
