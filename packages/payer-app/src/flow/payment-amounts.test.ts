import { referenceRates } from "@intents/domain/amounts/exchange-rates.ts";
import { addAmounts, compareAmounts, fromMinorUnits } from "@intents/domain/amounts/money.ts";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { planLinkOrder, planLinkSubmission } from "@intents/domain/links/link-payment.ts";
import { planPayouts, termsOf, toLinkQuoteAnswer, toPublicLink } from "@intents/domain/links/payment-link.ts";
import { toPayerSession } from "@intents/domain/links/payment-view.ts";
import { priceQuote } from "@intents/domain/quotes/pricing.ts";
import type { QuoteVariant } from "@intents/domain/quotes/quote.ts";
import { minorUnitsOf } from "@intents/domain/reference/currency.ts";
import { inOrder, type Recipient } from "@intents/domain/scenarios/draft.ts";
import { splitRoles } from "@intents/domain/scenarios/scenario.ts";
import { payee, quote as quoteFixture, storedIntent } from "@intents/domain/test/intent-fixture.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { NextAction, PaymentTerms, PublicLink, Quote } from "../api/wire.ts";
import { createI18n } from "../i18n.ts";
import { en } from "../messages/en.ts";
import { type Language, languages, pickSpeech } from "../messages/languages.ts";
import { amountFormOf } from "../server/amount-form.ts";
import { type Amounts, amountsOf } from "./payment-amounts.ts";

const currencies = ["AUD", "EUR", "JPY", "KWD"];
const countries = ["AU", "BR", "DE", "IN", "JP", "KW"];
const tenantId = "1001";

const recipient: fc.Arbitrary<Pick<Recipient, "role" | "splitRole">> = fc.oneof(
  fc.constantFrom<Pick<Recipient, "role">[]>({ role: "education_provider" }, { role: "tenant" }),
  fc.record({
    role: fc.constantFrom("education_provider", "public_payee", "tenant"),
    splitRole: fc.constantFrom(...splitRoles),
  }),
);
const parts = fc.array(fc.record({ recipient, weight: fc.integer({ min: 1, max: 1000 }) }), {
  minLength: 1,
  maxLength: 3,
});

/** A link at a set price or with shares, and its payer's entry in minor units. */
const links = fc
  .record({
    parts,
    isOpen: fc.boolean(),
    isReversed: fc.boolean(),
    currency: fc.constantFrom(...currencies),
    units: fc.integer({ min: 1, max: 10 ** 8 }),
  })
  .map(({ parts, isOpen, isReversed, currency, units }) => {
    const portions = parts.map(({ weight }) => weight);
    const sum = portions.reduce((left, right) => left + right, 0);
    const shares = portions.map((weight) => Math.floor((weight * 10_000) / sum));
    const left = 10_000 - shares.reduce((before, share) => before + share, 0);
    const recipients = parts.map(({ recipient, weight }, at): Recipient => {
      const portionBps = (shares[at] ?? 0) + (at === 0 ? left : 0);
      const payeeAmount = fromMinorUnits(BigInt(units * weight), currency);
      const order = isReversed ? parts.length - at : at;
      const amount = { currency, ...(isOpen ? { portionBps } : { payeeAmount }) };
      return { ...recipient, order, connectorPayeeId: 5001 + at, amount };
    });
    const link = storedIntent({
      useCase: isOpen ? "education_provider_tuition_with_tenant_split" : "education_provider_tuition",
      deliveryMode: "reusable_payment_link",
      amountMode: isOpen ? "free_entry_with_portions" : "fixed_payee_amounts",
      payer: { role: "unknown_link_payer" },
      status: "pending_link_payment",
      instructions: { paymentLink: {} },
      recipients,
    });
    return { link, entered: isOpen ? fromMinorUnits(BigInt(units), currency) : undefined, currency };
  });

const publicLinkOf = (link: PaymentIntent, payees: ReturnType<typeof payeesOf>) =>
  toPublicLink(termsOf(link, payees), { isClosed: false }, 0);

