import { DeleteCommand, GetCommand } from "@aws-sdk/lib-dynamodb";
import { newRecordId } from "@intents/domain/ids.ts";
import { listReads } from "@intents/storage/audit/document-reads.ts";
import { findCommissions } from "@intents/storage/commissions/commissions.ts";
import { readFeed } from "@intents/storage/events/feed.ts";
import { listLegs } from "@intents/storage/intents/batch-legs.ts";
import { findByExternalId } from "@intents/storage/intents/external-ids.ts";
import { findAnswer } from "@intents/storage/intents/submissions.ts";
import { findLink } from "@intents/storage/links/links.ts";
import { verifyIntents, verifyTable } from "@intents/storage/operations/ledger-scan.ts";
import { addParty } from "@intents/storage/parties/parties.ts";
import { findReconciliations, reconciliationId } from "@intents/storage/reviews/reconciliation.ts";
import { findReviewState } from "@intents/storage/reviews/reviews.ts";
import { keysOf } from "@intents/storage/table/keys.ts";
import { afterAll, expect, test } from "vitest";
import { batchesOf } from "../../test/batch-fixture.ts";
import { failing, overtaken } from "../../test/fault-fixture.ts";
import { startPayers } from "../../test/session-fixture.ts";
import { createRequest, getRequest } from "../commissions/create-request.ts";
import { deleteParty } from "../documents/deletion.ts";
import { closeWith, planClose } from "../operations/correction.ts";
import { recordLateAnswer } from "../rails/late-outcomes.ts";
import type { Run } from "../run.ts";
import { eraseSubject } from "./erase.ts";
import { exportSubject } from "./export.ts";
import { documentsOf } from "./find.ts";

const { world, payers, stop } = await startPayers();
afterAll(stop);

const { run, table } = world;
const tenantId = "1001";
const keys = keysOf(tenantId);
const person = { firstName: "Zoe", lastName: "Quandorf", email: "zoe@example.com" };
const reader = { by: "export", operator: "olga", requestId: "request" } as const;
const erase = (as = run, email = person.email) => eraseSubject(as, { tenantId, email });

test("the references of a batch go with the person whom it is for, and its books still add up", async () => {
  const { runToEnd, expectSound } = batchesOf(world, 12);
  const { recipients } = await world.newBatch(3, ["for Zoe", "SANDBOX-FAIL"]);
  const { id } = await world.newDraft({
    ...{ useCase: "payroll_payment", deliveryMode: "bulk", amountMode: "mixed_composite" },
    payer: { role: "tenant" },
    subject: { role: "student", details: person },
    recipients: recipients.map((each, order) => ({ ...each, externalId: `zoe-${order}` })),
    instructions: { manualPayment: { countryCode: "AU", purpose: "other" } },
  });
  expect(await world.submit(id)).toMatchObject({ ok: true });
  const page = { before: undefined, limit: 9 };
  const ofRecipient = () => findByExternalId(table, { tenantId, externalId: "zoe-1" }, page);
  expect(await erase()).toMatchObject({ intents: 0, waiting: [id] });
  await runToEnd(id);
  expect(await ofRecipient()).toEqual([{ tenantId, id }]);
  expect(await erase()).toEqual({ parties: 0, intents: 1, waiting: [], failed: [] });
  const intent = await world.get(id);
  const legs = await listLegs(table, intent);
  for (const stored of [intent.recipients, intent.connectorPayment?.payouts, legs, await world.paymentsOf(id)])
    expect(JSON.stringify(stored)).not.toContain("Zoe");
  expect(intent.subject).toEqual({ role: "student" });
  expect(await ofRecipient()).toEqual([]);
  await expectSound(id);
});

/** The kind of each event about these intents, and the tenant's own id in it. */
async function eventsAbout(...ids: readonly string[]): Promise<string[]> {
  const page = await readFeed(table, tenantId, { limit: 1000 }, world.clock.ms + 60_000);
  const items = page.ok ? page.value.items : [];
  return items.flatMap(({ type, resource: { id }, externalId }) =>
    ids.includes(id) ? [`${type.split(".")[0]} ${externalId}`] : [],
  );
}

test("events tell the tenant's own id of a payment, its legs and its link until the person is erased", async () => {
  const email = "ove@else.example";
  const subject = { role: "student" as const, details: { ...person, email } };
  const link = await world.newLink({ subject, externalId: "link/7" });
  await world.submit(link.id);
  const paid = await world.newDraft({ payer: subject, externalId: "order/7" });
  await world.submit(paid.id);
  world.clock.ms += 60_000;
  await world.tick(paid.id);
  const shown = () => eventsAbout(link.id, paid.id);
  expect(new Set(await shown())).toEqual(
    new Set(["paymentIntent order/7", "leg order/7", "paymentIntent link/7", "paymentLink link/7"]),
  );
  expect(await erase(run, email)).toEqual({ parties: 0, intents: 2, waiting: [], failed: [] });
  expect(new Set(await shown())).toEqual(
    new Set(["paymentIntent undefined", "leg undefined", "paymentLink undefined"]),
  );
});

