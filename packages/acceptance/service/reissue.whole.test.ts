import { describe, expect, test } from "vitest";
import { expectEnvelope } from "./refusals.ts";
import { withRecipient } from "./scenarios-fixture.ts";
import { openService } from "./service-fixture.ts";
import { create, dryRun, newDraft, tuition } from "./tuition.ts";

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

async function failedIntent(): Promise<string> {
  const { id } = await newDraft(demo, { reference: "SANDBOX-FAIL" });
  await demo.submit(id);
  await demo.waitForStatus(id, "failed");
  return id;
}

describe("a reissue", () => {
  test("pays a failed intent again: same payer and recipients, new quote", async () => {
    const failed = await demo.getIntent(await failedIntent());
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

  test("takes over the amount that the payer was to give, and not the amounts of the old quote", async () => {
    const { body, quote } = await tuition(demo, { reference: "SANDBOX-FAIL" });
    const [payout] = quote.payouts;
    const amount = { payerAmount: payout?.payerAmount.toFixed(2), payeeAmount: payout?.payeeAmount.toFixed(2) };
    const stated = withRecipient(body, 0, {}, { ...amount, currency: "AUD" });
    const { id } = await create(demo, stated);
    expect((await demo.submit(id)).status).toBe(200);
    await demo.waitForStatus(id, "failed");
    const draft = await create(demo, await reissueOf(id));
    expect(draft["recipients"]).toMatchObject([{ amount: { payerAmount: amount.payerAmount, currency: "BRL" } }]);
    expect(JSON.stringify(draft["recipients"])).not.toContain("payeeAmount");
    expect((await demo.submit(draft.id)).status).toBe(200);
  });

  test("of an intent that is still alive, or paid, is refused, says so, and copies no recipient", async () => {
    const { id: alive } = await demo.newTuitionIntent();
    const { id: paid } = await newDraft(demo, {});
    expect((await demo.submit(paid)).status).toBe(200);
    await demo.waitForStatus(paid, "completed");
    for (const [of, reason] of [
      [alive, "The intent is draft"],
      [paid, "No money of the intent has failed or come back"],
    ] as const) {
      const { id, ...draft } = await create(demo, await reissueOf(of));
      expect(draft["recipients"]).toEqual([]);
      const { requirements } = await dryRun(demo, id);
      expect(requirements).toContainEqual(
        expect.objectContaining({ path: "instructions.reissue.paymentIntentId", reason }),
      );
      expectEnvelope(await demo.submit(id), 400, "[GEN9002]");
    }
  });

  test("without AllowLegacyReissue is contract_gated, and its submit [GEN9004]", async () => {
    const { id } = await create(basic, await reissueOf("0198c0ffee00aabbccddeeff"));
    expect((await dryRun(basic, id)).rule).toMatchObject({ status: "contract_gated" });
    expectEnvelope(await basic.call("POST", `/v2/payment-intents/${id}/submit`), 403, "[GEN9004]");
  });
});
