import { describe, expect, test } from "vitest";
import {
  document,
  facts,
  IDENTITY_ID,
  NOW_MS,
  PROOF_ID,
  quote,
  storedIntent,
  tuition,
} from "../../test/intent-fixture.ts";
import { type IntentStatus, intentStatuses } from "../intents/statuses.ts";
import type { CorrectedOutcome, Correction } from "../money-state/correction.ts";
import type { IntentDraft, Recipient } from "../scenarios/draft.ts";
import { findRule } from "../scenarios/rules.ts";
import { payerRoles, type Scenario, useCases } from "../scenarios/scenario.ts";
import { dryRun, evaluateIntent, previewRequirements } from "./evaluate.ts";
import type { Facts } from "./finding.ts";

const [recipient] = tuition.recipients;
const manual = tuition.instructions.manualPayment;

const missing = (intent: IntentDraft, changes: Partial<Facts> = {}) =>
  evaluateIntent(intent, facts(changes)).rule.missingRequirements;
const reasonAt = (path: string, intent: IntentDraft, changes: Partial<Facts> = {}) =>
  evaluateIntent(intent, facts(changes)).requirements.find((requirement) => requirement.path === path)?.reason;
const withRecipients = (...recipients: Recipient[]): IntentDraft => ({ ...tuition, recipients });
const withManual = (changes: object): IntentDraft => ({
  ...tuition,
  instructions: { manualPayment: { ...manual, ...changes } },
});
const { quote: _quote, ...noQuote } = facts();
const withoutQuote = (intent: IntentDraft) => evaluateIntent(intent, noQuote).rule.missingRequirements;
/** `source` without `field`, as a caller sends it who leaves the field out. */
const without = <Source extends object>(source: Source, field: keyof Source) =>
  Object.fromEntries(Object.entries(source).filter(([name]) => name !== field));

describe("an intent with everything that its rule asks for", () => {
  test("is clean, and names its rail and what that rail allows", () => {
    const { connector, maxRecipients, acceptedLimitations } = { connector: facts().offer, ...facts().offer };
    expect(evaluateIntent(tuition, facts())).toEqual({
      rule: { status: "enabled", missingRequirements: [] },
      connector: { provider: connector.provider, action: connector.action, version: connector.version },
      limits: { maxRecipients },
      controls: {
        acceptedLimitations,
        allowedRecipientRoles: ["education_provider", "public_payee"],
        allowedSplitRoles: ["principal_provider_amount", "other"],
        ignored: [],
      },
      requirements: [],
    });
  });

  test("stays clean when its quote has expired: that is live state (SPEC, behaviour rule 3)", () => {
    const expired = { ...quote(), expiresOn: new Date(NOW_MS - 1).toISOString() };
    expect(missing(tuition, { quote: expired })).toEqual([]);
  });

  test("with inline details needs no saved party, and an unknown party id beside them does not matter", () => {
    const details = { firstName: "Ana", lastName: "Silva" };
    expect(missing({ ...tuition, payer: { role: "student", partyId: "nobody", details } })).toEqual([]);
    expect(missing({ ...tuition, subject: { role: "student", partyId: "nobody", details } })).toEqual([]);
  });

  test("may state amounts other than the quote's, in the currency of the amount that it fixes", () => {
    const paying = (currency: string, payerAmount = "123.45") =>
      missing(withRecipients({ ...recipient, amount: { payerAmount, currency } }));
    expect(paying("BRL")).toEqual([]);
    expect(paying("AUD")).toEqual(["recipients.0.amount.currency"]);
    // The quote itself has 4000 as its payer's amount, so that no other amount can be meant.
    expect(paying("AUD", "4000")).toEqual([]);
    expect(paying("USD", "4000")).toEqual(["recipients.0.amount.currency"]);
  });
});