test("a review is exported with its payment, and its record is closed also after the person was erased", async () => {
  const email = "una@else.example";
  const details = { firstName: "Una", lastName: "Tarnby", phone: "+4512345678", email };
  const { id } = await world.newDraft({ payer: { role: "student", details } });
  expect(await world.submit(id)).toMatchObject({ ok: true });
  while ((await world.timerOf(id)) !== undefined) await world.tick(id);
  const { executions } = await world.get(id);
  const about = { tenantId, id, executionId: executions[0]?.executionId ?? "", askedAtMs: ++world.clock.ms };
  await recordLateAnswer(run, about, { kind: "settled", legs: [{ order: 0, outcome: "failed" }] });
  const exported = async () => (await exportSubject(run, { tenantId, email }, reader)).payments;
  expect(await exported()).toMatchObject([{ id, underReview: { about: ["contradicts_outcome"] } }]);
  // The person is erased before the record is closed, for which nothing of them is needed.
  expect(await erase(run, email)).toMatchObject({ intents: 1, waiting: [] });
  const [record] = await findReconciliations(table, tenantId, id);
  const planned = record && (await planClose(table, tenantId, reconciliationId(record), "cameBack"));
  if (planned?.ok !== true) throw new Error("No record that can be closed");
  const change = { operator: "olga", action: "reconciliation.close", reason: "ticket 7", atMs: run.now() };
  await closeWith(run, planned.value, change);
  const reviewState = await findReviewState(table, { tenantId, id });
  expect(reviewState).toMatchObject({ corrections: [{ order: 0, outcome: "cameBack" }] });
  expect((await verifyIntents(table, [{ tenantId, id }])).findings).toEqual([]);
});

test("a saved party stays as long as a payment runs that only it leads to", async () => {
  const partyId = newRecordId(1, run.random);
  const student = { firstName: "Ida", lastName: "Norup", countryCode: "BR", createdAt: "", updatedAt: "" };
  await addParty(table, tenantId, "STUDENT", { ...student, _id: partyId, email: "ida@else.example" });
  const details = { firstName: "Ida", lastName: "Norup", phone: "+4512345678" };
  const { id } = await world.newDraft({ payer: { role: "student", partyId, details } });
  expect(await world.submit(id)).toMatchObject({ ok: true });
  expect(await exportSubject(run, { tenantId, partyId }, reader)).toMatchObject({
    parties: [{ kind: "student", _id: partyId }],
    payments: [{ id }],
  });
  expect(await erase(run, "ida@else.example")).toEqual({ parties: 0, intents: 0, waiting: [id], failed: [] });
  world.clock.ms += 60_000;
  await world.tick(id);
  expect(await erase(run, "ida@else.example")).toEqual({ parties: 1, intents: 1, waiting: [], failed: [] });
  expect(JSON.stringify(await world.get(id))).not.toContain("Norup");
});

test("a payment that names a party by its id alone is found by the e-mail of a party that its tenant has deleted", async () => {
  const email = "Ola@else.example";
  const student = { firstName: "Ola", lastName: "Vikfors", countryCode: "BR", createdAt: "", updatedAt: "" };
  const newPayment = async () => {
    const partyId = newRecordId(world.clock.ms, run.random);
    await addParty(table, tenantId, "STUDENT", { ...student, _id: partyId, email });
    const details = { firstName: "Ola", lastName: "Vikfors", phone: "+4512345678" };
    const { id } = await world.newDraft({ payer: { role: "student", partyId, details } });
    expect(await world.submit(id)).toMatchObject({ ok: true });
    await deleteParty(run, { tenantId, kind: "STUDENT", partyId });
    return { id, partyId };
  };
  const [one, other] = [await newPayment(), await newPayment()];
  const { payments, documents } = await exportSubject(run, { tenantId, email }, reader);
  expect(payments).toHaveLength(2);
  // The drafts' documents are records without files here, which an export survives.
  expect(documents).toContainEqual(expect.objectContaining({ isGone: true }));
  const known = (id: string) =>
    table.db.send(new GetCommand({ TableName: table.name, Key: keys.formerParty("STUDENT", id) }));
  const { waiting } = await erase(run, email);
  expect(waiting.toSorted()).toEqual([one.id, other.id].toSorted());
  expect(JSON.stringify((await known(one.partyId)).Item).toLowerCase()).not.toContain("else.example");
  world.clock.ms += 60_000;
  await world.tick(one.id);
  expect(await erase(run, email)).toEqual({ parties: 0, intents: 1, waiting: [other.id], failed: [] });
  expect([(await known(one.partyId)).Item, (await known(other.partyId)).Item]).toEqual([undefined, expect.anything()]);
  await world.tick(other.id);
  expect(await erase(run, email)).toEqual({ parties: 0, intents: 1, waiting: [], failed: [] });
  expect((await known(other.partyId)).Item).toBeUndefined();
  expect(JSON.stringify([await world.get(one.id), await world.get(other.id)])).not.toContain("Vikfors");
});

