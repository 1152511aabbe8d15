import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { paginateScan } from "@aws-sdk/lib-dynamodb";
import { strFromU8, unzipSync } from "fflate";
import { afterAll, expect, test } from "vitest";
import { type Client, type Data, fileForm, type Intent, savedDocumentBody } from "./client.ts";
import { type CommissionRequest, commissionOf, mustRequest } from "./commissions.ts";
import { finishCheckout, newSecret, publishLink } from "./links.ts";
import { marksOf, newPerson, type Person, tells } from "./people.ts";
import { fixedReceiptBody, payrollBody, splitBody } from "./scenarios-fixture.ts";
import { openOperatedService } from "./service-fixture.ts";
import { readStoredFiles } from "./stored-files.ts";
import { create, newKey, tuition } from "./tuition.ts";

const { client, basic, service, operator } = await openOperatedService();
const folder = mkdtempSync(join(tmpdir(), "subjects-"));
afterAll(() => rmSync(folder, { recursive: true }));

const TENANT = ["--tenant", "1001"];
type Timeline = Readonly<{ timeline: readonly unknown[] }>;

async function upload({ lastName }: Person): Promise<string> {
  const form = fileForm(new TextEncoder().encode(`%PDF-1.7 passport of ${lastName}`), `${lastName}.pdf`);
  return (await client.must<{ documentId: string }>("POST", "/v2/documents", { form })).documentId;
}

/** Tuition that a person pays, by a saved party or with details of its own, under a reference that names the person. */
async function newTuition(person: Person, payer: object, method = "dmt"): Promise<Intent> {
  const { body, quote } = await tuition(client);
  const { id = 0 } = quote.variants.find(({ settlementMethod }) => settlementMethod === method) ?? {};
  const manualPayment = {
    ...body.instructions.manualPayment,
    selectedQuoteVariantId: id,
    payerIdentityDocumentId: await upload(person),
  };
  const recipients = body.recipients.map((recipient) => ({ ...recipient, reference: `fees ${person.lastName}` }));
  const changes = { name: `For ${person.lastName}`, payer, recipients, instructions: { manualPayment } };
  return create(client, { ...body, ...changes });
}

/** A payment that has ended, by which the tenant pays for a person, with references that name the person. */
async function payFor(subject: object, body: Readonly<{ recipients: readonly object[] }>, { lastName }: Person) {
  const recipients = body.recipients.map((recipient, index) => ({
    ...recipient,
    reference: `for ${lastName} ${index}`,
    externalId: `emp/${lastName}/${index}`,
  }));
  const intent = await create(client, {
    ...body,
    subject,
    recipients,
    externalId: `order/${lastName}`,
    metadata: { who: lastName },
  });
  await client.must("PATCH", `/v2/payment-intents/${intent.id}`, { body: { metadata: { whose: lastName } } });
  expect((await client.submit(intent.id)).status).toBe(200);
  return client.waitForStatus(intent.id, "completed");
}

/** Everything that is stored anywhere and tells the person, whatever the case. */
async function tracesOf(person: Person): Promise<string[]> {
  const { environment, table } = operator;
  const holds = (text: string) => marksOf(person).some((mark) => tells(text, mark));
  const found: string[] = [];
  for (const TableName of [table.name, environment["RAIL_TABLE_NAME"] ?? "", environment["WINDOW_TABLE_NAME"]]) {
    if (TableName === undefined) continue;
    for await (const { Items = [] } of paginateScan({ client: table.db }, { TableName })) {
      found.push(...Items.map((item) => JSON.stringify(item)).filter(holds));
    }
  }
  const files = await readStoredFiles(service.url);
  return [...found, ...[...files].filter(([key, bytes]) => holds(key + strFromU8(bytes, true))).map(([key]) => key)];
}

const verify = async () => {
  const { code, stdout, stderr } = await operator.run("ledger", "verify", ...TENANT, "--json");
  expect([code, stderr]).toEqual([0, ""]);
  expect(JSON.parse(stdout)).toMatchObject({ problems: 0 });
};

