import { describe, expect, test } from "vitest";
import { findRule, scenarioRules } from "./rules.ts";
import { amountModes, deliveryModes, payerRoles, type Scenario, splitRoles, useCases } from "./scenario.ts";
import { requirementTexts } from "./texts.ts";

const everyScenario: Scenario[] = useCases.flatMap((useCase) =>
  deliveryModes.flatMap((deliveryMode) =>
    amountModes.flatMap((amountMode) =>
      payerRoles.map((role) => ({ useCase, deliveryMode, amountMode, payer: { role } })),
    ),
  ),
);

const rowsOf = ({ useCase, deliveryMode, amountMode, payer }: Scenario) =>
  scenarioRules.filter(
    (rule) =>
      rule.useCase === useCase &&
      rule.deliveryMode === deliveryMode &&
      rule.amountMode === amountMode &&
      rule.payerRoles.includes(payer.role),
  );

describe("the rule of a scenario", () => {
  test("is its one row for every combination that has one, and none for every other", () => {
    for (const scenario of everyScenario) {
      const rows = rowsOf(scenario);
      const found = findRule(scenario);
      expect(rows.length).toBeLessThanOrEqual(1);
      expect("rule" in found ? [found.rule] : []).toEqual(rows);
    }
  });

  test("names, for every combination without a row, a field whose change alone leads further", () => {
    const blocked = everyScenario.flatMap((scenario) => {
      const found = findRule(scenario);
      return "rule" in found ? [] : [{ scenario, field: found.blockedBy }];
    });
    expect(blocked.length).toBeGreaterThan(0);
    const fields = ["useCase", "deliveryMode", "amountMode", "payer.role"] as const;
    const agrees = {
      useCase: (rule: Scenario, scenario: Scenario) => rule.useCase === scenario.useCase,
      deliveryMode: (rule: Scenario, scenario: Scenario) => rule.deliveryMode === scenario.deliveryMode,
      amountMode: (rule: Scenario, scenario: Scenario) => rule.amountMode === scenario.amountMode,
    };
    for (const { scenario, field } of blocked) {
      const before = (["useCase", "deliveryMode", "amountMode"] as const).slice(0, fields.indexOf(field));
      const left = scenarioRules.filter((rule) =>
        before.every((name) => agrees[name]({ ...rule, payer: scenario.payer }, scenario)),
      );
      expect(left.length).toBeGreaterThan(0);
      expect(
        left.some((rule) =>
          field === "payer.role" ? rule.payerRoles.includes(scenario.payer.role) : rule[field] === scenario[field],
        ),
      ).toBe(false);
    }
  });
});

test("the rows are those of the specification's table", () => {
  const rows = scenarioRules.map(({ useCase, deliveryMode, amountMode }) =>
    [useCase, deliveryMode, amountMode].join(" "),
  );
  expect([...new Set(rows)].toSorted()).toEqual([
    "allowance_payment manual recipient_fixed",
    "education_provider_tuition manual payer_fixed",
    "education_provider_tuition reusable_payment_link fixed_payee_amounts",
    "education_provider_tuition reusable_payment_link free_entry_with_portions",
    "education_provider_tuition_with_tenant_split manual payer_fixed",
    "education_provider_tuition_with_tenant_split reusable_payment_link free_entry_with_portions",
    "generic_service_invoice reusable_payment_link fixed_payee_amounts",
    "generic_service_invoice reusable_payment_link free_entry_with_portions",
    "legacy_transaction_reissue manual legacy_reissue",
    "owed_commission_invoice reusable_payment_link fixed_payee_amounts",
    "owed_commission_invoice reusable_payment_link free_entry_with_portions",
    "payroll_payment bulk mixed_composite",
    "supplier_payment manual recipient_fixed",
    "tenant_funded_refund manual recipient_fixed",
  ]);
});

describe("every row", () => {
  test.each(scenarioRules)("of $useCase by $deliveryMode is consistent in itself", (rule) => {
    expect(rule.payerRoles.length).toBeGreaterThan(0);
    expect(rule.recipientRoles).toEqual(expect.arrayContaining([...rule.previewRoles]));
    expect(rule.splitRoles).toContain("principal_provider_amount");
    expect(splitRoles).toEqual(expect.arrayContaining([...rule.splitRoles]));
    expect(new Set(rule.requires).size).toBe(rule.requires.length);
    for (const path of rule.requires) expect(requirementTexts[path].reason).not.toBe("");
  });

  test("gives the role `tenant` to nobody but a tenant split, or the reissue of one", () => {
    const rows = scenarioRules.filter(({ recipientRoles }) => recipientRoles.includes("tenant"));
    expect(new Set(rows.map(({ useCase }) => useCase))).toEqual(
      new Set(["education_provider_tuition_with_tenant_split", "legacy_transaction_reissue"]),
    );
  });
});

test("manual tuition is paid by a student, a family, an agent, or another school or partner", () => {
  const scenario = {
    useCase: "education_provider_tuition",
    deliveryMode: "manual",
    amountMode: "payer_fixed",
  } as const;
  const paying = payerRoles.filter((role) => "rule" in findRule({ ...scenario, payer: { role } }));
  expect(paying).toEqual(["student", "family", "agent", "external_school", "external_partner"]);
});

test("payroll in bulk and reissues need a permission, each its own, and no other scenario does", () => {
  const needed = scenarioRules.flatMap(({ useCase, permission }) =>
    permission === undefined ? [] : [[useCase, permission]],
  );
  expect(needed).toEqual([
    ["payroll_payment", "AllowBulkPayment"],
    ["legacy_transaction_reissue", "AllowLegacyReissue"],
    ["legacy_transaction_reissue", "AllowLegacyReissue"],
  ]);
});