test("references go in digits, too, and from what a link's payers are told; our own payment ids stay", async () => {
  const email = "lea@else.example";
  const subject = { role: "student" as const, details: { ...person, email } };
  const { id, publicLinkId = "" } = await world.newLink({
    subject,
    instructions: { paymentLink: { reference: "20239991234" } },
  });
  await world.submit(id);
  const paid = await world.newDraft({ payer: subject, reference: "20239991234" });
  await world.submit(paid.id);
  world.clock.ms += 60_000;
  await world.tick(paid.id);
  const { connectorPayment: before } = await world.get(paid.id);
  const answerOf = async () => (await findAnswer(table, tenantId, paid.id))?.body ?? "";
  for (const mark of ["20239991234", "Quandorf"]) expect(await answerOf()).toContain(mark);
  expect(await erase(run, email)).toEqual({ parties: 0, intents: 2, waiting: [], failed: [] });
  const link = await findLink(table, publicLinkId);
  expect(link?.terms).toMatchObject({ reference: "erased" });
  const { connectorPayment } = await world.get(paid.id);
  expect(connectorPayment?.reference).toBe(before?.reference);
  const left = [await world.get(id), await world.get(paid.id), link, await world.paymentsOf(paid.id), await answerOf()];
  expect(JSON.stringify(left)).not.toMatch(/20239991234|Quandorf/);
  expect(JSON.parse(await answerOf())).toMatchObject({ data: { id: paid.id, status: "executing" } });
});

test("documents that a payer uploads on a link are that payer's alone", async () => {
  const link = await payers.publish();
  const documentId = await payers.upload(link);
  const intent = await world.get(await payers.begin(link, { documentIds: [documentId] }));
  expect(documentsOf({ intent, roles: ["payer"] })).toEqual([{ linkId: link.intent.id, documentId }]);
  expect(documentsOf({ intent, roles: ["subject"] })).toEqual([]);
});

/** A worker before whose first deletion of a record something else happens. */
function deletingAfter(meanwhile: () => Promise<unknown>): Run {
  let happened: Promise<unknown> | undefined;
  const send = async (command: object) => {
    if (command instanceof DeleteCommand) {
      happened ??= meanwhile();
      await happened;
    }
    return table.db.send(command as never);
  };
  const db = new Proxy(table.db, { get: (target, name) => (name === "send" ? send : Reflect.get(target, name)) });
  return { ...run, table: { ...table, db } };
}

const newDraft = (email: string, externalId?: string) =>
  world.newDraft({
    payer: { role: "student", details: { ...person, email } },
    ...(externalId !== undefined && { externalId }),
  });

test("a draft that is submitted before its document is gone is paid, and erased after its end", async () => {
  const email = "ana@else.example";
  const { id } = await newDraft(email);
  const racing = deletingAfter(async () => expect(await world.submit(id)).toMatchObject({ ok: true }));
  expect(await erase(racing, email)).toEqual({ parties: 0, intents: 0, waiting: [id], failed: [] });
  world.clock.ms += 60_000;
  await world.tick(id);
  expect((await world.get(id)).status).toBe("completed");
  expect(await erase(run, email)).toEqual({ parties: 0, intents: 1, waiting: [], failed: [] });
  expect(await verifyTable(table)).toMatchObject({ problems: 0 });
});

test("a draft that is claimed before its document is gone keeps what only its end lets go", async () => {
  const email = "ina@else.example";
  const { id } = await newDraft(email, "order/8");
  const unanswered = world.telling({ kind: "unknown", reason: "lost" });
  const racing = deletingAfter(async () =>
    expect(await world.submit(id, undefined, unanswered)).toMatchObject({ failure: { kind: "outcome_unknown" } }),
  );
  expect(await erase(racing, email)).toEqual({ parties: 0, intents: 0, waiting: [id], failed: [] });
  expect(new Set(await eventsAbout(id))).toEqual(new Set(["paymentIntent order/8"]));
});

