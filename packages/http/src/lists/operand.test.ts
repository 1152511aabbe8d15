import type { ListKind } from "@intents/domain/lists/resources.ts";
import { describe, expect, test } from "vitest";
import { filterOf, inJson, problemsOf, spellingsOf } from "../../test/filter-fixture.ts";

describe("values have the type of their field", () => {
  test.each<[string, object]>([
    ["filter[recipients.order]=7", { "recipients.order": 7 }],
    ["filter[recipients.0.order]=-7.5e1", { "recipients.0.order": -75 }],
    ["filter[termsAccepted]=true", { termsAccepted: true }],
    ["filter[name]=7&filter[status]=true", { name: "7", status: "true" }],
    ["filter[unheard.of]=7", { "unheard.of": "7" }],
    ["filter[recipients][$elemMatch][order][$in][]=1", { recipients: { $elemMatch: { order: { $in: [1] } } } }],
    ["filter[$nor][0][recipients.order][$not][$nin][]=1", { $nor: [{ "recipients.order": { $not: { $nin: [1] } } }] }],
    ["filter[executions][connectorPaymentIds][$all][]=1", { "executions.connectorPaymentIds": { $all: [1] } }],
    ["filter[lastConnectorPaymentId]=null&filter[name]=null", { lastConnectorPaymentId: null, name: "null" }],
    ["filter[createdAt]=2026-01-31", { createdAt: "2026-01-31T00:00:00.000Z" }],
    ["filter[createdAt][$gte]=2026-01-31T09:30", { createdAt: { $gte: "2026-01-31T09:30:00.000Z" } }],
    ["filter[createdAt]=2026-01-31T09:30:00.5%2B05:30", { createdAt: "2026-01-31T04:00:00.500Z" }],
    [
      "filter[statusHistory][at][$lt]=2028-02-29T23:59:59Z",
      { "statusHistory.at": { $lt: "2028-02-29T23:59:59.000Z" } },
    ],
    ["filter[payer.details.dob]=2000-01-31", { "payer.details.dob": "2000-01-31" }],
    ["filter[payer.details.dob][$lt]=2000-01-31T12:00Z", { "payer.details.dob": { $lt: "2000-01-31T12:00:00.000Z" } }],
  ])("%s", (query, expected) => {
    for (const spelling of spellingsOf(query)) expect(filterOf(spelling)).toEqual(expected);
  });

  test("of the resource that is listed; an id that nobody issued is looked for all the same", () => {
    expect(filterOf("filter[id]=7&filter[_id]=nobody", "PAYEE")).toEqual({ id: 7, _id: "nobody" });
    expect(filterOf("filter[id]=7&filter[_id]=8", "STUDENT")).toEqual({ id: "7", _id: "8" });
  });

  const date = "must be a date, such as 2026-01-31 or 2026-01-31T09:30:00Z";
  test.each([
    ...["abc", "", "0x10", "1,5", "Infinity", "1e999", "NaN"].map((value) => [
      "recipients.order",
      value,
      "must be a number",
    ]),
    ...["yes", "TRUE", "1", ""].map((value) => ["termsAccepted", value, "must be true or false"]),
    ...["2026-02-30", "2026-13-01", "2026-1-1", "31.01.2026", "1767225600000", "2026-01-31T25:00Z", ""].map((value) => [
      "createdAt",
      value,
      date,
    ]),
  ])("filter[%s] may not be %j", (field, value, problem) => {
    expect(problemsOf(`filter[${field}]=${value}`)).toEqual([`filter.${field} ${problem}`]);
    expect(problemsOf(`filter[$or][0][${field}][$in][]=${value}`)).toEqual([`filter.$or.0.${field}.$in ${problem}`]);
  });
});

describe("ids", () => {
  const uuid = "0a1b2c3d-0000-4000-8000-0a1b2c3d4e5f";
  const shouted = uuid.toUpperCase();

  test.each<[ListKind, string]>([
    ...["id", "_id", "payer.partyId", "subject.partyId", "createdFrom.paymentIntentId", "executionPlan.quoteId"].map(
      (path) => ["INTENT", path] as [ListKind, string],
    ),
    ["INTENT", "instructions.manualPayment.quoteId"],
    ["INTENT", "instructions.manualPayment.payerIdentityDocumentId"],
    ["INTENT", "recipients.purposeProofDocumentId"],
    ["INTENT", "recipients.0.purposeProofDocumentId"],
    ["INTENT", "payerChoice.documentIds"],
    ["STUDENT", "_id"],
    ["PAYER", "id"],
    ["COMMISSION_REQUEST", "requestId"],
    ["STUDENT", "someNewId"],
  ])("of %s %s have one spelling, however they are asked for", (kind, path) => {
    expect(filterOf(`filter[${path}]=${shouted}`, kind)).toEqual({ [path]: uuid });
    expect(filterOf(inJson({ [path]: { $in: [shouted] } }), kind)).toEqual({ [path]: { $in: [uuid] } });
    expect(filterOf(`filter[$or][0][${path}][$ne]=${shouted}`, kind)).toEqual({ $or: [{ [path]: { $ne: uuid } }] });
  });

  test("are not whatever looks like one", () => {
    for (const path of ["name", "recipients.reference", "executions.railPaymentId", "paid", "valid"])
      expect(filterOf(`filter[${path}]=${shouted}`)).toEqual({ [path]: shouted });
  });

  test("that nobody can have are null by that word, as numbers and dates are", () => {
    expect(filterOf("filter[payer.partyId]=null")).toEqual({ "payer.partyId": null });
  });
});
