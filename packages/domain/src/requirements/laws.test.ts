import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  facts,
  IDENTITY_ID,
  PROOF_ID,
  QUOTE_ID,
  quote,
  STUDENT_ID,
  storedIntent,
  tuition,
} from "../../test/intent-fixture.ts";
import { toMinorUnits } from "../amounts/money.ts";
import { planPaymentOrder } from "../intents/payment-order.ts";
import { documentsOf, type IntentDraft, type Recipient } from "../scenarios/draft.ts";
import { evaluateIntent } from "./evaluate.ts";
import type { Facts } from "./finding.ts";
import { selectedVariant } from "./quote-checks.ts";

type Node = { [key: string]: Node } | unknown[] | string | number | boolean;

/** The intent with `value` at a dotted path, or without anything there. */
function put(intent: IntentDraft, path: string, value?: unknown): IntentDraft {
  const copy = structuredClone(intent) as unknown as Record<string, Node>;
  const keys = path.split(".");
  const last = keys.pop() ?? "";
  let node = copy as Record<string, unknown>;
  for (const key of keys) {
    node[key] ??= {};
    node = node[key] as Record<string, unknown>;
  }
  if (value === undefined) delete node[last];
  else node[last] = value;
  return copy as unknown as IntentDraft;
}

const valueAt = (intent: IntentDraft, path: string): unknown =>
  path.split(".").reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], intent);

/** The store's facts about the things that the intent names. */
function factsFor(intent: IntentDraft, payeeIds: readonly number[]): Facts {
  const { quote: _quote, ...known } = facts();
  return intent.instructions?.manualPayment?.quoteId === QUOTE_ID ? { ...known, quote: quote(payeeIds) } : known;
}
const missing = (intent: IntentDraft, payeeIds: readonly number[]) =>
  evaluateIntent(intent, factsFor(intent, payeeIds)).rule.missingRequirements;

const amount = fc.integer({ min: 5000, max: 1_000_000 }).map((cents) => (cents / 100).toFixed(2));

/** A complete intent with one to three payees, and the payees that its quote is for. */
const complete = fc
  .tuple(
    fc.shuffledSubarray([5001, 5002, 5003], { minLength: 1 }),
    fc.array(amount, { minLength: 3, maxLength: 3 }),
    fc.boolean(),
  )
  .map(([payeeIds, amounts, byDetails]) => {
    const recipients = payeeIds.map(
      (connectorPayeeId, index): Recipient => ({
        role: index === 1 ? "public_payee" : "education_provider",
        connectorPayeeId,
        amount: { payerAmount: amounts[index] ?? "100" },
      }),
    );
    const intent: IntentDraft = {
      ...tuition,
      recipients,
      payer: {
        role: "student",
        ...(byDetails ? { details: { firstName: "Ana", lastName: "Silva" } } : { partyId: STUDENT_ID }),
      },
      instructions: { manualPayment: { ...tuition.instructions.manualPayment, quotePayoutOrderConfirmed: true } },
    };
    return { intent, payeeIds };
  });

const fields = ["quoteId", "selectedQuoteVariantId", "purpose", "countryCode", "payerIdentityDocumentId"];

/** Everything that a complete intent could lack, as dotted paths. */
const removable = ({ intent, payeeIds }: { intent: IntentDraft; payeeIds: readonly number[] }): string[] => [
  ...(intent.payer.details === undefined ? ["payer.partyId"] : []),
  ...payeeIds.flatMap((_, index) =>
    ["role", "connectorPayeeId", "amount.payerAmount"].map((field) => `recipients.${index}.${field}`),
  ),
  ...fields.map((field) => `instructions.manualPayment.${field}`),
  ...(payeeIds.length > 1 ? ["instructions.manualPayment.quotePayoutOrderConfirmed"] : []),
];

const incomplete = complete.chain((made) =>
  fc.record({ made: fc.constant(made), removed: fc.subarray(removable(made)) }),
);

describe("dry-run", () => {
  test("finds nothing missing in a complete intent", () => {
    fc.assert(
      fc.property(complete, ({ intent, payeeIds }) => {
        expect(missing(intent, payeeIds)).toEqual([]);
      }),
    );
  });

  test("names exactly what was left out, whatever that was", () => {
    fc.assert(
      fc.property(incomplete, ({ made: { intent, payeeIds }, removed }) => {
        const lacking = removed.reduce((left, path) => put(left, path), intent);
        expect([...missing(lacking, payeeIds)].toSorted()).toEqual(removed.toSorted());
      }),
    );
  });

  test("no longer names a path once it is filled in, and still names all others", () => {
    fc.assert(
      fc.property(incomplete, ({ made: { intent, payeeIds }, removed }) => {
        const lacking = removed.reduce((left, path) => put(left, path), intent);
        const before = missing(lacking, payeeIds);
        for (const path of removed) {
          const filled = put(lacking, path, valueAt(intent, path));
          expect(missing(filled, payeeIds)).toEqual(before.filter((other) => other !== path));
        }
      }),
    );
  });

  test("says the same every time, and changes neither intent nor facts", () => {
    fc.assert(
      fc.property(incomplete, ({ made: { intent, payeeIds }, removed }) => {
        const lacking = removed.reduce((left, path) => put(left, path), intent);
        const kept = structuredClone(lacking);
        expect(missing(lacking, payeeIds)).toEqual(missing(lacking, payeeIds));
        expect(lacking).toEqual(kept);
      }),
    );
  });
});

