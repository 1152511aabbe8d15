import { describe, expect, test } from "vitest";
import { BASIC, openClient } from "./client.ts";
import { openService } from "./service-fixture.ts";
import { create, dryRun, missingIn, newDraft, tuition } from "./tuition.ts";

const { client, service } = await openService();

type Body = Awaited<ReturnType<typeof tuition>>["body"];
type Made = Awaited<ReturnType<typeof tuition>>;
const at = "instructions.manualPayment";
const withManual = (body: Body, changes: object) => ({
  ...body,
  instructions: { manualPayment: { ...body.instructions.manualPayment, ...changes } },
});
const withRecipient = (body: Body, changes: object) => ({
  ...body,
  recipients: body.recipients.map((recipient, index) => (index === 0 ? { ...recipient, ...changes } : recipient)),
});
const without = (source: object, field: string) =>
  Object.fromEntries(Object.entries(source).filter(([name]) => name !== field));

/** A body that lacks one field, by the path under which dry-run must name it. */
const removals: readonly (readonly [string, (body: Body) => object])[] = [
  ["payer.partyId", (body) => ({ ...body, payer: { role: "student" } })],
  ["recipients", (body) => ({ ...body, recipients: [] })],
  ["recipients.0.role", (body) => ({ ...body, recipients: [without(body.recipients[0]!, "role")] })],
  [
    "recipients.0.connectorPayeeId",
    (body) => ({ ...body, recipients: [without(body.recipients[0]!, "connectorPayeeId")] }),
  ],
  ["recipients.0.amount.payerAmount", (body) => ({ ...body, recipients: [without(body.recipients[0]!, "amount")] })],
  ...["quoteId", "selectedQuoteVariantId", "purpose", "countryCode", "payerIdentityDocumentId"].map(
    (field): [string, (body: Body) => object] => [
      `${at}.${field}`,
      (body) => ({ ...body, instructions: { manualPayment: without(body.instructions.manualPayment, field) } }),
    ],
  ),
];

