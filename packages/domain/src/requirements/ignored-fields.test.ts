import { describe, expect, test } from "vitest";
import { completeDraft, knownOf, namedRows } from "../../test/scenario-fixture.ts";
import type { Instructions, IntentDraft } from "../scenarios/draft.ts";
import type { ScenarioRule } from "../scenarios/rules.ts";
import { evaluateIntent } from "./evaluate.ts";

const ignored = (draft: IntentDraft) => {
  const { requirements, controls } = evaluateIntent(draft, knownOf(draft));
  expect(requirements).toEqual([]);
  return controls.ignored;
};
const stating = (rule: ScenarioRule, instructions: Instructions, changes: Partial<IntentDraft> = {}) => {
  const draft = completeDraft(rule);
  return ignored({ ...draft, ...changes, instructions: { ...draft.instructions, ...instructions } });
};
const rowsOf = (executes: ScenarioRule["executes"]) => namedRows.filter(({ rule }) => rule.executes === executes);

describe("what is stated and has no effect is named, and accepted:", () => {
  test.each(namedRows)("nothing of a complete draft of $row", ({ rule }) => {
    expect(ignored(completeDraft(rule))).toEqual([]);
  });

  test.each([...rowsOf("quoted_payment"), ...rowsOf("bulk")])(
    "a name and a link's instructions in $row",
    ({ rule }) => {
      const paths = ["name", "instructions.paymentLink"];
      expect(stating(rule, { paymentLink: { reference: "R" } }, { name: "N" })).toEqual(paths);
    },
  );

  test.each(rowsOf("link"))("a subject and the instructions of a manual payment in $row", ({ rule }) => {
    const subject = { role: "student" } as const;
    expect(stating(rule, { manualPayment: { countryCode: "BR" } }, { subject })).toEqual([
      "subject",
      "instructions.manualPayment",
    ]);
  });

  test.each(rowsOf("link"))("a recipient's own reference in $row, once the link has one", ({ rule }) => {
    const [first, ...others] = completeDraft(rule).recipients ?? [];
    const recipients = [{ ...first, reference: "own" }, ...others];
    expect(stating(rule, {}, { recipients })).toEqual([]);
    expect(stating(rule, { paymentLink: { reference: "R" } }, { recipients })).toEqual(["recipients.0.reference"]);
  });

  test.each(rowsOf("bulk"))("a quote and its choice in $row", ({ rule }) => {
    const { manualPayment } = completeDraft(rule).instructions ?? {};
    const quoted = { quoteId: "unknown", selectedQuoteVariantId: 1, quotePayoutOrderConfirmed: true };
    expect(stating(rule, { manualPayment: { ...manualPayment, ...quoted } })).toEqual(
      Object.keys(quoted).map((field) => `instructions.manualPayment.${field}`),
    );
  });

  test.each(namedRows)("what $row does not reissue, and shares that it does not ask for", ({ rule }) => {
    const paths = stating(rule, { reissue: { paymentIntentId: "failed one" } });
    expect(paths).toEqual(rule.fixes === "whichever_is_stated" ? [] : ["instructions.reissue"]);
    const draft = completeDraft(rule);
    const usesShares = rule.requires.includes("recipients.*.amount.portionBps");
    const recipients = (draft.recipients ?? []).map((one) => ({
      ...one,
      amount: { portionBps: 5_000, ...one.amount },
    }));
    expect(ignored({ ...draft, recipients })).toEqual(
      usesShares ? [] : recipients.map((_, index) => `recipients.${index}.amount.portionBps`),
    );
  });

  test.each(rowsOf("link").filter(({ rule }) => rule.fixes === "portionBps"))("any amount in $row", ({ rule }) => {
    const draft = completeDraft(rule);
    const [first, ...others] = draft.recipients ?? [];
    const amount = { ...first?.amount, payerAmount: "1.00", payeeAmount: "2.00" };
    expect(ignored({ ...draft, recipients: [{ ...first, amount, purpose: "other" }, ...others] })).toEqual([
      "recipients.0.purpose",
      "recipients.0.amount.payerAmount",
      "recipients.0.amount.payeeAmount",
    ]);
  });

  test("nothing of a draft whose scenario has no rule", () => {
    const [row] = namedRows;
    if (row === undefined) throw new Error("There is no row");
    const blocked: IntentDraft = { ...completeDraft(row.rule), amountMode: "legacy_reissue", name: "N" };
    expect(evaluateIntent(blocked, knownOf(blocked)).controls.ignored).toEqual([]);
  });
});
