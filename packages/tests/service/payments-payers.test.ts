import { describe, expect, test } from "vitest";
import type { ErrorBody } from "./client.ts";
import { expectEnvelope } from "./refusals.ts";
import { fixedReceiptBody, pay, refusedFor } from "./scenarios-fixture.ts";
import { openService } from "./service-fixture.ts";
import { create, dryRun, missingIn, newDraft, tuition } from "./tuition.ts";

const { client } = await openService();

describe("payers without an email address", () => {
  const paying = async (details: object) => {
    const { id } = await newDraft(client, { payer: { role: "family", details } });
    return client.submit<ErrorBody>(id);
  };

  test("are told apart by their details: Bruno may pay what Ana has paid", async () => {
    const ana = { firstName: "Ana", lastName: "Silva" };
    expect((await paying(ana)).status).toBe(200);
    expect((await paying({ ...ana, firstName: "Bruno" })).status).toBe(200);
    expect((await paying({ ...ana, dob: "2001-02-03" })).status).toBe(200);
    expectEnvelope(await paying({ lastName: "SILVA", firstName: "ana" }), 409, "[PAY0003]");
  });

  test("are not taken for the tenant, who has paid the same", async () => {
    expect((await paying({ companyName: "Demo Education Group" })).status).toBe(200);
    expect((await paying({ companyName: "Another Group" })).status).toBe(200);
  });

  test("are not revealed by the key under which the rail knows them", async () => {
    const details = { firstName: "Unreadable", lastName: "Person" };
    expect((await paying(details)).status).toBe(200);
    const rail = await client.must<{ payments: object[] }>("GET", "/sandbox/payments?limit=1000");
    expect(JSON.stringify(rail)).not.toContain("unreadable");
  });
});

describe("inline details of a payer", () => {
  const naming = async (details: object) => {
    const { body } = await tuition(client);
    return { ...body, payer: { role: "student", details } };
  };

  test.each([
    [{ city: "X" }, ["payer.details.firstName", "payer.details.lastName"]],
    [{ email: "ana@example.com", firstName: "Ana" }, ["payer.details.lastName"]],
    [{ email: "ana@example.com", lastName: "Silva" }, ["payer.details.firstName"]],
  ])("name a person or a company: %j lacks %j, with an example", async (details, paths) => {
    const body = await naming(details);
    const { rule, requirements } = await dryRun(client, (await create(client, body)).id);
    expect(rule.missingRequirements).toEqual(paths);
    for (const { example, reason, satisfiedBy } of requirements) {
      expect([example, reason, satisfiedBy]).toEqual(Array(3).fill(expect.stringMatching(/\w/)));
    }
    expect(await refusedFor(client, body)).toEqual({ status: 400, code: "[GEN9002]", missing: paths });
  });

  test.each([
    { firstName: "Ana", lastName: "Lima" },
    { companyName: "Lima & Co", payerType: "business" },
  ])("that are %j are enough", async (details) => {
    expect((await pay(client, await naming(details))).status).toBe("executing");
  });

  test("need no name for the tenant or for a saved payer", async () => {
    const { body } = await fixedReceiptBody(client, "supplier_payment");
    expect(await missingIn(client, { ...body, payer: { role: "tenant", details: { city: "Sydney" } } })).toEqual([]);
    const { _id: partyId } = await client.newPayer();
    const { body: own } = await tuition(client);
    expect(await missingIn(client, { ...own, payer: { role: "agent", partyId } })).toEqual([]);
  });
});

describe("a subject", () => {
  test("with details has a name among them; a role alone says enough", async () => {
    const { body } = await tuition(client);
    const about = (subject: object) => ({ ...body, subject: { role: "student", ...subject } });
    const nameless = about({ details: { dob: "2010-05-06" } });
    expect(await missingIn(client, nameless)).toEqual(["subject.details.firstName"]);
    expect((await refusedFor(client, nameless)).missing).toEqual(["subject.details.firstName"]);
    expect(await missingIn(client, about({ details: { firstName: "Eva", dob: "2010-05-06" } }))).toEqual([]);
    expect((await pay(client, about({}))).status).toBe("executing");
  });
});