/** A value that is mostly right, else wrong or absent, so that any draft at all may come up. */
const mostly = <Value>(right: Value, ...others: Value[]) =>
  fc.oneof(
    { weight: 15, arbitrary: fc.constant(right) },
    { weight: 1, arbitrary: fc.constantFrom(undefined, ...others) },
  );
const seldom = <Value>(...values: Value[]) => mostly<Value | undefined>(undefined, ...values);
const anyRecipient = fc.record({
  role: mostly("education_provider", "tenant"),
  connectorPayeeId: mostly(5001, 5002, 9999),
  payerAmount: mostly("4000.00", "100", "0.01", "100.001", "100.000", "60000.00"),
  payeeAmount: seldom("1000.00", "1000.01", "1000.02", "25", "99999.00"),
  currency: seldom("BRL", "AUD", "USD"),
  order: seldom(0, 1, 2),
  splitRole: seldom("other", "tenant_commission"),
  purposeProofDocumentId: seldom(PROOF_ID, IDENTITY_ID, "unknown"),
});
const anyDraft = fc.record({
  partyId: mostly(STUDENT_ID, "nobody"),
  details: seldom(
    { firstName: "Ana", lastName: "Silva" },
    { companyName: "Silva & Co" },
    { firstName: "Ana" },
    { city: "X" },
  ),
  role: fc.constantFrom("student", "family", "agent", "tenant"),
  recipients: fc.array(anyRecipient, { minLength: 0, maxLength: 3 }),
  quoteId: mostly(QUOTE_ID, "unknown"),
  selectedQuoteVariantId: mostly(900, 901, 999),
  purpose: mostly("undergraduate"),
  countryCode: mostly("BR", "AU"),
  payerIdentityDocumentId: mostly(IDENTITY_ID, "unknown"),
  quotePayoutOrderConfirmed: mostly(true, false),
});
type AnyDraft = typeof anyDraft extends fc.Arbitrary<infer Draft> ? Draft : never;

const defined = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

function toIntent({ partyId, details, role, recipients, ...manualPayment }: AnyDraft): IntentDraft {
  const intent: unknown = {
    ...tuition,
    payer: defined({ role, partyId, details }),
    recipients: recipients.map(({ payerAmount, payeeAmount, currency, ...rest }) =>
      defined({ ...rest, amount: defined({ payerAmount, payeeAmount, currency }) }),
    ),
    instructions: { manualPayment: defined(manualPayment) },
  };
  return intent as IntentDraft;
}

describe("an intent that dry-run finds clean", () => {
  test("can be turned into the order that submit sends, with every leg and at the quote's terms", () => {
    let clean = 0;
    fc.assert(
      fc.property(anyDraft, fc.constantFrom([5001], [5001], [5001, 5002]), (draft, payeeIds) => {
        const intent = toIntent(draft);
        const known = factsFor(intent, payeeIds);
        const { rule } = evaluateIntent(intent, known);
        if (rule.status !== "enabled" || rule.missingRequirements.length > 0) return;
        clean += 1;
        const chosen = selectedVariant(intent, known.quote);
        if (chosen === undefined) throw new Error("a clean intent selects no variant");
        const { payees } = known;
        const order = planPaymentOrder(storedIntent({ ...intent, recipients: intent.recipients ?? [] }), {
          variant: chosen,
          payees,
          payer: {},
          payerKey: "ana",
          connectorPaymentId: 1,
        });
        const units = (amount: string) => toMinorUnits(amount, chosen.fromCurrency);
        const sent = order.legs.reduce((sum, { payerAmount }) => sum + units(payerAmount), 0n);
        expect(order.legs).toHaveLength(intent.recipients?.length ?? 0);
        expect(
          order.legs.every(({ payeeAmount, payeeCurrency }) => toMinorUnits(payeeAmount, payeeCurrency) > 0n),
        ).toBe(true);
        expect(sent).toBe(units(order.totalAmount) - units(chosen.fee));
        expect(sent >= units(chosen.minAmount) && sent <= units(chosen.maxAmount)).toBe(true);
        const { firstName, lastName, companyName } = intent.payer.details ?? { companyName: "saved" };
        expect(companyName ?? (firstName && lastName)).toBeTruthy();
        const ids = documentsOf(intent).map(({ documentId }) => documentId);
        expect(ids.every((id) => known.documents.has(id))).toBe(true);
        expect(new Set(ids).size).toBe(ids.length);
        expect(new Set(order.legs.map((leg) => leg.order)).size).toBe(order.legs.length);
      }),
      { numRuns: 3000 },
    );
    expect(clean).toBeGreaterThan(200);
  });
});