/** The link's payment by one variant, as it is stored. */
function paymentOf(link: PaymentIntent, variant: QuoteVariant, payees: ReturnType<typeof payeesOf>) {
  const details = { firstName: "Ana", lastName: "Silva", email: "ana@example.com" };
  const planned = planLinkSubmission(
    link,
    { quote: quoteFixture(), variant, documentIds: [] },
    { id: "019a00000000112233445566", details, source: "source" },
  );
  const rail = {
    variant,
    payees,
    payer: details,
    payerKey: "payer",
    connectorPaymentId: 7,
    returnUrl: "https://pay.example/pay/x",
  };
  const order = planLinkOrder(planned, rail);
  const child: PaymentIntent = {
    ...planned,
    status: "executing",
    executions: [
      {
        executionId: "e",
        connector: "sandbox",
        status: "executing",
        startedAt: planned.createdAt,
        connectorPaymentIds: [7],
        payer: details,
        currency: order.payerCurrency,
        fee: order.fee,
        legs: order.legs.map((leg) => ({ ...leg, splitRole: "other", status: "executing" })),
      },
    ],
    connectorPayment: {
      transactionBankDetails: { beneficiaryName: "Client Account", accountNumber: "1", bankName: "Bank" },
      reference: "7",
      dueDate: "2026-11-24",
      amount: order.totalAmount,
      currency: order.payerCurrency,
      payouts: [],
    },
  };
  return { child, order };
}

const payeesOf = (link: PaymentIntent) =>
  new Map(link.recipients.map(({ connectorPayeeId: id = 0 }) => [id, payee(id, { name: `Payee of ${id}` })] as const));

/** An answer as it arrives over the wire. */
const sent = <Wire>(answer: unknown): Wire => JSON.parse(JSON.stringify(answer)) as Wire;

const isSame = (shown: string | number | undefined, exact: string): boolean =>
  shown !== undefined && compareAmounts(String(shown), exact) === 0;

/** Which recipients are principal, written after the words of Decision 018 and not after the service's code. */
function principalsIn(link: PaymentIntent): boolean[] {
  const roles = inOrder(link.recipients).map(
    ({ role, splitRole }) => splitRole ?? (role === "tenant" ? "tenant_commission" : "principal_provider_amount"),
  );
  if (roles.includes("principal_provider_amount")) return roles.map((role) => role === "principal_provider_amount");
  return roles.map((role) => role === "other" || !roles.includes("other"));
}

const cases = links.chain(({ link, entered, currency }) =>
  fc.constantFrom(...countries).map((countryCode) => {
    const payees = payeesOf(link);
    const payouts = planPayouts(link, entered, payees);
    let ids = 900;
    const terms = { paymentType: "provider", tenantId, commissionSpread: "0.01", rail: { maxUsd: "2000000" } } as const;
    const request = { countryCode, ...terms };
    const priced = payouts.ok
      ? priceQuote({ ...request, payouts: payouts.value }, referenceRates, () => ids++)
      : undefined;
    const quote = priced?.ok ? { ...quoteFixture(), ...priced.value } : undefined;
    return { link, entered, currency, payees, quote };
  }),
);

