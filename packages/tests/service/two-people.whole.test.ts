import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type UseCase, useCases } from "@intents/domain/scenarios/scenario.ts";
import { strFromU8, unzipSync } from "fflate";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fileForm, type Intent, savedDocumentBody } from "./client.ts";
import { commissionOf, mustRequest } from "./commissions.ts";
import { publishLink, uploadForm } from "./links.ts";
import { marksOf, newPerson, type Person, tells } from "./people.ts";
import { allowanceBody, fixedReceiptBody, payrollBody, priceLinkBody, splitBody } from "./scenarios-fixture.ts";
import { openOperatedService } from "./service-fixture.ts";
import { create, newKey, tuition } from "./tuition.ts";

const { client, operator } = await openOperatedService();
const folder = mkdtempSync(join(tmpdir(), "two-people-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Two people, who take turns in each role of each flow. */
const people: readonly [Person, Person] = [newPerson("Wilhelmina"), newPerson("Bartholomew")];

const passportOf = ({ lastName }: Person) => new TextEncoder().encode(`%PDF-1.7 passport of ${lastName}`);
const upload = async (person: Person): Promise<string> =>
  (await client.must<{ documentId: string }>("POST", "/v2/documents", { form: fileForm(passportOf(person)) }))
    .documentId;
const subjectOf = (person: Person) => ({ subject: { role: "student", details: person }, name: "Fees" });
const family = (person: Person) => ({ role: "family", details: { ...person, payerType: "parent" } });

/** The intent of a body, paid. Its payer's document is `payer`'s, where it has one. */
async function paid(body: object, payer?: Person): Promise<Intent> {
  const { instructions } = body as Readonly<{ instructions: Readonly<{ manualPayment: object }> }>;
  const document = payer && { payerIdentityDocumentId: await upload(payer) };
  const manualPayment = { ...instructions.manualPayment, ...document };
  const { id } = await create(client, { ...body, instructions: { ...instructions, manualPayment } });
  const { status, body: answer } = await client.submit(id, newKey());
  expect([status, answer]).toMatchObject([200, {}]);
  return client.waitForStatus(id, ["completed", "failed"]);
}

let amounts = 300;
/** A link of the use case, about one person, which another one pays. */
async function linkFlow(useCase: UseCase, payer: Person, subject: Person): Promise<void> {
  const { recipients, ...body } = priceLinkBody(useCase);
  // A rail takes the same amount from two payers for a repeat.
  const priced = recipients.map((each) => ({ ...each, amount: { ...each.amount, payeeAmount: `${++amounts}.00` } }));
  const link = await publishLink(client, {}, { ...body, recipients: priced, ...subjectOf(subject) });
  const form = uploadForm(passportOf(payer));
  const { documentId } = (await link.payer.askUpload<{ data: { documentId: string } }>(form)).body.data;
  const session = { ...(await link.payer.sessionBody()), documentIds: [documentId] };
  const { paymentIntentId } = await link.payer.open({
    ...session,
    payerDetails: { ...session.payerDetails, ...payer },
  });
  await link.payer.waitForPayment(paymentIntentId, "completed");
}

/** Payments of each use case, in which one person pays, where a person does, and the other is who it is for. */
const flows: Readonly<Record<UseCase, (payer: Person, subject: Person) => Promise<unknown>>> = {
  education_provider_tuition: async (payer, subject) => {
    const { body } = await tuition(client, { payer: family(payer), changes: subjectOf(subject) });
    await linkFlow("education_provider_tuition", payer, subject);
    return paid(body, payer);
  },
  education_provider_tuition_with_tenant_split: async (payer, subject) =>
    paid({ ...(await splitBody(client)).body, ...subjectOf(subject), payer: family(payer) }, payer),
  supplier_payment: async (_, subject) =>
    paid({ ...(await fixedReceiptBody(client, "supplier_payment")).body, ...subjectOf(subject) }),
  tenant_funded_refund: async (_, subject) =>
    paid({ ...(await fixedReceiptBody(client, "tenant_funded_refund")).body, ...subjectOf(subject) }),
  payroll_payment: (_, subject) => paid({ ...payrollBody(2), ...subjectOf(subject) }),
  allowance_payment: async (payer, subject) =>
    paid({ ...(await allowanceBody(client)).body, ...subjectOf(subject), payer: family(payer) }, payer),
  generic_service_invoice: (payer, subject) => linkFlow("generic_service_invoice", payer, subject),
  owed_commission_invoice: (payer, subject) => linkFlow("owed_commission_invoice", payer, subject),
  legacy_transaction_reissue: async (payer, subject) => {
    const wanted = { payer: family(payer), reference: "SANDBOX-FAIL", changes: subjectOf(subject) };
    const { id: paymentIntentId } = await paid((await tuition(client, wanted)).body, payer);
    const { quoteId, variants, countryCode } = await client.newQuote();
    const manualPayment = { quoteId, selectedQuoteVariantId: variants[0].id, purpose: "undergraduate", countryCode };
    return paid(
      {
        ...{ useCase: "legacy_transaction_reissue", deliveryMode: "manual", amountMode: "legacy_reissue" },
        payer: { role: "family" },
        termsAccepted: true,
        instructions: { reissue: { paymentIntentId }, manualPayment },
      },
      payer,
    );
  },
};

/** All that the archive of a person tells. */
async function exportOf({ email }: Person): Promise<string> {
  const out = join(folder, `${newKey()}.zip`);
  await operator.change("subjects", "export", "--tenant", "1001", "--email", email, "--out", out);
  return Object.values(unzipSync(readFileSync(out)))
    .map((bytes) => strFromU8(bytes, true))
    .join("\n");
}

beforeAll(async () => {
  const saved = await Promise.all(people.map((person) => client.newStudent(person)));
  for (const [index, { _id }] of saved.entries()) {
    const sourceDocumentId = await upload(people[index] as Person);
    await client.must("POST", `/v2/students/${_id}/documents`, { body: { ...savedDocumentBody, sourceDocumentId } });
  }
  // One request for commissions holds those of both.
  const earned = await Promise.all(
    saved.map(async ({ _id }, index) => {
      const { body } = await tuition(client, { payer: { role: "student", partyId: _id } });
      return commissionOf(client, (await paid(body, people[index])).id);
    }),
  );
  await mustRequest(
    client,
    earned.flatMap((one) => one ?? []),
  );
});

test.each(useCases)("in %s each of two people has an archive that tells nothing of the other", async (useCase) => {
  const [one, other] = people;
  await flows[useCase](one, other);
  await flows[useCase](other, one);
  const archives = [await exportOf(one), await exportOf(other)] as const;
  for (const [index, own] of people.entries()) {
    const archive = archives[index] ?? "";
    const others = people[1 - index] as Person;
    expect(marksOf(others).filter((mark) => tells(archive, mark))).toEqual([]);
    expect(marksOf(own).filter((mark) => !tells(archive, mark))).toEqual([]);
    expect(archive).toContain(`passport of ${own.lastName}`);
  }
});
