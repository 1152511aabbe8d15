import { expect, test } from "vitest";
import { openService } from "./service-fixture.ts";
import { create, dryRun, newDraft, tuition } from "./tuition.ts";

// Over HTTP each rule has one case: packages/domain/src/requirements proves which paths every scenario names.

const { client } = await openService();

const at = "instructions.manualPayment";
type Refusal = Readonly<{ code: string; details: object }>;

test("a dry-run finds nothing missing in a complete draft, reports what is ignored, and submit then passes", async () => {
  const { id } = await newDraft(client, { changes: { name: "No link" } });
  const { rule, controls } = await dryRun(client, id);
  expect(rule).toEqual({ status: "enabled", missingRequirements: [] });
  expect(controls["ignored"]).toEqual(["name"]);
  expect((await client.submit(id)).status).toBe(200);
});

test("a dry-run gives the same answer each time and changes nothing, and submit names the same", async () => {
  const { body } = await tuition(client);
  const { id } = await create(client, { ...body, recipients: [] });
  const before = await client.getIntent(id);
  const answers = await Promise.all(Array.from({ length: 5 }, () => dryRun(client, id)));
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(await client.getIntent(id)).toEqual(before);
  const [{ rule, requirements } = await dryRun(client, id)] = answers;
  expect(rule).toEqual({ status: "enabled", missingRequirements: ["recipients"] });
  const text = expect.stringMatching(/\w/);
  expect(requirements).toEqual([{ path: "recipients", reason: text, satisfiedBy: text, example: expect.anything() }]);
  const refused = await client.submit<Refusal>(id);
  expect([refused.status, refused.body.code]).toEqual([400, "[GEN9002]"]);
  expect(refused.body.details).toEqual({ missingRequirements: ["recipients"], requirements });
});

test("a dry-run names each id that stands for nothing, at once", async () => {
  const { body } = await tuition(client);
  const unknown = "3f0e5b0c-6c1e-4b1c-9f0a-2a9d1f1b7c55";
  const { quoteId, ...manual } = body.instructions.manualPayment;
  const nobody = { role: "student", partyId: "0198c0ffee00aabbccddeeff" };
  const spoiled = {
    ...body,
    payer: nobody,
    subject: nobody,
    recipients: body.recipients.map((one) => ({ ...one, connectorPayeeId: 4999, purposeProofDocumentId: unknown })),
    instructions: { manualPayment: { ...manual, quoteId: unknown, payerIdentityDocumentId: quoteId } },
  };
  const { rule } = await dryRun(client, (await create(client, spoiled)).id);
  expect(rule.missingRequirements.toSorted()).toEqual([
    ...[`${at}.payerIdentityDocumentId`, `${at}.quoteId`, "payer.partyId", "recipients.0.connectorPayeeId"],
    ...["recipients.0.purposeProofDocumentId", "subject.partyId"],
  ]);
});

test("a dry-run names a document that a submitted payment has used", async () => {
  const { body } = await tuition(client);
  const [first, second] = [await create(client, body), await create(client, body)];
  expect((await dryRun(client, second.id)).rule.missingRequirements).toEqual([]);
  expect((await client.submit(first.id)).status).toBe(200);
  expect((await dryRun(client, second.id)).rule.missingRequirements).toEqual([`${at}.payerIdentityDocumentId`]);
});
