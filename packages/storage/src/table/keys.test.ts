import { describe, expect, test } from "vitest";
import { historyCopyKey } from "./key-owners.ts";
import { keysOf, OPERATOR } from "./keys.ts";
import { type RecordKind, type RecordKindName, recordKinds } from "./record-kinds.ts";
import * as keys from "./shared-keys.ts";

const own = keysOf("1001");
const id = "0193abcd0193abcd0193abcd";
const uuid = "0193abcd-0193-7abc-8abc-0193abcd0193";
const ref = { linkId: id, documentId: uuid };

type Builder = keyof typeof own | Exclude<keyof typeof keys, "changeKey" | "shardOf"> | "historyCopyKey";

/** The kind of what each key builder leads to, and keys that it makes; of records, the partition keys. */
const made: Readonly<Record<Builder, readonly [RecordKindName, ...string[]]>> = {
  tenant: ["tenant", own.tenant().PK],
  suspension: ["suspension", own.suspension().PK],
  intent: ["intent", own.intent(id).PK],
  timer: ["intent", own.timer(id).PK],
  response: ["intent", own.response(id).PK],
  leg: ["intent", own.leg(id, 1).PK],
  recipientExternalId: ["intent", own.recipientExternalId(id, "INV-7").PK],
  intentMetadata: ["metadata", own.intentMetadata(id).PK],
  ledger: ["ledger", own.ledger(id, "1").PK],
  audit: ["audit", own.audit(id, 1).PK, own.audit(OPERATOR, 0).PK],
  documentRead: ["documentRead", own.documentRead(id, "1").PK],
  reconciliation: ["reconciliation", own.reconciliation(id).PK],
  review: ["review", own.review(id).PK],
  correction: ["correction", own.correction(id, 1).PK],
  reissue: ["reissue", own.reissue(id).PK],
  party: ["party", own.party("STUDENT", id).PK, own.party("PAYER", id).PK],
  formerParty: ["party", own.formerParty("STUDENT", id).PK, own.formerParty("PAYER", id).PK],
  savedDocument: ["party", own.savedDocument("STUDENT", id, uuid).PK, own.savedDocument("PAYER", id, uuid).PK],
  document: ["document", own.document(uuid)?.PK ?? ""],
  payerDocument: ["payerDocument", own.payerDocument(ref).PK],
  documentOf: ["payerDocument", own.documentOf(ref)?.PK ?? ""],
  quote: ["quote", own.quote(id).PK],
  linkQuote: ["linkQuote", own.linkQuote(id, id).PK],
  linkSession: ["linkSession", own.linkSession(id, id).PK],
  payerSecret: ["payerSecret", own.payerSecret(id, "hash").PK],
  payerSource: ["payerSource", own.payerSource(id, "hash").PK],
  commission: ["commission", own.commission(7).PK],
  correctedCommission: ["commissionCorrection", own.correctedCommission(7, 1).PK],
  commissionRequest: ["commissionRequest", own.commissionRequest(id).PK],
  requestChunk: ["commissionRequest", own.requestChunk(id, 1).PK],
  keyBinding: ["idempotencyKey", own.keyBinding("hash").PK],
  proposal: ["proposal", own.proposal("digest").PK],
  counter: ["counter", own.counter("INTENT", 1).PK],
  event: ["event", own.event(1, "place").PK],
  webhook: ["webhook", own.webhook(id).PK],
  webhookProgress: ["webhook", own.webhookProgress(id).PK],
  webhookSecret: ["webhookSecret", own.webhookSecret(id).PK],
  delivery: ["delivery", own.delivery(id, "place").PK],
  waitingDeliveries: ["waitingDelivery", own.waitingDeliveries(id)],
  undelivered: ["undelivered", own.undelivered(id, "waiting"), own.undelivered(id, "failed")],
  outstanding: ["outstanding", own.outstanding()],
  requestsAtWork: ["requestsAtWork", own.requestsAtWork()],
  list: ["list", own.list("INTENT")],
  children: ["children", own.children(id)],
  facet: ["facet", own.facet(own.list("INTENT"), "draft")],
  ofExternalId: ["externalId", own.ofExternalId("INTENT", "INV-7"), own.ofExternalId("STUDENT", "a:/#b")],
  byEmail: ["partyEmail", own.byEmail("STUDENT", "a@example.com"), own.byEmail("PAYER", "a@example.com")],
  byFormerEmail: ["formerPartyEmail", own.byFormerEmail("STUDENT", "hash"), own.byFormerEmail("PAYER", "hash")],
  object: ["paymentFile", own.object("kept", uuid)],
  storedObject: ["savedFile", own.storedObject(`saved/1001/PAYER/${id}/${uuid}`, "saved")],
  savedFile: ["savedFile", own.savedFile("PAYER", id, uuid)],
  requestFile: ["requestFile", own.requestFile(id, uuid)],
  exportUpload: ["exportPart", own.exportUpload(uuid)],
  payerUpload: ["payerUpload", own.payerUpload(id, uuid)],
  keptPayerUpload: ["payerFile", own.keptPayerUpload(ref, id)],
  webhookRegisterKey: ["webhookRegister", keys.webhookRegisterKey("1001", id).PK],
  apiKeyKey: ["apiKey", keys.apiKeyKey("client").PK],
  linkKey: ["link", keys.linkKey("token").PK],
  payeeKey: ["payee", keys.payeeKey(7).PK],
  paymentKey: ["payment", keys.paymentKey(7).PK],
  cursorKey: ["cursor", keys.cursorKey("job").PK],
  railKey: ["railState", keys.railKey("rail address").PK],
  aloneKey: ["railState", keys.aloneKey("rail address", "e1").PK],
  partKey: ["intent", keys.partKey(own.intent(id), "RECIPIENTS").PK],
  maintenanceKey: ["maintenance", keys.maintenanceKey.PK],
  spreadKey: ["spread", keys.spreadKey.PK],
  dueShard: ["timer", keys.dueShard(1)],
  watchShard: ["watch", keys.watchShard(1)],
  tenantRegisterKey: ["tenantRegister", keys.tenantRegisterKey],
  registerKey: ["keyRegister", keys.registerKey("1001")],
  historyCopyKey: ["historyCopy", historyCopyKey(own.audit(id, 1), "{}"), historyCopyKey(own.ledger(id, "1"), "{}")],
};
/** Further areas of the bucket, whose builder takes them as an argument. */
const areas = { upload: own.object("tmp", uuid), exportFile: own.object("exports", uuid) };