describe("the page, the quote and the payment of every link agree to the last minor unit:", () => {
  test("on what each principal recipient gets, on the charges, and on the total", () => {
    fc.assert(
      fc.property(cases, ({ link, payees, quote, currency }) => {
        fc.pre(quote !== undefined);
        const publicLink = sent<PublicLink>(publicLinkOf(link, payees));
        const answer = sent<Quote>(toLinkQuoteAnswer(link, quote!, payees));
        const held = { quote: answer, untilMs: 0 };
        const principals = principalsIn(link);
        for (const [at, variant] of quote!.variants.entries()) {
          const { child, order } = paymentOf(link, variant, payees);
          const session = sent<{ payment: PaymentTerms; nextAction: NextAction }>(toPayerSession(child, {}));
          const settled = order.legs.filter((_, index) => principals[index]);
          const chosen = amountsOf(publicLink, { held, variant: answer.variants[at] });
          const agreed = amountsOf(publicLink, { terms: session.payment });

          const pages = [amountsOf(publicLink, { held }), agreed, ...(variantFits(answer, at) ? [chosen] : [])];
          for (const { recipients } of pages) {
            expect(recipients.map(({ name }) => name)).toEqual(settled.map(({ payeeName }) => payeeName));
            expect(recipients.map(({ gets }) => gets?.currency)).toEqual(settled.map(() => currency));
            for (const [index, { payeeAmount }] of settled.entries())
              expect(isSame(recipients[index]?.gets?.amount, payeeAmount)).toBe(true);
          }
          const others = order.legs.filter((_, index) => !principals[index]);
          const charges = addAmounts(order.fee, ...others.map(({ payerAmount }) => payerAmount));
          const paid = addAmounts(charges, ...settled.map(({ payerAmount }) => payerAmount));
          for (const page of pages.slice(1)) {
            expect(isSame(page.feesAndCharges?.least, charges)).toBe(true);
            expect(isSame(page.total?.most, paid)).toBe(true);
            expect([page.total?.currency, page.feesAndCharges?.currency]).toEqual([
              order.payerCurrency,
              order.payerCurrency,
            ]);
          }
          expect(isSame(order.totalAmount, paid)).toBe(true);
          expect(session.nextAction).toMatchObject({ amount: order.totalAmount, currency: order.payerCurrency });
        }
      }),
    );
  });

  test("a set price is shown before anything is chosen, and an open price is not shown", () => {
    fc.assert(
      fc.property(cases, ({ link, payees, quote, entered }) => {
        fc.pre(quote !== undefined);
        const page = amountsOf(sent<PublicLink>(publicLinkOf(link, payees)), {});
        const amounts = quote!.variants[0].payouts.filter((_, index) => principalsIn(link)[index]);
        expect(page.recipients).toHaveLength(amounts.length);
        for (const [index, { payeeAmount }] of amounts.entries()) {
          const gets = page.recipients[index]?.gets;
          if (entered === undefined) expect(isSame(gets?.amount, payeeAmount)).toBe(true);
          else expect(gets).toBeUndefined();
        }
      }),
    );
  });

  test("before a way to pay is chosen, the page shows the range of the charges and of the total", () => {
    fc.assert(
      fc.property(cases, ({ link, payees, quote }) => {
        fc.pre(quote !== undefined);
        const answer = sent<Quote>(toLinkQuoteAnswer(link, quote!, payees));
        const offered = amountsOf(sent<PublicLink>(publicLinkOf(link, payees)), {
          held: { quote: answer, untilMs: 0 },
        });
        const fitting = answer.variants.filter(({ isWithinLimits }) => isWithinLimits);
        const ends = (amounts: number[]) =>
          amounts.length === 0 ? undefined : [Math.min(...amounts), Math.max(...amounts)];
        const spanOf = (span: Amounts["total"]) => span && [span.least, span.most];
        expect(spanOf(offered.total)).toEqual(ends(fitting.map(({ fromAmount }) => fromAmount)));
        expect(spanOf(offered.feesAndCharges)).toEqual(ends(fitting.map(({ feesAndCharges }) => feesAndCharges)));
      }),
    );
  });
});

const variantFits = ({ variants }: Quote, at: number): boolean => variants[at]?.isWithinLimits === true;

test("nothing that is sent to a payer names another recipient or tells a share", () => {
  fc.assert(
    fc.property(cases, ({ link, payees, quote }) => {
      fc.pre(quote !== undefined);
      const sessions = quote!.variants.map((variant) => toPayerSession(paymentOf(link, variant, payees).child, {}));
      const text = JSON.stringify([publicLinkOf(link, payees), toLinkQuoteAnswer(link, quote!, payees), sessions]);
      const principals = principalsIn(link);
      const named = inOrder(link.recipients).map(({ connectorPayeeId }) =>
        text.includes(`Payee of ${connectorPayeeId}`),
      );
      expect(named).toEqual(principals);
      expect(text).not.toMatch(/portion|bps|splitRole|payeeId|"fee"|spread|commission/i);
    }),
  );
});

test.each(Object.keys(languages) as Language[])("in %s every amount is written to the last minor unit", (language) => {
  const minorUnits = Object.fromEntries(currencies.map((code) => [code, minorUnitsOf(code) ?? 2]));
  // The locale alone decides how figures are written, so that English texts will do.
  const speech = pickSpeech(language);
  const { money } = createI18n(speech, en, minorUnits);
  fc.assert(
    fc.property(fc.constantFrom(...currencies), fc.nat({ max: 10 ** 14 }), (currency, units) => {
      const amount = fromMinorUnits(BigInt(units), currency);
      const [, fraction = ""] = amount.split(".");
      const written = money(amount, currency);
      expect(written).toContain(currency);
      const digits = written.replace(/[^\d.,]/g, "");
      expect(digits.replace(/[.,]/g, "")).toBe(amount.replace(".", ""));
      if (fraction !== "")
        expect(digits.endsWith(`${amountFormOf(speech.locale, currency, fraction.length).point}${fraction}`)).toBe(
          true,
        );
      expect(isSame(amount, String(Number(amount)))).toBe(true);
    }),
  );
});
