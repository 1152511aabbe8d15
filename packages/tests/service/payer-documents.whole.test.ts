import { describe, expect, test } from "vitest";
import { type ErrorBody, savedDocumentBody } from "./client.ts";
import { publishLink } from "./links.ts";
import { expectEnvelope, expectShape } from "./refusals.ts";
import { openService } from "./service-fixture.ts";
import { storedFiles } from "./stored-files.ts";
import { create, tuition } from "./tuition.ts";

const { client, service } = await openService();

describe("a payer's upload on a link", () => {
  test("is unknown to the link's tenant by its id, in every place that takes one, and serves its payer", async () => {
    const { payer } = await publishLink(client);
    const id = await payer.upload();

    const [student, saver] = await Promise.all([client.newStudent(), client.newPayer()]);
    for (const party of [`/v2/students/${student._id}`, `/v2/payers/${saver._id}`]) {
      const body = { ...savedDocumentBody, sourceDocumentId: id };
      const refused = await client.call("POST", `${party}/documents`, { body });
      expectShape(refused, "sourceDocumentId");
      expect(refused.body.message).toEqual(["sourceDocumentId must be the documentId of an upload"]);
      expectEnvelope(await client.call("POST", `${party}/documents/${id}/use`), 404, "[GEN9003]");
      expectEnvelope(await client.call("GET", `${party}/documents/${id}/content`), 404, "[GEN9003]");
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
      const refused = await client.submit<ErrorBody>(intent.id);
      expectEnvelope(refused, 400, "[GEN9002]");
      expect(refused.body.details).toMatchObject({ missingRequirements: [path] });
    }
    await payer.open({ ...(await payer.sessionBody()), documentIds: [id] });
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
});
