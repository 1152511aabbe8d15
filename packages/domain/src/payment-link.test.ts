import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { minorUnitsOf } from "./currency.ts";
import { payee, quote, storedIntent } from "./intent-fixture.ts";
import { addAmounts, compareAmounts, fromMinorUnits } from "./money.ts";
import type { PaymentIntent, Recipient } from "./payment-intent.ts";
import { lockedCountryOf, planPayouts, statusOf, toLinkQuoteAnswer, toPublicLink } from "./payment-link.ts";

const linkOf = (changes: Partial<PaymentIntent>): PaymentIntent =>
  storedIntent({
    deliveryMode: "reusable_payment_link",
    amountMode: "fixed_payee_amounts",
    payer: { role: "unknown_link_payer" },
    status: "pending_link_payment",
    instructions: {},
    ...changes,
  });

const priced = (connectorPayeeId: number, payeeAmount: string, order?: number): Recipient => ({
  role: "education_provider",
  connectorPayeeId,
  amount: { payeeAmount, currency: "AUD" },
  ...(order !== undefined && { order }),
});

const shared = (portions: readonly number[], currency = "AUD") =>
  linkOf({
    useCase: "education_provider_tuition_with_tenant_split",
    amountMode: "free_entry_with_portions",
    recipients: portions.map((portionBps, index) => ({
      role: "education_provider",
      connectorPayeeId: 5001 + index,
      amount: { portionBps, currency },
    })),
  });

const payeesIn = (currencyCode = "AUD") =>
  new Map([5001, 5002, 5003].map((id) => [id, payee(id, { currencyCode })] as const));

describe("what a payer sees of a link", () => {
  test("is an allow-list: of all that stands on the intent, nothing else", () => {
    const link = linkOf({
      name: "Top secret",
      recipients: [
        { ...priced(5002, "10.5", 7), reference: "internal", purposeProofDocumentId: "p" },
        priced(5001, "90", 3),
      ],
      instructions: { paymentLink: { reference: "Fees", payFromCountryCode: "BR", isSingleUse: true } },
      publicLinkId: "token",
      auditHead: "head",
    });
    expect(toPublicLink(link, payeesIn())).toEqual({
      status: "open",
      recipientName: "School 5001",
      amountType: "fixed",
      amount: "100.50",
      currency: "AUD",
      recipients: [
        { name: "School 5001", amount: "90.00" },
        { name: "School 5002", amount: "10.50" },
      ],
      reference: "Fees",
      payFromCountryCode: "BR",
      payFromCountryLocked: false,
      isSingleUse: true,
    });
  });

  test("names shares instead of amounts when the payer enters the total", () => {
    const seen = toPublicLink(shared([9000, 1000]), payeesIn());
    expect(seen).toMatchObject({ amountType: "open", recipients: [{ portionBps: 9000 }, { portionBps: 1000 }] });
    expect(seen).not.toHaveProperty("amount");
  });

  test("says when it is closed, though its intent keeps its status", () => {
    const closed = linkOf({ recipients: [priced(5001, "1")], linkClosedAt: "2026-11-21T09:00:00.000Z" });
    expect([statusOf(closed), toPublicLink(closed, payeesIn()).status]).toEqual(["closed", "closed"]);
  });

  test.each([
    [{ payFromCountryCode: "BR", lockedFields: ["pay_from_country"] }, "BR"],
    [{ payFromCountryCode: "BR", lockedFields: [] }, undefined],
    [{ payFromCountryCode: "BR" }, undefined],
    [{ lockedFields: ["pay_from_country"] }, undefined],
  ] as const)("%j locks the country to %s", (paymentLink, country) => {
    expect(lockedCountryOf(linkOf({ instructions: { paymentLink } }))).toBe(country);
  });
});

describe("what is quoted for a link", () => {
  test("at a set price is what each recipient gets, in order", () => {
    const link = linkOf({ recipients: [priced(5002, "10.5", 7), priced(5001, "90", 3)] });
    const planned = planPayouts(link, undefined, payeesIn());
    const told = planned.ok && planned.value.map(({ payee: { id }, amount }) => ({ id, amount }));
    expect(told).toEqual([
      { id: 5001, amount: "90.00" },
      { id: 5002, amount: "10.50" },
    ]);
  });

  test("with shares sums to what the payer entered, in every currency", () => {
    const portions = fc
      .tuple(fc.integer({ min: 1, max: 9998 }), fc.integer({ min: 1, max: 9998 }))
      .filter(([first, second]) => first + second < 10_000)
      .map(([first, second]) => [first, second, 10_000 - first - second]);
    const currency = fc.constantFrom("JPY", "AUD", "KWD");
    fc.assert(
      fc.property(portions, currency, fc.integer({ min: 1, max: 10 ** 9 }), (shares, code, units) => {
        const entered = fromMinorUnits(BigInt(units), code);
        const planned = planPayouts(shared(shares, code), entered, payeesIn(code));
        if (!planned.ok) {
          expect(planned.failure).toMatchObject({ problems: [expect.stringMatching(/too small/)] });
          return;
        }
        const amounts = planned.value.map(({ amount }) => amount);
        expect(compareAmounts(addAmounts(...amounts), entered)).toBe(0);
        amounts.forEach((amount, index) => {
          const exact = (units * (shares[index] ?? 0)) / 10_000;
          expect(Math.abs(Number(amount) * 10 ** (minorUnitsOf(code) ?? 0) - exact)).toBeLessThan(1);
          expect(Number(amount)).toBeGreaterThan(0);
        });
      }),
    );
  });

  test.each([
    ["an open amount that nobody entered", shared([9000, 1000]), undefined],
    ["a fraction of a minor unit", shared([9000, 1000]), "10.001"],
    ["yen with decimals", shared([10_000], "JPY"), "10.5"],
    ["a share of nothing", shared([9999, 1]), "0.01"],
    ["more than a JSON number carries", shared([9000, 1000]), "900719925474099.31"],
    ["an amount where the link sets it", linkOf({ recipients: [priced(5001, "90")] }), "90"],
  ])("refuses %s, naming the amount", (_, link, entered) => {
    const planned = planPayouts(link, entered, payeesIn());
    expect(planned).toMatchObject({
      ok: false,
      failure: { kind: "shape", problems: [expect.stringMatching(/^amount /)] },
    });
  });

  test("pays the tenant its part in the link's currency, whatever its own is", () => {
    const payees = new Map([...payeesIn(), [1001, payee(1001, { currencyCode: "INR" })]]);
    const { recipients } = shared([9000]);
    const tenant: Recipient = { role: "tenant", connectorPayeeId: 1001, amount: { portionBps: 1000, currency: "AUD" } };
    const planned = planPayouts({ ...shared([9000]), recipients: [...recipients, tenant] }, "10", payees);
    expect(planned.ok && planned.value).toMatchObject([
      { payee: { id: 5001, currencyCode: "AUD" }, amount: "9.00" },
      { payee: { id: 1001, currencyCode: "AUD" }, amount: "1.00" },
    ]);
  });
});

test("a quote shows payers neither margins nor ids of who is paid", () => {
  const answer = toLinkQuoteAnswer(quote([5001]), payeesIn());
  expect(answer).toMatchObject({
    amount: 1000,
    currency: "AUD",
    payouts: [{ name: "School 5001", payerAmount: 4000 }],
  });
  expect(JSON.stringify(answer)).not.toMatch(/spread|marketRate|commission|Beneficiary|payeeId|paymentType|5001,|1001/);
});
