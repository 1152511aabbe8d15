import { paymentTypes } from "@intents/domain/quotes/quote.ts";
import { purposes as allPurposes } from "@intents/domain/scenarios/scenario.ts";
import { describe, expect, test } from "vitest";
import { type Changes, openClient } from "./client.ts";
import { expectEnvelope, expectShape } from "./refusals.ts";
import { priceLinkBody, refusedFor } from "./scenarios-fixture.ts";
import { openService } from "./service-fixture.ts";
import { missingIn } from "./tuition.ts";

const { client, basic } = await openService();

const payeeBody = { name: "Harbour Supplies Ltd", countryCode: "GB", currencyCode: "GBP" };

describe("a payee", () => {
  test("gets a numeric id, is answered as it was sent, and read back alike", async () => {
    const payee = await client.must<{ id: number }>("POST", "/v2/payees", { body: payeeBody });
    expect(payee).toEqual({ ...payeeBody, id: expect.any(Number), createdAt: expect.any(String) });
    expect(Number.isSafeInteger(payee.id) && payee.id > 0).toBe(true);
    expect(await client.must("GET", `/v2/payees/${payee.id}`)).toEqual(payee);
  });

  test("may be one of the public directory, which every tenant sees", async () => {
    for (const asker of [client, basic]) {
      expect(await asker.must("GET", "/v2/payees/5001")).toMatchObject({
        id: 5001,
        countryCode: "AU",
        currencyCode: "AUD",
      });
    }
  });

  test("of the directory is in nobody's list", async () => {
    const { body } = await basic.call<{ data: { payees: object[] }; total: number }>("GET", "/v2/payees");
    expect(body).toEqual({ data: { payees: [] }, hasMore: false, count: 0, total: 0 });
  });

  test("may be of a stated kind, which lists find; those of the directory are schools", async () => {
    const payee = await client.must<{ id: number }>("POST", "/v2/payees", { body: { ...payeeBody, kind: "person" } });
    expect(payee).toMatchObject({ kind: "person" });
    const { payees } = await client.must<{ payees: object[] }>("GET", "/v2/payees?filter[kind]=person");
    expect(payees).toEqual([{ _id: payee.id, ...payee }]);
    expect(await client.must("GET", "/v2/payees/5001")).toMatchObject({ kind: "school" });
    expectShape(await client.call("POST", "/v2/payees", { body: { ...payeeBody, kind: "bank" } }), "kind");
  });

  test.each([
    ["education_provider", "company", false],
    ["education_provider", "person", false],
    ["education_provider", "school", true],
    ["education_provider", undefined, true],
    ["public_payee", "company", true],
  ])("in the role %s whose kind is %s can be paid: %s", async (role, kind, canBePaid) => {
    const body = { ...payeeBody, ...(kind !== undefined && { kind }) };
    const { id } = await client.must<{ id: number }>("POST", "/v2/payees", { body });
    const amount = { payeeAmount: "99.00", currency: "GBP" };
    const link = { ...priceLinkBody(), recipients: [{ role, connectorPayeeId: id, amount }] };
    const wrong = canBePaid ? [] : ["recipients.0.role"];
    expect(await missingIn(client, link)).toEqual(wrong);
    // Another tenant is not told of it: that the payee is not its own is said by its submit alone.
    expect(await missingIn(basic, link)).toEqual([]);
    const { status, missing } = await refusedFor(client, link);
    expect([status, missing ?? []]).toEqual([canBePaid ? 200 : 400, wrong]);
  });

  test("needs all of its fields, each in its form, and takes no others", async () => {
    const create = (changes: Changes) => client.call("POST", "/v2/payees", { body: { ...payeeBody, ...changes } });
    expectShape(await client.call("POST", "/v2/payees", { body: {} }), "name", "countryCode", "currencyCode");
    expectShape(
      await create({ name: "", countryCode: "GBR", currencyCode: "gbp" }),
      "name",
      "countryCode",
      "currencyCode",
    );
    expectShape(await create({ name: "x".repeat(141) }), "name");
    expectShape(await create({ id: 5001, bank: "x", tenantId: "1002" }), "id", "bank", "tenantId");
  });

  test.each(["0", "1", "5001.5", "5001x", "05001x", "1e3x", "nobody"])("with the id %s is 404", async (id) => {
    expectEnvelope(await client.call("GET", `/v2/payees/${id}`), 404, "[GEN9003]");
  });

  test.each(["5001.0", "05001", "0x1389", "5.001e3", "+5001", "%205001"])(
    "has one spelling of its id: %s is 404",
    async (id) => {
      expectEnvelope(await client.call("GET", `/v2/payees/${id}`), 404, "[GEN9003]");
    },
  );
});

