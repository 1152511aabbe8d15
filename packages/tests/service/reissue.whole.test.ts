import { describe, expect, test } from "vitest";
import { expectEnvelope } from "./refusals.ts";
import { openService } from "./service-fixture.ts";
import { create, dryRun, newDraft } from "./tuition.ts";

const { client: demo, basic } = await openService();

const reissueOf = async (paymentIntentId: string) => {
  const [quote, payerIdentityDocumentId] = await Promise.all([demo.newQuote(), demo.uploadPdf()]);
  return {
    useCase: "legacy_transaction_reissue",
    deliveryMode: "manual",
    amountMode: "legacy_reissue",
    payer: { role: "student" },
    instructions: {
      reissue: { paymentIntentId },
      manualPayment: {
        quoteId: quote.quoteId,
        selectedQuoteVariantId: quote.variants[0]?.id,
        purpose: "undergraduate",
        countryCode: quote.countryCode,
        payerIdentityDocumentId,
      },
    },
    termsAccepted: true,
  };
};

describe("a reissue", () => {
  test("pays a failed intent again: same payer and recipients, new quote", async () => {
    const { id } = await newDraft(demo, { reference: "SANDBOX-FAIL" });
    await demo.submit(id);
    const failed = await demo.waitForStatus(id, "failed");
    const draft = await create(demo, await reissueOf(failed.id));
    expect(draft["payer"]).toEqual(failed["payer"]);
    const [recipient] = failed["recipients"] as Record<string, unknown>[];
    expect(draft["recipients"]).toEqual([{ ...recipient, reference: "SANDBOX-FAIL reissued" }]);
    expect((await demo.submit(draft.id)).status).toBe(200);
    await demo.waitForStatus(draft.id, "completed");

    const again = await create(demo, await reissueOf(failed.id));
    expect((await dryRun(demo, again.id)).requirements).toMatchObject([
      { path: "instructions.reissue.paymentIntentId", reason: `The intent is paid again already, by ${draft.id}` },
    ]);
  });

  test("of an intent that was paid is refused, says so, and copies no recipient", async () => {
    const { id: paid } = await newDraft(demo, {});
    expect((await demo.submit(paid)).status).toBe(200);
    await demo.waitForStatus(paid, "completed");
    const { id, ...draft } = await create(demo, await reissueOf(paid));
    expect(draft["recipients"]).toEqual([]);
    const reason = "No money of the intent has failed or come back";
    expect((await dryRun(demo, id)).requirements).toContainEqual(
      expect.objectContaining({ path: "instructions.reissue.paymentIntentId", reason }),
    );
    expectEnvelope(await demo.submit(id), 400, "[GEN9002]");
  });

  test("without AllowLegacyReissue is contract_gated, and its submit [GEN9004]", async () => {
    const { id } = await create(basic, await reissueOf("0198c0ffee00aabbccddeeff"));
    expect((await dryRun(basic, id)).rule).toMatchObject({ status: "contract_gated" });
    expectEnvelope(await basic.call("POST", `/v2/payment-intents/${id}/submit`), 403, "[GEN9004]");
  });
});