test("a person is exported, then erased from everything, and books, commissions and the audit chain still verify", async () => {
  const person = newPerson("Zephyrine");
  const { firstName, lastName, email } = person;
  const student = await client.newStudent({
    ...person,
    externalId: `student/${lastName}`,
    metadata: { who: lastName },
  });
  const { phone, dob, addressLine1: line1, city, state, postcode: postalCode } = person;
  const payer = await client.newPayer({
    email,
    profile: { firstName, lastName, phone, dob },
    address: { country: "BR", line1, city, state, postalCode },
  });
  await client.must("POST", `/v2/students/${student._id}/documents`, {
    body: { ...savedDocumentBody, fileName: `${lastName}.pdf`, sourceDocumentId: await client.uploadPdf() },
  });
  const paid = await newTuition(person, { role: "student", partyId: student._id });
  const key = newKey();
  expect((await client.submit(paid.id, key)).status).toBe(200);
  const commission = await commissionOf(client, paid.id);
  if (commission === undefined) throw new Error("The payment earned no commission");
  const request = await mustRequest(client, [commission]);
  const month = commission.paymentDate.slice(0, "yyyy-MM".length);
  await client.call("GET", `/v2/commissions/export?reportPeriod=${month}`);
  const draft = await newTuition(person, { role: "family", details: { ...person, payerType: "parent" } });
  const running = await newTuition(person, { role: "student", partyId: student._id }, "card");
  const { body: begun } = await client.submit<Data<Intent>>(running.id);
  const link = await publishLink(client);
  const session = await link.payer.sessionBody();
  const { paymentIntentId: child } = await link.payer.open({
    ...session,
    payerDetails: { ...Object(session.payerDetails), ...person },
    documentIds: [await link.payer.upload()],
  });
  await link.payer.waitForPayment(child, "completed");

  const payerDetails = { ...Object(session.payerDetails), ...person };
  const ofNobody = { ...session, payerDetails, quoteId: "77777777-7777-4777-8777-777777777777" };
  expect((await link.payer.askSession(ofNobody, newSecret())).status).toBe(404);
  const subject = { role: "student", details: person };
  const refund = await payFor(subject, (await fixedReceiptBody(client, "tenant_funded_refund")).body, person);
  const batch = await payFor(subject, payrollBody(2), person);

  const lives = [paid.id, draft.id, running.id, child, link.id, refund.id, batch.id];
  const toldOf = () =>
    Promise.all(lives.map((id) => client.must<Timeline>("GET", `/v2/payment-intents/${id}/timeline`)));
  const timelines = await toldOf();
  for (const mark of marksOf(person)) expect(tells(JSON.stringify(timelines), mark), mark).toBe(false);

  const before = await tracesOf(person);
  const out = join(folder, "export.zip");
  const answered = await operator.change("subjects", "export", ...TENANT, "--email", email.toLowerCase(), "--out", out);
  expect(answered).toMatchObject({ parties: 2, payments: 6, commissions: expect.any(Number) });
  const overwrite = ["subjects", "export", ...TENANT, "--email", email, "--out", out, "--reason", "asked again"];
  const refused = { code: 2, stderr: `${out} is there already: name a new file\n` };
  expect(await operator.run(...overwrite)).toMatchObject(refused);
  expect(await operator.run(...overwrite, "--out", join(out, "more.zip"))).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("more.zip cannot be written: ENOTDIR"),
  });
  const zip = unzipSync(readFileSync(out));
  const read = (name: string) => JSON.parse(strFromU8(zip[name] ?? new Uint8Array()));
  expect(read("parties.json")).toMatchObject([{ _id: student._id, lastName }, { _id: payer._id }]);
  expect(read("payments.json").map(({ id }: Intent) => id)).toEqual(
    expect.arrayContaining([paid.id, draft.id, running.id, child, refund.id, batch.id]),
  );
  // The export has every stored trace of the person.
  const exported = Object.values(zip)
    .map((bytes) => strFromU8(bytes, true))
    .join("\n");
  const kept = marksOf(person).filter((mark) => before.some((trace) => tells(trace, mark)));
  expect(kept).toEqual(marksOf(person));
  for (const own of ["student/", "order/", "emp/", '"who": "', '"whose": "'])
    expect(exported).toContain(`${own}${lastName}`);
  expect(kept.filter((mark) => !tells(exported, mark))).toEqual([]);
  expect(Object.keys(zip).filter((name) => name.startsWith("documents/"))).toHaveLength(5);

  const erased = () =>
    operator.run("subjects", "erase", ...TENANT, "--email", email, "--json", "--yes", "--reason", "ticket 7");
  const first = await erased();
  expect(first).toMatchObject({ code: 4, stderr: expect.stringContaining("Not all is erased") });
  expect(JSON.parse(first.stdout)).toEqual({ parties: 1, intents: 5, waiting: [running.id] });
  // The saved party of the payment that runs stays: only it may lead to the payment.
  const { payerIdentityDocumentId } = Object(running["instructions"]).manualPayment;
  const needed: string[] = [running.id, payerIdentityDocumentId, Object(running["payer"]).partyId];
  const ofOthers = (trace: string) => !needed.some((id) => trace.includes(id));
  expect((await tracesOf(person)).filter(ofOthers)).toEqual([]);
  await finishCheckout(begun.data.executions[0]?.checkoutUrl ?? "", "pay");
  await client.waitForStatus(running.id, "completed");
  const second = await erased();
  expect([second.code, JSON.parse(second.stdout)]).toMatchObject([0, { parties: 1, waiting: [] }]);

  expect(await tracesOf(person)).toEqual([]);
  await verify();
  // The timelines stay as they were, hash by hash, and so remain comparable.
  const after = await toldOf();
  for (const mark of marksOf(person)) expect(tells(JSON.stringify(after), mark), mark).toBe(false);
  for (const [index, { timeline }] of timelines.entries())
    expect(after[index]?.timeline.slice(0, timeline.length)).toEqual(timeline);
  const left = await commissionOf(client, paid.id);
  expect(left).toMatchObject({ ...commission, studentName: "erased", commissionRequestDate: expect.any(String) });
  const requested = await client.must<CommissionRequest>("GET", `/v2/commissions/requests/${request.requestId}`);
  expect(requested).toMatchObject({ totalAmount: request.totalAmount, payments: [{ studentName: "erased" }] });
  const again = await client.submit<Data<Intent>>(paid.id, key);
  expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([200, "true"]);
  expect(again.body.data.executions).toMatchObject([{ payer: {}, connectorPaymentIds: [commission.paymentId] }]);
  const entries = (await operator.auditOf("1001")).filter(({ action }) => action.startsWith("subjects."));
  const emailHash = createHash("sha256").update(email.toLowerCase()).digest("hex");
  expect(entries.map(({ action, data }) => ({ action, data }))).toEqual(
    ["export", "erase", "erase"].map((name) => ({ action: `subjects.${name}`, data: { emailHash } })),
  );
});