describe("dry-run", () => {
  test("finds nothing missing in a complete intent, and submit then passes", async () => {
    const { id } = await newDraft(client);
    expect((await dryRun(client, id)).rule).toEqual({ status: "enabled", missingRequirements: [] });
    expect((await client.submit(id)).status).toBe(200);
  });

  test.each(removals)(
    "names %s when that is missing, and nothing else; submit names the same",
    async (path, remove) => {
      const { body } = await tuition(client);
      const { id } = await create(client, remove(body));
      const { rule, requirements } = await dryRun(client, id);
      expect(rule).toEqual({ status: "enabled", missingRequirements: [path] });
      expect(requirements).toEqual([
        {
          path,
          reason: expect.stringMatching(/\w/),
          satisfiedBy: expect.stringMatching(/\w/),
          example: expect.anything(),
        },
      ]);
      const refused = await client.submit<{ code: string; details: object }>(id);
      expect([refused.status, refused.body.code]).toEqual([400, "[GEN9002]"]);
      expect(refused.body.details).toEqual({ missingRequirements: [path], requirements });
    },
  );

  test("names all that is missing at once, in a stable order", async () => {
    const missing = await missingIn(client, {
      useCase: "education_provider_tuition",
      deliveryMode: "manual",
      amountMode: "payer_fixed",
      payer: { role: "student" },
      recipients: [{}],
      termsAccepted: true,
    });
    expect(missing.toSorted()).toEqual(
      removals
        .map(([path]) => path)
        .filter((path) => path !== "recipients")
        .toSorted(),
    );
  });

  test("says the same each time and changes nothing", async () => {
    const { body } = await tuition(client);
    const { id } = await create(client, removals[0]![1](body));
    const before = await client.getIntent(id);
    const answers = await Promise.all(Array.from({ length: 5 }, () => dryRun(client, id)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await client.getIntent(id)).toEqual(before);
  });
});

describe("dry-run names", () => {
  const uuid = "3f0e5b0c-6c1e-4b1c-9f0a-2a9d1f1b7c55";
  const cases: readonly (readonly [string, string, (made: Made) => object | Promise<object>])[] = [
    ["a quote for another payee", `${at}.quoteId`, ({ body }) => withRecipient(body, { connectorPayeeId: 5010 })],
    ["an unknown quote", `${at}.quoteId`, ({ body }) => withManual(body, { quoteId: uuid })],
    [
      "a quote of another tenant",
      `${at}.quoteId`,
      async ({ body }) => withManual(body, { quoteId: (await openClient(service.url, BASIC).newQuote()).quoteId }),
    ],
    [
      "a variant that the quote does not have",
      `${at}.selectedQuoteVariantId`,
      ({ body }) => withManual(body, { selectedQuoteVariantId: 1 }),
    ],
    [
      "a variant by its place",
      `${at}.selectedQuoteVariantId`,
      ({ body }) => withManual(body, { selectedQuoteVariantId: "0" }),
    ],
    ["a country that is not the quote's", `${at}.countryCode`, ({ body }) => withManual(body, { countryCode: "AU" })],
    [
      "an unknown party",
      "payer.partyId",
      ({ body }) => ({ ...body, payer: { role: "student", partyId: "0198c0ffee00aabbccddeeff" } }),
    ],
    [
      "a party of another tenant",
      "payer.partyId",
      async ({ body }) => ({
        ...body,
        payer: { role: "student", partyId: (await openClient(service.url, BASIC).newStudent())._id },
      }),
    ],
    [
      "an unknown subject",
      "subject.partyId",
      ({ body }) => ({ ...body, subject: { role: "student", partyId: "nobody" } }),
    ],
    [
      "an unknown payee",
      "recipients.0.connectorPayeeId",
      ({ body }) => withRecipient(body, { connectorPayeeId: 4999 }),
    ],
    ["the role of a tenant", "recipients.0.role", ({ body }) => withRecipient(body, { role: "tenant" })],
    [
      "a split role of splits",
      "recipients.0.splitRole",
      ({ body }) => withRecipient(body, { splitRole: "tenant_commission" }),
    ],
    [
      "too many decimals",
      "recipients.0.amount.payerAmount",
      ({ body }) => withRecipient(body, { amount: { payerAmount: "100.001" } }),
    ],
    [
      "a third currency",
      "recipients.0.amount.currency",
      ({ body }) => withRecipient(body, { amount: { payerAmount: "5000.00", currency: "USD" } }),
    ],
    [
      "a total above the variant's limits",
      "recipients.totalAmount",
      ({ body }) => withRecipient(body, { amount: { payerAmount: "999999999.99" } }),
    ],
    [
      "an unknown document",
      `${at}.payerIdentityDocumentId`,
      ({ body }) => withManual(body, { payerIdentityDocumentId: uuid }),
    ],
    [
      "a document of another tenant",
      `${at}.payerIdentityDocumentId`,
      async ({ body }) =>
        withManual(body, { payerIdentityDocumentId: await openClient(service.url, BASIC).uploadPdf() }),
    ],
    [
      "a saved document's own id, which is not for payments",
      `${at}.payerIdentityDocumentId`,
      async ({ body, studentId }) =>
        withManual(body, {
          payerIdentityDocumentId: (await client.saveDocument(`/v2/students/${studentId}`)).legacyDocumentId,
        }),
    ],
    [
      "an unknown proof",
      "recipients.0.purposeProofDocumentId",
      ({ body }) => withRecipient(body, { purposeProofDocumentId: uuid }),
    ],
    [
      "one document named twice",
      "documents.uniqueDocumentIds",
      ({ body, documentId }) => withRecipient(body, { purposeProofDocumentId: documentId }),
    ],
    [
      "two recipients in one place",
      "recipients.order",
      ({ body }) => ({ ...body, recipients: [body.recipients[0], { ...body.recipients[0], order: 0 }] }),
    ],
    [
      "more recipients than the connector takes",
      "recipients.maxRecipients",
      ({ body }) => ({ ...body, recipients: Array.from({ length: 11 }, () => body.recipients[0]) }),
    ],
  ];

  test.each(cases)("%s: %s", async (_, path, spoil) => {
    const { id } = await create(client, await spoil(await tuition(client)));
    const { rule, requirements } = await dryRun(client, id);
    expect(rule.missingRequirements).toEqual([path]);
    expect(requirements[0]).toMatchObject({
      reason: expect.stringMatching(/\w/),
      satisfiedBy: expect.stringMatching(/\w/),
    });
    const refused = await client.submit<{ code: string; details: object }>(id);
    expect(refused.body).toMatchObject({ code: "[GEN9002]", details: { missingRequirements: [path] } });
  });

  test("a document that a submitted payment has used", async () => {
    const { body } = await tuition(client);
    const first = await create(client, body);
    const second = await create(client, body);
    expect((await dryRun(client, second.id)).rule.missingRequirements).toEqual([]);
    expect((await client.submit(first.id)).status).toBe(200);
    expect((await dryRun(client, second.id)).rule.missingRequirements).toEqual([`${at}.payerIdentityDocumentId`]);
  });

  test("an unconfirmed order of payouts where there are several payees", async () => {
    const { body } = await tuition(client, { payeeIds: [5001, 5010] });
    expect(await missingIn(client, body)).toEqual([]);
    const unconfirmed = withManual(body, { quotePayoutOrderConfirmed: false });
    expect(await missingIn(client, unconfirmed)).toEqual([`${at}.quotePayoutOrderConfirmed`]);
  });

  test("no field that is ignored, and reports those fields as ignored", async () => {
    const { body } = await tuition(client);
    const beside = {
      ...body,
      name: "No link",
      instructions: { ...body.instructions, paymentLink: { reference: "R" } },
    };
    const { rule, controls } = await dryRun(client, (await create(client, beside)).id);
    expect(rule.missingRequirements).toEqual([]);
    expect(controls["ignored"]).toEqual(["name", "instructions.paymentLink"]);
  });

  test("the field that blocks a scenario which the service does not execute", async () => {
    const { body } = await tuition(client);
    const { id } = await create(client, { ...body, amountMode: "recipient_fixed" });
    expect((await dryRun(client, id)).rule).toEqual({ status: "blocked", missingRequirements: ["amountMode"] });
    const refused = await client.submit<{ code: string; details: object }>(id);
    expect(refused.body).toMatchObject({ code: "[GEN9002]", details: { missingRequirements: ["amountMode"] } });
  });
});

test("filling in what is missing, one path after the other, removes exactly that path each time", async () => {
  const { body } = await tuition(client);
  const steps = removals.filter(([path]) => path.startsWith(at));
  let left = steps.map(([path]) => path);
  const manual: Record<string, unknown> = {};
  const missing = () => missingIn(client, { ...body, instructions: { manualPayment: manual } });
  expect((await missing()).toSorted()).toEqual(left.toSorted());
  for (const path of [...left].reverse()) {
    const field = path.slice(at.length + 1);
    manual[field] = (body.instructions.manualPayment as Record<string, unknown>)[field];
    left = left.filter((other) => other !== path);
    expect((await missing()).toSorted()).toEqual(left.toSorted());
  }
});
