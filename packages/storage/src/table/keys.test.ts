import { describe, expect, test } from "vitest";
import { type KeyName, keyKinds } from "./key-kinds.ts";
import { historyCopyKey } from "./key-owners.ts";
import { keysOf, OPERATOR } from "./keys.ts";
import * as keys from "./shared-keys.ts";

const own = keysOf("1001");
const id = "0193abcd0193abcd0193abcd";
const uuid = "0193abcd-0193-7abc-8abc-0193abcd0193";
const ref = { linkId: id, documentId: uuid };

/** The builder's keys of each kind; of records, the partition keys. */
const made: Readonly<Record<Exclude<KeyName, `parse${string}` | "SWEPT">, readonly string[]>> = {
  tenant: [own.tenant().PK],
  suspension: [own.suspension().PK],
  intent: [own.intent(id).PK],
  writtenIntent: [own.writtenIntent(id).PK],
  awaitedIntent: [own.awaitedIntent(id).PK],
  timer: [own.timer(id).PK],
  response: [own.response(id).PK],
  leg: [own.leg(id, 1).PK],
  intentMetadata: [own.intentMetadata(id).PK],
  recipientExternalId: [own.recipientExternalId(id, "INV-7").PK],
  writtenLeg: [own.writtenLeg(id, 1).PK],
  ledger: [own.ledger(id, "1").PK],
  audit: [own.audit(id, 1).PK, own.audit(OPERATOR, 0).PK],
  documentRead: [own.documentRead(id, "1").PK],
  toldReads: [own.toldReads(id)],
  toldAudit: [own.toldAudit(id, 1).PK],
  toldLedger: [own.toldLedger(id, "1").PK],
  notedIntent: [own.notedIntent(id).PK],
  addedMetadata: [own.addedMetadata(id).PK],
  writtenMetadata: [own.writtenMetadata(id).PK],
  writtenReview: [own.writtenReview(id).PK],
  writtenReconciliation: [own.writtenReconciliation(id).PK],
  takenReissue: [own.takenReissue(id).PK],
  freedReissue: [own.freedReissue(id).PK],
  addedDocument: [own.addedDocument(uuid)?.PK ?? ""],
  addedPayerDocument: [own.addedPayerDocument(ref).PK],
  heldDocument: [own.heldDocument(uuid)?.PK ?? ""],
  heldPayerDocument: [own.heldPayerDocument(ref).PK],
  forgottenDocument: [own.forgottenDocument(ref)?.PK ?? "", own.forgottenDocument({ documentId: uuid })?.PK ?? ""],
  deletedSavedDocument: [
    own.deletedSavedDocument("STUDENT", id, uuid).PK,
    own.deletedSavedDocument("PAYER", id, uuid).PK,
  ],
  addedQuote: [own.addedQuote(id).PK],
  addedLinkQuote: [own.addedLinkQuote(id, id).PK],
  countedSource: [own.countedSource(id, "hash").PK],
  writtenCommission: [own.writtenCommission(7).PK],
  writtenCorrectedCommission: [own.writtenCorrectedCommission(7, 1).PK],
  addedBinding: [own.addedBinding("hash").PK],
  keptBinding: [own.keptBinding("hash").PK],
  freedBinding: [own.freedBinding("hash").PK],
  nudgedProgress: [own.nudgedProgress(id).PK],
  writtenDelivery: [own.writtenDelivery(id, "place").PK],
  toldEvent: [own.toldEvent(1, "place").PK],
  identifiedEvent: [own.identifiedEvent(1, "place").PK],
  strippedEvent: [own.strippedEvent(1, "place").PK],
  changedCounter: [own.changedCounter("INTENT", 1).PK],
  addedLinkKey: [keys.addedLinkKey("token").PK],
  changedLinkKey: [keys.changedLinkKey("token").PK],
  sweptKey: [keys.sweptKey("part").PK],
  movedSweptKey: [keys.movedSweptKey("part").PK],
  registeredWebhookKey: [keys.registeredWebhookKey("1001", id).PK],
  reconciliation: [own.reconciliation(id).PK],
  review: [own.review(id).PK],
  correction: [own.correction(id, 1).PK],
  reissue: [own.reissue(id).PK],
  party: [own.party("STUDENT", id).PK, own.party("PAYER", id).PK],
  writtenParty: [own.writtenParty("STUDENT", id).PK, own.writtenParty("PAYER", id).PK],
  formerParty: [own.formerParty("STUDENT", id).PK, own.formerParty("PAYER", id).PK],
  savedDocument: [own.savedDocument("STUDENT", id, uuid).PK, own.savedDocument("PAYER", id, uuid).PK],
  addedSavedDocument: [own.addedSavedDocument("STUDENT", id, uuid).PK, own.addedSavedDocument("PAYER", id, uuid).PK],
  document: [own.document(uuid)?.PK ?? ""],
  payerDocument: [own.payerDocument(ref).PK],
  quote: [own.quote(id).PK],
  linkQuote: [own.linkQuote(id, id).PK],
  linkSession: [own.linkSession(id, id).PK],
  payerSecret: [own.payerSecret(id, "hash").PK],
  payerSource: [own.payerSource(id, "hash").PK],
  commission: [own.commission(7).PK],
  correctedCommission: [own.correctedCommission(7, 1).PK],
  commissionRequest: [own.commissionRequest(id).PK],
  writtenRequest: [own.writtenRequest(id).PK],
  awaitedRequest: [own.awaitedRequest(id).PK],
  requestChunk: [own.requestChunk(id, 1).PK],
  requestsAtWork: [own.requestsAtWork()],
  keyBinding: [own.keyBinding("hash").PK],
  proposal: [own.proposal("digest").PK],
  counter: [own.counter("INTENT", 1).PK],
  partKey: [keys.partKey(own.intent(id), "RECIPIENTS").PK],
  writtenPartKey: [keys.writtenPartKey(own.intent(id), "RECIPIENTS").PK],
  event: [own.event(1, "place").PK],
  webhook: [own.webhook(id).PK],
  writtenWebhook: [own.writtenWebhook(id).PK],
  webhookProgress: [own.webhookProgress(id).PK],
  keptSecret: [own.keptSecret(id).PK],
  signingSecret: [own.signingSecret(id).PK],
  delivery: [own.delivery(id, "place").PK],
  waitingDeliveries: [own.waitingDeliveries(id)],
  undelivered: [own.undelivered(id, "waiting"), own.undelivered(id, "failed")],
  webhookRegisterKey: [keys.webhookRegisterKey("1001", id).PK],
  apiKeyKey: [keys.apiKeyKey("client").PK],
  linkKey: [keys.linkKey("token").PK],
  payeeKey: [keys.payeeKey(7).PK],
  addedPayeeKey: [keys.addedPayeeKey(7).PK],
  paymentKey: [keys.paymentKey(7).PK],
  takenPaymentKey: [keys.takenPaymentKey(7).PK],
  cursorKey: [keys.cursorKey("job").PK],
  railKey: [keys.railKey("rail address").PK],
  aloneKey: [keys.aloneKey("rail address", "e1").PK],
  maintenanceKey: [keys.maintenanceKey.PK],
  spreadKey: [keys.spreadKey.PK],
  outstanding: [own.outstanding()],
  list: [own.list("INTENT")],
  children: [own.children(id)],
  ofExternalId: [own.ofExternalId("INTENT", "INV-7"), own.ofExternalId("STUDENT", "a:/#b")],
  byEmail: [own.byEmail("STUDENT", "a@example.com"), own.byEmail("PAYER", "a@example.com")],
  byFormerEmail: [own.byFormerEmail("STUDENT", "hash"), own.byFormerEmail("PAYER", "hash")],
  facet: [own.facet(own.list("INTENT"), "draft"), own.facet(own.children(id), "draft")],
  dueShard: [keys.dueShard(1)],
  tenantRegisterKey: [keys.tenantRegisterKey],
  registerKey: [keys.registerKey("1001")],
  watchShard: [keys.watchShard(1)],
  "object tmp": [own.object("tmp", uuid)],
  savedFile: [own.savedFile("PAYER", id, uuid)],
  requestFile: [own.requestFile(id, uuid)],
  "object kept": [own.object("kept", uuid)],
  "object exports": [own.object("exports", uuid)],
  "storedObject tmp": [own.storedObject(`tmp/1001/${uuid}`, "tmp")],
  "storedObject kept": [own.storedObject(`kept/1001/${uuid}`, "tmp", "kept")],
  "storedObject saved": [own.storedObject(`saved/1001/PAYER/${id}/${uuid}`, "saved")],
  "storedObject requests": [own.storedObject(`requests/1001/${id}/${uuid}`, "requests")],
  historyCopyKey: [historyCopyKey(own.audit(id, 1), "{}"), historyCopyKey(own.ledger(id, "1"), "{}")],
  deletedUpload: [own.deletedUpload(uuid)],
  deletedSaved: [own.deletedSaved(`saved/1001/PAYER/${id}/${uuid}`)],
  deletedRequestFile: [own.deletedRequestFile(`requests/1001/${id}/${uuid}`)],
  exportUpload: [own.exportUpload(uuid)],
  payerUpload: [own.payerUpload(id, uuid)],
  readPayerUpload: [own.readPayerUpload(id, uuid)],
  keptPayerUpload: [own.keptPayerUpload(ref, id)],
  copiedPayerUpload: [own.copiedPayerUpload(ref, id)],
  deletedPayerUpload: [own.deletedPayerUpload(ref, id)],
};

const toRegExp = (pattern: string) => new RegExp(`^${pattern.replaceAll("*", ".+")}$`);

test.each(Object.entries(made))("%s leads where its row says", (name, made) => {
  const rows = [keyKinds[name as KeyName]].flat();
  for (const key of made) {
    expect(
      rows.some(({ like }) => like.some((pattern) => toRegExp(pattern).test(key))),
      key,
    ).toBe(true);
    expect(
      rows.some(({ unlike = [] }) => unlike.some((pattern) => toRegExp(pattern).test(key))),
      key,
    ).toBe(false);
  }
});

describe("a record", () => {
  test.each([
    ["to another tenant's file", `kept/1002/${uuid}`],
    ["to an area that is not asked for", `exports/1001/${uuid}`],
    ["to a tenant whose number begins alike", `kept/10011/${uuid}`],
    ["out of every area", uuid],
  ])("that leads %s is a fault", (_, objectKey) => {
    expect(() => own.storedObject(objectKey, "tmp", "kept")).toThrow("which is no object of its own");
    expect(() => own.deletedSaved(objectKey)).toThrow("which is no object of its own");
    expect(() => own.deletedRequestFile(objectKey)).toThrow("which is no object of its own");
  });
});
