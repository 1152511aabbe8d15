import { describe, expect, test } from "vitest";
import { commissionOf } from "./commissions.ts";
import { publishLink } from "./links.ts";
import { pay, refusedFor, shareLinkBody, splitBody, withRecipient } from "./scenarios-fixture.ts";
import { openService } from "./service-fixture.ts";
import { create, dryRun, missingIn } from "./tuition.ts";

const { client } = await openService();

/** The split role that each leg of an intent was booked as. */
const bookedAs = async (id: string) => {
  const [execution] = (await client.getIntent(id)).executions as unknown as { legs: { splitRole: string }[] }[];
  return execution?.legs.map(({ splitRole }) => splitRole);
};

describe("a leg of a split", () => {
  test("of a school is never booked as the tenant's part, nor that of the tenant as principal", async () => {
    const { body } = await splitBody(client);
    const cases = [
      [withRecipient(body, 0, { splitRole: "tenant_commission" }), "recipients.0.splitRole"],
      [withRecipient(body, 0, { splitRole: "tenant_tax_component" }), "recipients.0.splitRole"],
      [withRecipient(body, 1, { splitRole: "principal_provider_amount" }), "recipients.1.splitRole"],
    ] as const;
    for (const [wrong, path] of cases) {
      expect(await missingIn(client, wrong)).toEqual([path]);
      expect(await refusedFor(client, wrong)).toEqual({ status: 400, code: "[GEN9002]", missing: [path] });
    }
    const { controls, requirements } = await dryRun(client, (await create(client, cases[0][0])).id);
    expect(requirements[0]?.reason).toBe("This recipient can be paid as principal_provider_amount, other");
    expect(controls["allowedSplitRoles"]).toHaveLength(5);
  });

  test("of the tenant is its commission by default, and the principal earns another one", async () => {
    const { body } = await splitBody(client);
    const { id } = await pay(client, withRecipient(body, 1, { splitRole: undefined }));
    expect(await bookedAs(id)).toEqual(["principal_provider_amount", "tenant_commission"]);
    expect((await commissionOf(client, id))?.payerAmount).toBe(body.recipients[0]?.amount.payerAmount);
  });

  test("that is paid to an agent may be a commission, and is the tenant's part of the split", async () => {
    const { body } = await splitBody(client);
    const payouts = [5001, 5010].map((payeeId) => ({ payeeId, amount: 1500 }));
    const quote = await client.newQuote({ payouts, countryCode: "BR", paymentType: "provider" });
    const cut = { role: "public_payee", connectorPayeeId: 5010, splitRole: "tenant_commission" };
    const manualPayment = {
      ...body.instructions.manualPayment,
      quoteId: quote.quoteId,
      selectedQuoteVariantId: quote.variants[0].id,
      quotePayoutOrderConfirmed: true,
    };
    const { id } = await pay(client, { ...withRecipient(body, 1, cut), instructions: { manualPayment } });
    expect(await bookedAs(id)).toEqual(["principal_provider_amount", "tenant_commission"]);
  });
});

describe("a split", () => {
  test("without a principal or the tenant's part is refused, and the missing leg is named with an example", async () => {
    const { body } = await splitBody(client);
    const [school] = body.recipients;
    const whole = [{ ...school, amount: { ...school?.amount, portionBps: 10_000 } }];
    const cases = [
      [withRecipient(body, 0, { splitRole: "other" }), "recipients.principalLeg"],
      [{ ...body, recipients: whole }, "recipients.tenantLeg"],
    ] as const;
    for (const [wrong, path] of cases) {
      const { rule, requirements } = await dryRun(client, (await create(client, wrong)).id);
      expect([rule.missingRequirements, requirements[0]?.example]).toEqual([[path], expect.any(Object)]);
      expect((await refusedFor(client, wrong)).missing).toEqual([path]);
    }
  });

  test("by a link is judged and booked by the same table", async () => {
    const body = shareLinkBody();
    expect(await missingIn(client, withRecipient(body, 0, { splitRole: "tenant_commission" }))).toEqual([
      "recipients.0.splitRole",
    ]);
    const [school] = body.recipients;
    const whole = [{ ...school, amount: { ...school?.amount, portionBps: 10_000 } }];
    expect(await missingIn(client, { ...body, recipients: whole })).toEqual(["recipients.tenantLeg"]);
    const { payer } = await publishLink(client, {}, body);
    const { paymentIntentId } = await payer.open(await payer.sessionBody({ amount: "1000.00" }));
    expect(await bookedAs(paymentIntentId)).toEqual(["principal_provider_amount", "tenant_commission"]);
  });
});