describe("an empty draft", () => {
  const empty = { ...tuition, payer: { role: "student" }, recipients: [{}], instructions: {} } as const;

  test("lacks exactly what its rule asks for, in its order, each with a reason and what would satisfy it", () => {
    const { rule, requirements } = evaluateIntent(empty, noQuote);
    expect(rule.missingRequirements).toEqual([
      "payer.partyId",
      "recipients.0.role",
      "recipients.0.connectorPayeeId",
      "instructions.manualPayment.quoteId",
      "instructions.manualPayment.selectedQuoteVariantId",
      "instructions.manualPayment.purpose",
      "instructions.manualPayment.countryCode",
      "instructions.manualPayment.payerIdentityDocumentId",
      "recipients.0.amount.payerAmount",
    ]);
    for (const { reason, satisfiedBy, example } of requirements) {
      expect([reason, satisfiedBy, example]).not.toContainEqual(
        expect.toSatisfy((value) => value === undefined || value === ""),
      );
    }
  });

  test("without a recipient lacks recipients, not the fields of one", () => {
    expect(withoutQuote({ ...empty, recipients: [] }).filter((path) => path.startsWith("recipients"))).toEqual([
      "recipients",
    ]);
    expect(missing({ ...tuition, recipients: [] })).toEqual(["recipients"]);
  });
});

describe("one thing wrong is one path", () => {
  const two = (second: Recipient): IntentDraft => withRecipients(recipient, { ...recipient, ...second });
  test.each<[string, IntentDraft]>([
    ["payer.partyId", { ...tuition, payer: { role: "student" } }],
    ["payer.partyId", { ...tuition, payer: { role: "student", partyId: "nobody" } }],
    ["subject.partyId", { ...tuition, subject: { role: "student", partyId: "nobody" } }],
    ["recipients.0.role", withRecipients(without(recipient, "role"))],
    ["recipients.0.role", withRecipients({ ...recipient, role: "tenant" })],
    ["recipients.0.splitRole", withRecipients({ ...recipient, splitRole: "tenant_commission" })],
    ["recipients.0.connectorPayeeId", withRecipients(without(recipient, "connectorPayeeId"))],
    ["recipients.0.connectorPayeeId", withRecipients({ ...recipient, connectorPayeeId: 9999 })],
    ["recipients.0.amount.payerAmount", withRecipients(without(recipient, "amount"))],
    ["recipients.0.amount.payerAmount", withRecipients({ ...recipient, amount: { payeeAmount: "1.00" } })],
    ["recipients.0.amount.payerAmount", withRecipients({ ...recipient, amount: { payerAmount: "100.001" } })],
    ["recipients.0.amount.currency", withRecipients({ ...recipient, amount: { payerAmount: "100", currency: "USD" } })],
    ["recipients.1.amount.payerAmount", two({ amount: {} })],
    ["recipients.order", two({ order: 0 })],
    ["recipients.maxRecipients", withRecipients(...Array.from({ length: 11 }, () => recipient))],
    ["recipients.totalAmount", withRecipients({ ...recipient, amount: { payerAmount: "49.99" } })],
    ["recipients.totalAmount", withRecipients({ ...recipient, amount: { payerAmount: "50000.01" } })],
    ["instructions.manualPayment.selectedQuoteVariantId", withManual({ selectedQuoteVariantId: 0 })],
    ["instructions.manualPayment.selectedQuoteVariantId", withManual({ selectedQuoteVariantId: 999 })],
    ["instructions.manualPayment.countryCode", withManual({ countryCode: "AU" })],
    ["instructions.manualPayment.quoteId", withRecipients({ ...recipient, connectorPayeeId: 5002 })],
    ["instructions.manualPayment.payerIdentityDocumentId", withManual({ payerIdentityDocumentId: "unknown" })],
    ["recipients.0.purposeProofDocumentId", withRecipients({ ...recipient, purposeProofDocumentId: "unknown" })],
    ["documents.uniqueDocumentIds", withRecipients({ ...recipient, purposeProofDocumentId: IDENTITY_ID })],
  ])("%s", (path, intent) => {
    expect(missing(intent)).toEqual([path]);
  });

  test("totals at the very limits of the variant are within them", () => {
    expect(missing(withRecipients({ ...recipient, amount: { payerAmount: "50.00" } }))).toEqual([]);
    expect(missing(withRecipients({ ...recipient, amount: { payerAmount: "50000.00" } }))).toEqual([]);
  });

  test("an unknown quote is the path of the quote alone", () => {
    expect(withoutQuote(tuition)).toEqual(["instructions.manualPayment.quoteId"]);
  });

  test.each<[string, string, IntentDraft, Partial<Facts>]>([
    ["quoteId", "No quote has this id", tuition, {}],
    ["quoteId", "The quote is for other payees", tuition, { quote: quote([5002]) }],
    ["countryCode", "The quote is for payments from BR", withManual({ countryCode: "AU" }), { quote: quote() }],
    [
      "selectedQuoteVariantId",
      "The quote has no variant with this id",
      withManual({ selectedQuoteVariantId: 999 }),
      { quote: quote() },
    ],
  ])("the quote's %s says: %s", (field, reason, intent, changes) => {
    const { requirements } = evaluateIntent(intent, { ...noQuote, ...changes });
    expect(requirements).toMatchObject([{ path: `instructions.manualPayment.${field}`, reason }]);
  });

  test.each<[string, object]>([
    ["was already used by a submitted payment", { consumedBy: "another" }],
    ["is reserved by another submit", { executionId: "another" }],
    ["has expired", { expiresAtMs: NOW_MS }],
  ])("a document that %s says so at its path", (reason, changes) => {
    const documents = new Map([[IDENTITY_ID, document(IDENTITY_ID, changes)]]);
    const path = "instructions.manualPayment.payerIdentityDocumentId";
    expect(missing(tuition, { documents })).toEqual([path]);
    expect(reasonAt(path, tuition, { documents })).toBe(`The document ${reason}`);
  });
});