test("one saved party is erased by its id, and nobody else who shares its e-mail", async () => {
  const [person, other] = [newPerson("Mirabel"), newPerson("Odalys")];
  const email = `family.${Date.now()}@example.com`;
  const [mine, theirs] = [await client.newStudent({ ...person, email }), await client.newStudent({ ...other, email })];
  const [draft, kept] = await Promise.all(
    [mine, theirs].map(({ _id }) => newTuition(_id === mine._id ? person : other, { role: "student", partyId: _id })),
  );
  const erased = () => operator.change("subjects", "erase", ...TENANT, "--party", mine._id);
  expect(await erased()).toMatchObject({ parties: 1, intents: 1, waiting: [] });
  expect(await erased()).toMatchObject({ parties: 0, intents: 1, waiting: [] });
  expect(await client.must("GET", `/v2/students/${theirs._id}`)).toEqual(theirs);
  expect(await client.getIntent(kept?.id ?? "")).toEqual(kept);
  expect(await client.getIntent(draft?.id ?? "")).toMatchObject({ recipients: [{ reference: "erased" }] });
  expect(await tracesOf(person)).toEqual([]);
  await verify();
});

test("two people of one payment: the export of each tells nothing of the other, and both have what is theirs", async () => {
  const [payer, student] = [newPerson("Ottoline"), newPerson("Casimir")];
  const role = { role: "family", details: { ...payer, payerType: "parent" } };
  const about = { subject: { role: "student", details: student }, name: "Fees" };
  const { payerIdentityDocumentId } = Object(Object((await newTuition(payer, role))["instructions"]).manualPayment);
  const { body } = await tuition(client, { payer: role, changes: about });
  const manualPayment = { ...body.instructions.manualPayment, payerIdentityDocumentId };
  const split = (await splitBody(client)).body;
  for (const paid of [
    { ...body, instructions: { manualPayment } },
    { ...split, ...about, payer: role },
  ]) {
    const { id } = await create(client, paid);
    expect((await client.submit(id)).status).toBe(200);
    expect(await commissionOf(client, id)).toMatchObject({ studentName: `${student.firstName} ${student.lastName}` });
  }
  const exportOf = async ({ email }: Person) => {
    const out = join(folder, `${email}.zip`);
    await operator.change("subjects", "export", ...TENANT, "--email", email, "--out", out);
    return Object.values(unzipSync(readFileSync(out)))
      .map((bytes) => strFromU8(bytes, true))
      .join("\n");
  };
  const [ofPayer, ofStudent] = [await exportOf(payer), await exportOf(student)];
  expect(marksOf(student).filter((mark) => tells(ofPayer, mark))).toEqual([]);
  expect(marksOf(payer).filter((mark) => tells(ofStudent, mark))).toEqual([]);
  expect(marksOf(payer).filter((mark) => !tells(ofPayer, mark))).toEqual([]);
  expect(marksOf(student).filter((mark) => !tells(ofStudent, mark))).toEqual([]);
});