test("a draft that is submitted after its document is gone is refused, erased, and not paid", async () => {
  const email = "eva@else.example";
  const { id } = await newDraft(email);
  const racing = overtaken(run, async () => expect(await world.submit(id)).toMatchObject({ ok: false }));
  expect(await erase(racing, email)).toEqual({ parties: 0, intents: 1, waiting: [], failed: [] });
  expect(await world.paymentsOf(id)).toEqual([]);
});

/** Payments of one person, by details alone, that have ended. */
async function endedPayments(count: number, email: string): Promise<string[]> {
  const details = { firstName: "Pia", lastName: "Holm", email, phone: "+4512345678" };
  const ids: string[] = [];
  for (let made = 0; made < count; made++) {
    const { id } = await world.newDraft({ payer: { role: "student", details } });
    expect(await world.submit(id)).toMatchObject({ ok: true });
    world.clock.ms += 60_000;
    await world.tick(id);
    ids.push(id);
  }
  return ids;
}

test("a payment that fails to be erased for good keeps no other, and is named", async () => {
  const email = "pia@else.example";
  const [broken = "", ...others] = await endedPayments(3, email);
  const as = failing(run, (call) => call.startsWith("TransactWriteCommand") && call.includes(broken));
  const erased = await erase(as, email);
  expect(erased).toMatchObject({ intents: 2, waiting: [], failed: [{ about: broken }] });
  for (const id of others) expect(JSON.stringify(await world.get(id))).not.toContain("Holm");
  const unreachable = world.withRail({ forget: () => Promise.reject(new Error("The rail is down")) });
  expect(await erase(unreachable, email)).toMatchObject({ intents: 0, failed: [{ about: broken }] });
  expect(await erase(run, email)).toEqual({ parties: 0, intents: 1, waiting: [], failed: [] });
  expect(JSON.stringify(await world.get(broken))).not.toContain("Holm");
});

test("a request for commissions that cannot be rewritten is named, and a repetition erases the payment in it", async () => {
  const email = "per@else.example";
  const [id = ""] = await endedPayments(1, email);
  const paymentIds = (await world.get(id)).executions.flatMap(({ connectorPaymentIds }) => connectorPaymentIds);
  const [earned] = await findCommissions(table, tenantId, paymentIds);
  const wish = { paymentIds, commissionTotalAmount: earned?.commission.commissionAmount ?? "" };
  const created = await createRequest(run, tenantId, wish, undefined);
  if (!created.ok) throw new Error(created.failure.kind);
  const target = { tenantId, requestId: created.value.requestId };
  const { PK, SK } = keys.commissionRequest(target.requestId);
  const as = failing(run, (call) => call.startsWith("UpdateCommand") && call.includes(PK));
  expect(await erase(as, email)).toMatchObject({ intents: 0, waiting: [], failed: [{ about: `${PK} ${SK}` }] });
  expect(await erase(run, email)).toEqual({ parties: 0, intents: 1, waiting: [], failed: [] });
  expect(JSON.stringify(await getRequest(run, target))).not.toContain("Holm");
});

test("a document that fails to be read for good keeps nothing else out of an export, and is named", async () => {
  const email = "ola@other.example";
  const [broken = "", other = ""] = await endedPayments(2, email);
  const { payerIdentityDocumentId = "" } = (await world.get(broken)).instructions?.manualPayment ?? {};
  const as = failing(run, (call) => call.startsWith("GetObjectCommand") && call.includes(payerIdentityDocumentId));
  const exported = await exportSubject(as, { tenantId, email }, reader);
  expect(exported.failed).toMatchObject([{ about: `document ${payerIdentityDocumentId}` }]);
  expect(exported.payments).toHaveLength(2);
  expect(exported.documents).toHaveLength(1);
  expect(JSON.stringify(exported.payments)).toContain(other);
});

test("a document goes into no export without its trace, which tells who got it and outlives the person's erasure", async () => {
  const email = "ute@other.example";
  const [id = ""] = await endedPayments(1, email);
  const as = failing(run, (call) => call.startsWith("PutCommand") && call.includes("#READ#"));
  const { payerIdentityDocumentId: documentId = "" } = (await world.get(id)).instructions?.manualPayment ?? {};
  const untraced = await exportSubject(as, { tenantId, email }, reader);
  expect(untraced).toMatchObject({ failed: [{ about: `document ${documentId}` }], documents: [] });
  expect(await listReads(table, tenantId, id, 10)).toEqual([]);
  expect((await exportSubject(run, { tenantId, email }, reader)).documents).toHaveLength(1);
  await erase(run, email);
  expect(await listReads(table, tenantId, id, 10)).toEqual([{ at: expect.any(String), documentId, ...reader }]);
});