const isLike = (key: string, pattern: string) => new RegExp(`^${pattern.replaceAll("*", ".+")}$`).test(key);
/** The kinds that a key belongs to at a place, but for those that limit a write to some attributes. */
const kindsAt = (place: string, key: string) =>
  Object.entries<RecordKind>(recordKinds).flatMap(([name, { at, like = [], unlike = [], only }]) =>
    at === place && !only && like.some((one) => isLike(key, one)) && !unlike.some((one) => isLike(key, one))
      ? [name]
      : [],
  );

test.each(Object.entries(made))("a key by %s is of its kind", (_, [kind, ...examples]) => {
  for (const key of examples) expect(kindsAt(recordKinds[kind].at, key), key).toContain(kind);
});

test.each(Object.entries(areas))("objects of the area of %s are a kind", (kind, key) => {
  expect(kindsAt("documents", key)).toEqual([kind]);
});

describe("a record", () => {
  test.each([
    ["to another tenant's file", `kept/1002/${uuid}`],
    ["to an area that is not asked for", `exports/1001/${uuid}`],
    ["to a tenant whose number begins alike", `kept/10011/${uuid}`],
    ["out of every area", uuid],
  ])("that leads %s is a fault", (_, objectKey) => {
    expect(() => own.storedObject(objectKey, "tmp", "kept")).toThrow("which is no object of its own");
  });
});