describe("the payer", () => {
  const paying = (details: object, role = "student") =>
    missing({ ...tuition, payer: { role, details } } as IntentDraft);
  const subject = (fields: object) => missing({ ...tuition, subject: { role: "student", ...fields } } as IntentDraft);

  test("stated by inline details has a first and a last name, or is a company; an email is optional", () => {
    expect(paying({ city: "X" })).toEqual(["payer.details.firstName", "payer.details.lastName"]);
    expect(paying({ firstName: "Ana", email: "ana@example.com" })).toEqual(["payer.details.lastName"]);
    expect(paying({ lastName: "Silva" }, "agent")).toEqual(["payer.details.firstName"]);
    expect(paying({ firstName: "Ana", lastName: "Silva" })).toEqual([]);
    expect(paying({ companyName: "Silva & Co" }, "external_partner")).toEqual([]);
  });

  test("needs no name when it is the tenant or a saved party", () => {
    const supplier = { ...tuition, useCase: "supplier_payment", amountMode: "recipient_fixed" } as const;
    const recipients = [{ ...recipient, role: "public_payee", amount: { payeeAmount: "100.00" } }] as const;
    expect(missing({ ...supplier, recipients, payer: { role: "tenant", details: { city: "X" } } })).toEqual([]);
    const parties = new Map([["p", { payerType: "individual" as const, email: "rui@example.com" }]]);
    expect(missing({ ...tuition, payer: { role: "student", partyId: "p" } }, { parties })).toEqual([]);
  });

  test("may state for whom it pays by a role alone, or by details with any name", () => {
    expect(subject({ details: { dob: "2010-05-06" } })).toEqual(["subject.details.firstName"]);
    for (const details of [{ firstName: "Eva" }, { lastName: "Silva" }, { companyName: "Silva & Co" }]) {
      expect(subject({ details })).toEqual([]);
    }
    expect(subject({})).toEqual([]);
  });
});

describe("the dry-run of a stored intent", () => {
  test.each(intentStatuses.filter((status) => status !== "draft"))("that is %s lacks its status alone", (status) => {
    for (const intent of [storedIntent({ status }), storedIntent({ status, recipients: [], instructions: {} })]) {
      const { rule, requirements } = dryRun(intent, facts());
      expect(rule).toEqual({ status: "enabled", missingRequirements: ["status"] });
      expect(requirements).toEqual([
        {
          path: "status",
          reason: `Only a draft can be submitted, and this intent is ${status satisfies IntentStatus}`,
          satisfiedBy: expect.stringMatching(/\w/),
          example: "draft",
        },
      ]);
    }
  });

  test("that is a draft is the judgement that submit makes", () => {
    for (const draft of [storedIntent(), storedIntent({ recipients: [], instructions: {} })]) {
      expect(dryRun(draft, facts())).toEqual(evaluateIntent(draft, facts()));
    }
  });
});