describe("the caller", () => {
  test.each([
    { key: "demo", tenantId: 1001, permissions: 3 },
    { key: "basic", tenantId: 1002, permissions: 0 },
  ])("$key learns who it is and its tenant's id", async ({ key, tenantId, permissions }) => {
    const me = await openClient(client.url, `${key}:${key}-secret`).must<{ permissions: string[] }>(
      "GET",
      "/v2/users/me",
    );
    expect(me).toMatchObject({ clientId: key, paymentAccess: { tenantId } });
    expect(me.permissions).toHaveLength(permissions);
    expect(JSON.stringify(me)).not.toMatch(/secret|hash|gateway/i);
  });

  test("meets the same tenant id as the commission beneficiary of its quotes", async () => {
    const { variants } = await basic.newQuote();
    for (const variant of variants) expect(variant["commissionBeneficiaryId"]).toBe(1002);
  });
});

describe("lookups", () => {
  type Country = { countryCode: string; name: string; currencies: string[] };
  type Choice = { id: string; name: string };
  const lookUp = <Answer>(path: string) => client.call<{ data: Answer }>("GET", `/v2/lookup/${path}`);

  test("hold all 249 countries, each with a name and currencies; Bulgaria pays in euros", async () => {
    const { body, headers } = await lookUp<{ countries: Country[] }>("countries");
    const { countries } = body.data;
    expect(Object.keys(body.data)).toEqual(["countries"]);
    expect(countries).toHaveLength(249);
    expect(new Set(countries.map(({ countryCode }) => countryCode)).size).toBe(249);
    for (const country of countries) {
      expect(country).toEqual({
        countryCode: expect.stringMatching(/^[A-Z]{2}$/),
        name: expect.stringMatching(/\S/),
        currencies: expect.arrayContaining([expect.stringMatching(/^[A-Z]{3}$/)]),
      });
    }
    expect(countries.find(({ countryCode }) => countryCode === "BG")?.currencies).toEqual(["EUR"]);
    expect(headers.get("cache-control")).toBe("private, max-age=3600");
  });

  test("of purposes together are the purposes that an intent may have, `comission` included", async () => {
    const answers = await Promise.all(paymentTypes.map((type) => lookUp<{ purposes: Choice[] }>(`purposes/${type}`)));
    for (const { body, headers } of answers) {
      expect(Object.keys(body.data)).toEqual(["purposes"]);
      expect(headers.get("cache-control")).toBe("private, max-age=3600");
    }
    const choices = answers.flatMap(({ body }) => body.data.purposes);
    for (const choice of choices) expect(choice).toEqual({ id: expect.any(String), name: expect.stringMatching(/\S/) });
    const ids = new Set(choices.map(({ id }) => id));
    expect([...ids].toSorted()).toEqual([...allPurposes].toSorted());
    expect(ids).toContain("comission");
    expect(ids).not.toContain("commission");
  });

  test.each(paymentTypes)("of payer types for %s include student and parent", async (type) => {
    const { body } = await lookUp<{ payerTypes: Choice[] }>(`payer-types/${type}`);
    expect(Object.keys(body.data)).toEqual(["payerTypes"]);
    expect(body.data.payerTypes.map(({ id }) => id)).toEqual(expect.arrayContaining(["student", "parent"]));
    for (const choice of body.data.payerTypes)
      expect(choice).toEqual({ id: expect.any(String), name: expect.any(String) });
  });

  test.each(["purposes", "payer-types"])("of %s know three types, and say so to any other", async (lookup) => {
    for (const type of ["providers", "PROVIDER", "toString", "__proto__", "%20", "9".repeat(300)]) {
      expectShape(await client.call("GET", `/v2/lookup/${lookup}/${type}`), "type");
    }
    expectEnvelope(await client.call("GET", `/v2/lookup/${lookup}`), 404, "[GEN9003]");
  });

  test("of payment methods are those that quotes offer, for a seeded and for a created payee", async () => {
    const { id } = await client.newPayee();
    const { variants } = await client.newQuote();
    for (const payeeId of [5001, id]) {
      const { body, headers } = await lookUp<{ paymentMethods: { settlementMethod: string }[] }>(
        `payment-methods/${payeeId}`,
      );
      expect(Object.keys(body.data)).toEqual(["paymentMethods"]);
      const methods = body.data.paymentMethods;
      for (const method of methods)
        expect(method).toEqual({ settlementMethod: expect.any(String), displayName: expect.stringMatching(/\S/) });
      const offered = variants.map(({ settlementMethod }) => settlementMethod);
      expect(methods.map(({ settlementMethod }) => settlementMethod)).toEqual(expect.arrayContaining(offered));
      expect(headers.get("cache-control")).toBe("private, max-age=300");
    }
  });

  test.each(["1", "0", "-5001", "5001.5", "nobody", "9".repeat(40)])(
    "of payment methods for the payee %s are 404",
    async (id) => {
      expectEnvelope(await client.call("GET", `/v2/lookup/payment-methods/${id}`), 404, "[GEN9003]");
    },
  );
});
