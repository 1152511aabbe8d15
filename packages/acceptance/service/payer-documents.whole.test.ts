import { describe, expect, test } from "vitest";
import { type ErrorBody, savedDocumentBody } from "./client.ts";
import { publishLink } from "./links.ts";
import { expectEnvelope, expectShape } from "./refusals.ts";
import { openService } from "./service-fixture.ts";
import { storedFiles } from "./stored-files.ts";
import { create, dryRun, tuition } from "./tuition.ts";

const { client, service } = await openService();

/** Ways in which a tenant might spell the id of a payer's upload on its link. */
const spellings = {
  "its id": (_link: string, id: string) => id,
  "its id in capitals": (_link: string, id: string) => id.toUpperCase(),
  "its id behind the link's and a hyphen": (link: string, id: string) => `${link}-${id}`,
  "the same in capitals": (link: string, id: string) => `${link}-${id}`.toUpperCase(),
  "its id behind the link's and a number sign": (link: string, id: string) => `${link}#${id}`,
  "its id behind the link's and a slash": (link: string, id: string) => `${link}/${id}`,
  "its id behind the link's": (link: string, id: string) => `${link}${id}`,
};

describe("a payer's upload on a link", () => {
  test.each(Object.entries(spellings))(
    "is unknown to the link's tenant by %s, and serves its payer",
    async (_, spell) => {
      const { id: linkId, payer } = await publishLink(client);
      const documentId = await payer.upload();
      const id = spell(linkId, documentId);

      const [student, saver] = await Promise.all([client.newStudent(), client.newPayer()]);
      for (const party of [`/v2/students/${student._id}`, `/v2/payers/${saver._id}`]) {
        const body = { ...savedDocumentBody, sourceDocumentId: id };
        const refused = await client.call("POST", `${party}/documents`, { body });
        expectShape(refused, "sourceDocumentId");
        expect(refused.body.message).toEqual(["sourceDocumentId must be the documentId of an upload"]);
        const saved = `${party}/documents/${encodeURIComponent(id)}`;
        expectEnvelope(await client.call("POST", `${saved}/use`), 404, "[GEN9003]");
        expectEnvelope(await client.call("GET", `${saved}/content`), 404, "[GEN9003]");
      }

      const { body } = await tuition(client);
      const { instructions, recipients } = body;
      const identity = { manualPayment: { ...instructions.manualPayment, payerIdentityDocumentId: id } };
      const proofs = recipients.map((recipient) => ({ ...recipient, purposeProofDocumentId: id }));
      for (const [path, changes] of [
        ["instructions.manualPayment.payerIdentityDocumentId", { instructions: identity }],
        ["recipients.0.purposeProofDocumentId", { recipients: proofs }],
      ] as const) {
        const intent = await create(client, { ...body, ...changes });
        expect((await dryRun(client, intent.id)).rule.missingRequirements).toEqual([path]);
        const refused = await client.submit<ErrorBody>(intent.id);
        expectEnvelope(refused, 400, "[GEN9002]");
        expect(refused.body.details).toMatchObject({ missingRequirements: [path] });
      }

      const session = { ...(await payer.sessionBody()), documentIds: [documentId] };
      const { paymentIntentId } = await payer.open(session);
      await payer.waitForPayment(paymentIntentId, "completed");
      const again = await payer.askSession({ ...(await payer.sessionBody()), documentIds: [documentId] });
      expect(again.body.details).toMatchObject({ missingRequirements: ["documentIds.0"] });
    },
  );

  test("cannot be named by another link of the same tenant either", async () => {
    const { id: linkId, payer } = await publishLink(client);
    const documentId = await payer.upload();
    const { id: otherId } = await client.must<{ id: string }>("POST", "/v2/payment-intents", {
      body: {
        useCase: "generic_service_invoice",
        deliveryMode: "reusable_payment_link",
        amountMode: "fixed_payee_amounts",
        payer: { role: "unknown_link_payer" },
        recipients: [
          {
            role: "education_provider",
            connectorPayeeId: 5001,
            purposeProofDocumentId: `${linkId}-${documentId}`,
            amount: { payeeAmount: "5.00", currency: "AUD" },
          },
        ],
        termsAccepted: true,
      },
    });
    const refused = await client.submit<ErrorBody>(otherId);
    expectEnvelope(refused, 400, "[GEN9002]");
    expect(refused.body.details).toMatchObject({
      missingRequirements: expect.arrayContaining(["recipients.0.purposeProofDocumentId"]),
    });
    await payer.open({ ...(await payer.sessionBody()), documentIds: [documentId] });
  });
});

describe("of payers' uploads", () => {
  const keptOn = (linkId: string) => storedFiles(service.url, `payers/kept/1001/${linkId}/`);
  const tenUploads = (payer: { upload: () => Promise<string> }) =>
    Promise.all(Array.from({ length: 10 }, () => payer.upload()));

  test("nothing is kept when no session names it, or when its session is refused", async () => {
    const keptBefore = (await storedFiles(service.url, "payers/kept/")).length;
    const { id: linkId, payer } = await publishLink(client, { reference: "SANDBOX-DUPLICATE" });
    const documentIds = await tenUploads(payer);
    const session = { ...(await payer.sessionBody()), documentIds };
    expectShape(await payer.askSession({ ...session, selectedQuoteVariantId: 7 }), "selectedQuoteVariantId");
    const unknown = [...documentIds.slice(1), crypto.randomUUID()];
    expectEnvelope(await payer.askSession({ ...session, documentIds: unknown }), 404, "[GEN9003]");
    expectEnvelope(await payer.askSession(session), 409, "[PAY0003]");

    expect(await keptOn(linkId)).toEqual([]);
    expect(await storedFiles(service.url, "payers/kept/")).toHaveLength(keptBefore);
    // The uploads can still be used from the area that S3 empties by itself.
    expect(await storedFiles(service.url, `payers/tmp/1001/${linkId}/`)).toHaveLength(10);
    const again = { ...(await payer.sessionBody()), documentIds };
    expectEnvelope(await payer.askSession(again), 409, "[PAY0003]");
    expect(await keptOn(linkId)).toEqual([]);
  });

  test("those that a session names are kept, and no others", async () => {
    const { id: linkId, payer } = await publishLink(client);
    const [first = "", second = ""] = await tenUploads(payer);
    await payer.open({ ...(await payer.sessionBody()), documentIds: [second, first] });
    const kept = (await keptOn(linkId)).map((key) => key.split("/").at(-2));
    expect(kept.toSorted()).toEqual([first, second].toSorted());
  });

  test("nothing is kept for a session whose rail was not reached", async () => {
    const { id: linkId, payer } = await publishLink(client, { reference: "SANDBOX-UNAVAILABLE" });
    const documentIds = [await payer.upload()];
    const keptBefore = await storedFiles(service.url, "payers/kept/");
    expectEnvelope(await payer.askSession({ ...(await payer.sessionBody()), documentIds }), 503, "[PAY0001]");
    expect(await keptOn(linkId)).toEqual([]);
    expect(await storedFiles(service.url, "payers/kept/")).toEqual(keptBefore);
  });
});