test("a draft that its rail has paid after all, as an operator found, is not paid again", () => {
  const found = (outcome: CorrectedOutcome) => {
    const corrections = [{ outcome } as Correction];
    return reasonAt("status", tuition, { beside: { corrections } });
  };
  expect(found("arrived")).toBe("The rail has paid this draft after all");
  expect([found("cameBack"), found("neverMoved")]).toEqual([undefined, undefined]);
});

describe("several payees", () => {
  const pair: IntentDraft = {
    ...withManual({ quotePayoutOrderConfirmed: true }),
    recipients: [recipient, { ...recipient, connectorPayeeId: 5002, purposeProofDocumentId: PROOF_ID }],
  };
  const changes = { quote: quote([5001, 5002]) };

  test("need a quote for exactly these payees, in any order", () => {
    expect(missing(pair, changes)).toEqual([]);
    expect(missing(pair, { quote: quote([5002, 5001]) })).toEqual([]);
    expect(missing(pair, { quote: quote([5001, 5003]) })).toEqual(["instructions.manualPayment.quoteId"]);
    expect(missing(pair)).toEqual(["instructions.manualPayment.quoteId"]);
  });

  test.each([undefined, false])("need the order of their payouts confirmed: %s is not enough", (confirmed) => {
    const asked = "instructions.manualPayment.quotePayoutOrderConfirmed";
    const unconfirmed = { ...withManual(confirmed === undefined ? {} : { quotePayoutOrderConfirmed: confirmed }) };
    expect(missing({ ...unconfirmed, recipients: pair.recipients ?? [] }, changes)).toEqual([asked]);
  });

  test("that are one and the same payee need no confirmation", () => {
    expect(missing(withRecipients(recipient, recipient))).toEqual([]);
  });
});

describe("a scenario", () => {
  test.each<[string, string, Partial<Scenario>]>([
    ["deliveryMode", "manual", { deliveryMode: "bulk" }],
    ["deliveryMode", "bulk", { useCase: "payroll_payment" }],
    ["amountMode", "payer_fixed", { amountMode: "recipient_fixed" }],
    ["payer.role", "student", { payer: { role: "tenant" } }],
  ])("that the service does not execute is blocked by its %s, which might be %s", (field, example, changes) => {
    const { rule, controls, requirements } = evaluateIntent({ ...tuition, ...changes }, facts());
    expect(requirements).toMatchObject([{ path: field, example }]);
    expect(rule).toEqual({ status: "blocked", missingRequirements: [field] });
    expect(controls).toMatchObject({ allowedRecipientRoles: [], allowedSplitRoles: [] });
  });

  test("that is previewed asks for the same as an empty draft of it", () => {
    const { offer: connector, rail } = facts();
    for (const useCase of useCases) {
      for (const role of payerRoles) {
        const scenario = { useCase, deliveryMode: "manual", amountMode: "payer_fixed", payer: { role } } as const;
        const preview = previewRequirements(scenario, [], { rail, describe: () => connector });
        const found = findRule(scenario);
        const recipients =
          "rule" in found ? found.rule.previewRoles.map((recipientRole) => ({ role: recipientRole })) : [];
        const wanted =
          "rule" in found ? withoutQuote({ ...scenario, recipients, termsAccepted: true }) : [found.blockedBy];
        expect(preview.rule.missingRequirements).toEqual(wanted);
      }
    }
  });

  test("names nothing of a reissue that creating it copies", () => {
    for (const role of ["student", "tenant"] as const) {
      const reissue = { useCase: "legacy_transaction_reissue", deliveryMode: "manual" } as const;
      const scenario = { ...reissue, amountMode: "legacy_reissue", payer: { role } } as const;
      const { rule, requirements } = previewRequirements(scenario, [], {
        rail: facts().rail,
        describe: () => facts().offer,
      });
      expect(rule.missingRequirements).toContain("instructions.reissue.paymentIntentId");
      expect(rule.missingRequirements).not.toContain("recipients");
      expect(rule.missingRequirements).not.toContain("payer.partyId");
      expect(requirements.map(({ path }) => path)).toEqual(rule.missingRequirements);
    }
  });
});
