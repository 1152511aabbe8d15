import { describe, expect, test } from "vitest";
import { CANADIAN_ID, completeDraft, knownOf, proofIds, put, rowOf, type Wanted } from "../../test/scenario-fixture.ts";
import type { IntentDraft } from "../scenarios/draft.ts";
import { evaluateIntent } from "./evaluate.ts";

const missing = (draft: IntentDraft, known = knownOf(draft)) => evaluateIntent(draft, known).rule.missingRequirements;

const payroll = rowOf("payroll_payment", "bulk");

describe("a batch", () => {
  const wanted: Wanted[] = [5001, CANADIAN_ID].map((payeeId) => ({ role: "public_payee", payeeId, amount: "10.00" }));

  test("pays every recipient in the payee's own currency, and names each one whose amount states another", () => {
    const draft = completeDraft(payroll, wanted);
    expect(missing(draft)).toEqual([]);
    const wrong = put(draft, "recipients.1.amount.currency", "AUD");
    expect(missing(wrong)).toEqual(["recipients.1.amount.currency"]);
  });

  test("takes no proofs", () => {
    const draft = put(completeDraft(payroll, wanted), "recipients.1.purposeProofDocumentId", proofIds[0]);
    expect(missing(draft)).toEqual(["recipients.1.purposeProofDocumentId"]);
  });

  test("fits into one record: 500 references of 140 letters do, and 500 of three bytes a letter do not", () => {
    const known = knownOf(completeDraft(payroll));
    const batch = { ...known.offer, maxRecipients: 500 };
    const missingWith = (letter: string) => {
      const [recipient = {}] = completeDraft(payroll).recipients ?? [];
      const recipients = Array.from({ length: 500 }, (_, index) => ({
        ...recipient,
        amount: { ...recipient.amount, payeeAmount: `${1000 + index}.00` },
        reference: letter.repeat(140),
      }));
      return missing({ ...completeDraft(payroll), recipients }, { ...known, offer: batch });
    };
    expect([missingWith("a"), missingWith("\u5b66")]).toEqual([[], ["recipients.size"]]);
  });

  test("fits into one record with its payouts: 500 payees with long names of three bytes a letter do not", () => {
    const known = knownOf(completeDraft(payroll));
    const [recipient = {}] = completeDraft(payroll).recipients ?? [];
    const draft = {
      ...completeDraft(payroll),
      recipients: Array.from({ length: 500 }, (_, index) => ({
        ...recipient,
        reference: `${index} `.padEnd(100, "a"),
      })),
    };
    const named = (name: string) => {
      const payees = new Map([...known.payees].map(([id, payee]) => [id, { ...payee, name }]));
      return missing(draft, { ...known, payees, offer: { ...known.offer, maxRecipients: 500 } });
    };
    expect([named("a".repeat(140)), named("\u5b66".repeat(140))]).toEqual([[], ["recipients.size"]]);
  });

  test("has no two recipients that its rail would take for one payment; equal wages without references are lines", () => {
    const wage = (payeeId: number): Wanted => ({ role: "public_payee", payeeId, amount: "10.00" });
    const draft = completeDraft(payroll, [wage(5001), wage(5001), wage(5002), wage(5001)]);
    expect(missing(draft)).toEqual([]);
    const referred = [0, 1, 2].reduce((left, index) => put(left, `recipients.${index}.reference`, "June"), draft);
    const { requirements } = evaluateIntent(put(referred, "recipients.1.amount.payeeAmount", "10.0"), knownOf(draft));
    expect(requirements).toMatchObject([
      { path: "recipients.0.reference", reason: "Payee, amount, currency and reference are those of recipients 1" },
      { path: "recipients.1.reference", reason: "Payee, amount, currency and reference are those of recipients 0" },
    ]);
    expect(missing(put(referred, "recipients.1.reference", "June, overtime"))).toEqual([]);
    expect(missing(put(referred, "recipients.1.amount.payeeAmount", "10.01"))).toEqual([]);
  });

  test("of five hundred equal recipients tells each one ten of the others", () => {
    const draft = completeDraft(
      payroll,
      Array.from({ length: 500 }, () => ({ role: "public_payee", payeeId: 5001, amount: "10.00" })),
    );
    const equal = { ...draft, recipients: (draft.recipients ?? []).map((one) => ({ ...one, reference: "June" })) };
    const known = knownOf(draft);
    const { requirements } = evaluateIntent(equal, { ...known, offer: { ...known.offer, maxRecipients: 500 } });
    expect(requirements).toHaveLength(500);
    expect(requirements[499]?.reason).toMatch(/ recipients 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 489 more$/);
  });

  test("needs no quote, and a quote that it names is not looked at", () => {
    const draft = put(completeDraft(payroll, wanted), "instructions.manualPayment.quoteId", "unknown");
    expect(missing(draft)).toEqual([]);
  });
});