test("a download of a saved document leaves a trace, which tells the key, and nobody's name", async () => {
  const person = newPerson("Philomena");
  const { _id } = await client.newStudent(person);
  const path = `/v2/students/${_id}/documents`;
  const body = { ...savedDocumentBody, sourceDocumentId: await client.uploadPdf() };
  const { legacyDocumentId } = await client.must<{ legacyDocumentId: string }>("POST", path, { body });
  expect((await client.call("GET", `${path}/${"7".repeat(8)}-7777-4777-8777-777777777777/content`)).status).toBe(404);
  const { status, headers } = await client.call("GET", `${path}/${legacyDocumentId}/content`);
  expect(status).toBe(200);
  const out = join(folder, `${_id}.zip`);
  await operator.change("subjects", "export", ...TENANT, "--party", _id, "--out", out);
  await operator.change("subjects", "erase", ...TENANT, "--party", _id);
  const audit = await operator.run("audit", ...TENANT, "--reads-of", _id, "--json");
  const read = { at: expect.any(String), documentId: legacyDocumentId };
  const own = { ...read, by: "tenant", clientId: "demo", requestId: headers.get("x-request-id") };
  expect(JSON.parse(audit.stdout)).toEqual([
    { ...read, by: "export", operator: "olga", requestId: expect.any(String) },
    own,
  ]);

  // The tenant hears of the operator only that it was one, and another tenant hears nothing.
  const reads = (of: Client, query = "") => of.call<Reads>("GET", `/v2/document-reads?ownerId=${_id}${query}`);
  const { body: all } = await reads(client);
  expect(all.data.reads).toEqual([
    { id: expect.any(String), ...read, by: "operator" },
    { id: expect.any(String), ...own },
  ]);
  expect((await reads(basic)).body.data.reads).toEqual([]);
  const first = (await reads(client, "&limit=1")).body;
  expect([first.data.reads, first.hasMore]).toEqual([all.data.reads.slice(0, 1), true]);
  const second = (await reads(client, `&limit=1&after=${first.nextCursor}`)).body;
  expect([second.data.reads, second.hasMore]).toEqual([all.data.reads.slice(1), false]);
  expect((await reads(client, `&after=${second.nextCursor}`)).body.data.reads).toEqual([]);
  expect((await reads(client, "&after=first")).status).toBe(400);
});
type Reads = Readonly<{ data: Readonly<{ reads: readonly object[] }>; hasMore: boolean; nextCursor: string }>;

test("who is meant has to be said once, and a reason must not tell who it is", async () => {
  const refused = async (...args: readonly string[]) =>
    (await operator.run("subjects", "erase", ...TENANT, ...args)).stderr;
  expect(await refused("--yes", "--reason", "x")).toContain("--email or --party");
  expect(await refused("--email", "", "--yes", "--reason", "x")).toContain("--email or --party");
  for (const unknown of [
    ["--party", "0".repeat(24)],
    ["--email", "nobody@nowhere.example"],
  ]) {
    const run = await operator.run("subjects", "erase", ...TENANT, ...unknown, "--yes", "--reason", "ticket 7");
    expect(run).toMatchObject({ code: 4, stderr: "Nobody was found, or nothing is left\n" });
    const out = join(folder, "nobody.zip");
    const exported = ["subjects", "export", ...TENANT, ...unknown, "--out", out, "--reason", "ticket 7"];
    expect(await operator.run(...exported)).toMatchObject({ code: 4, stderr: "Nobody was found\n" });
    expect(existsSync(out)).toBe(false);
  }
  expect(await refused("--email", "a@b.example", "--party", "x")).toContain("cannot be used with");
  expect(await refused("--email", "a@b.example", "--yes")).toContain("--reason");
  expect(await refused("--email", "a@b.example", "--yes", "--reason", "A@B.example asks")).toContain("must not tell");
  const theirs = { firstName: "Rut", lastName: "Ekdal", email: "rut@b.example", countryCode: "NO" };
  const { _id: id } = await client.must<{ _id: string }>("POST", "/v2/students", { body: theirs });
  for (const reason of ["rut@b.example asked", "for somebody@else.example", "asked by R. Ekdal"])
    expect(await refused("--party", id, "--yes", "--reason", reason), reason).toContain("must not tell");
});
