import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { payee } from "../../test/intent-fixture.ts";
import { by, previewed, recipient, split } from "../../test/preview-fixture.ts";
import type { PaymentIntent } from "../intents/payment-intent.ts";
import { canonicalOf, type Preview } from "./preview.ts";

describe("the text that is hashed", () => {
  const text = canonicalOf(previewed(split));

  // A hash that was given out before a deployment must hold after it.
  test("is written by the names of the fields, in every version of the service that calls it by this number", () => {
    const sum = { currency: "BRL", amount: "1.00" };
    const connector = { version: "2", provider: "sandbox", action: "pay" };
    expect(canonicalOf({ legs: [], delivered: [], debited: [sum], connector, charged: [] })).toBe(
      'preview 1 {"charged":[],"connector":{"action":"pay","provider":"sandbox","version":"2"},' +
        '"debited":[{"amount":"1.00","currency":"BRL"}],"delivered":[],"legs":[]}',
    );
  });

  test("is the same for the same plan, whatever its payment id is and whoever reads it", () => {
    expect(canonicalOf(previewed(split, by(), 8))).toBe(text);
    expect(canonicalOf(JSON.parse(JSON.stringify(previewed(split))) as Preview)).toBe(text);
  });

  const [school, tenant] = split.recipients;
  const other =
    (changes: Partial<PaymentIntent>, known = by()) =>
    () =>
      previewed({ ...split, ...changes }, known);
  const renamed = new Map([...by().payees, [1001, payee(1001, { name: "Renamed" })]]);
  const offer = { ...by().offer, provider: "another" };
  test.each<[string, () => Preview]>([
    ["an amount", other({ recipients: [recipient(5001, "4000.01"), tenant] })],
    ["what the payee gets for it", other({}, by({ payouts: [], fxRate: "0.26" }))],
    ["the rate", other({}, by({ fxRate: "0.26" }))],
    ["the spread", other({}, by({ spread: "0.007" }))],
    ["the fee", other({}, by({ fee: "20.01" }))],
    ["the payer's currency", other({}, by({ fromCurrency: "EUR" }))],
    ["the payee", other({ recipients: [recipient(5002, "4000.00"), tenant] })],
    ["a payee's name", other({}, { ...by(), payees: renamed })],
    ["the quote", other({}, by({}, { quoteId: crypto.randomUUID() }))],
    ["the quote's end", other({}, by({}, { expiresOn: new Date(0).toISOString() }))],
    ["the way to pay", other({}, by({ settlementMethod: "card" }))],
    ["its channel", other({}, by({ settlementChannel: "checkout" }))],
    ["the terms of the commission", other({}, by({}, { commissionSpread: "0.02" }))],
    ["the rail", other({}, { ...by(), offer })],
    [
      "the order",
      other({
        recipients: [
          { ...school, order: 2 },
          { ...tenant, order: 1 },
        ],
      }),
    ],
    ["what a leg is booked as", other({ recipients: [school, { ...tenant, splitRole: "tenant_commission" }] })],
    ["a reference", other({ recipients: [{ ...school, reference: "term 1" }, tenant] })],
  ])("changes with %s", (_, change) => {
    expect(canonicalOf(change())).not.toBe(text);
  });

  const words = fc.string({ maxLength: 6 });
  const sum = fc.record({ currency: words, amount: words });
  const leg = fc.record(
    {
      order: fc.nat(3),
      payeeId: fc.nat(3),
      payeeName: words,
      payerAmount: words,
      payeeAmount: words,
      reference: words,
    },
    { requiredKeys: ["order", "payeeId"] },
  );
  const previews = fc.record(
    {
      connector: fc.record({ provider: words, action: words, version: words }),
      ...{ quoteId: words, validUntil: words, legs: fc.array(leg, { maxLength: 2 }) },
      debited: fc.array(sum, { maxLength: 2 }),
      charged: fc.array(sum, { maxLength: 1 }),
    },
    { requiredKeys: ["connector", "debited", "legs"] },
  ) as unknown as fc.Arbitrary<Preview>;
  const shuffled = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shuffled);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([name, part]) => [name, shuffled(part)]),
    );
  };

  test("does not depend on the order in which fields were written", () => {
    fc.assert(
      fc.property(previews, (preview) => {
        expect(canonicalOf(shuffled(preview) as Preview)).toBe(canonicalOf(preview));
      }),
    );
  });

  test("tells everything, so that no two previews share it", () => {
    fc.assert(
      fc.property(previews, (preview) => {
        const [, version, json = ""] = /^(preview \d+) (.*)$/s.exec(canonicalOf(preview)) ?? [];
        expect(version).toBe("preview 1");
        expect(JSON.parse(json)).toEqual(preview);
      }),
    );
  });
});
