import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type IntentDraft, type Recipient, recipientRoles, splitRoles } from "./payment-intent.ts";
import { evaluateIntent } from "./requirements.ts";
import {
  CANADIAN_ID,
  completeDraft,
  knownOf,
  namedRows,
  proofIds,
  TENANT_PAYEE_ID,
  type Wanted,
} from "./scenario-fixture.ts";
import { findRule } from "./scenario-rules.ts";

type Node = Record<string, unknown>;

/** The draft with `value` at a dotted path, or without anything there. */
function put(draft: IntentDraft, path: string, value?: unknown): IntentDraft {
  const copy = structuredClone(draft) as unknown as Node;
  const keys = path.split(".");
  const last = keys.pop() ?? "";
  const node = keys.reduce((inner, key) => inner[key] as Node, copy);
  if (value === undefined) delete node[last];
  else node[last] = value;
  return copy as unknown as IntentDraft;
}

const valueAt = (draft: IntentDraft, path: string): unknown =>
  path.split(".").reduce<unknown>((node, key) => (node as Node | undefined)?.[key], draft);

const missing = (draft: IntentDraft, known = knownOf(draft)) => evaluateIntent(draft, known).rule.missingRequirements;

/** What the row asks for of this very draft, recipient by recipient. */
const requiredOf = (draft: IntentDraft, requires: readonly string[]): string[] =>
  requires.flatMap((path) =>
    path.includes("*") ? (draft.recipients ?? []).map((_, index) => path.replace("*", String(index))) : [path],
  );

/** Recipients that the row takes: up to three payees, and the tenant where there is room for it. */
const wantedBy = (takesTenant: boolean) =>
  fc
    .record({
      payeeIds: fc.shuffledSubarray([5001, 5002, 5003], { minLength: 1, maxLength: 2 }),
      cents: fc.array(fc.integer({ min: 100_00, max: 2_000_00 }), { minLength: 3, maxLength: 3 }),
      withTenant: fc.boolean(),
    })
    .map(({ payeeIds, cents, withTenant }): Wanted[] => {
      const amountAt = (index: number) => ((cents[index] ?? 10_000) / 100).toFixed(2);
      const others = payeeIds.map((payeeId, index): Wanted => {
        const role = index === 0 ? "education_provider" : "public_payee";
        return { role, payeeId, amount: amountAt(index) };
      });
      const tenant: Wanted = { role: "tenant", payeeId: TENANT_PAYEE_ID, amount: amountAt(2) };
      return takesTenant && withTenant ? [...others, tenant] : others;
    });

describe.each(namedRows)("$row", ({ rule }) => {
  const drafts = wantedBy(rule.recipientRoles.includes("tenant")).map((wanted) => completeDraft(rule, wanted));
  const lacking = drafts.chain((draft) =>
    fc.record({ draft: fc.constant(draft), removed: fc.subarray(requiredOf(draft, rule.requires)) }),
  );

  test("is the rule of a draft made for it, and finds nothing wanting in it", () => {
    fc.assert(
      fc.property(drafts, (draft) => {
        expect(findRule(draft)).toEqual({ rule });
        expect(evaluateIntent(draft, knownOf(draft)).rule).toEqual({ status: "enabled", missingRequirements: [] });
      }),
    );
  });

  test("names every required field that was left out, and no other one", () => {
    fc.assert(
      fc.property(lacking, ({ draft, removed }) => {
        const found = missing(
          removed.reduce((left, path) => put(left, path), draft),
          knownOf(draft),
        );
        expect(found.filter((path) => removed.includes(path)).toSorted()).toEqual(removed.toSorted());
        const fields = new Set(requiredOf(draft, rule.requires));
        expect(found.filter((path) => fields.has(path) && !removed.includes(path))).toEqual([]);
      }),
    );
  });

  test("forgets exactly the field that is filled in", () => {
    fc.assert(
      fc.property(lacking, ({ draft, removed }) => {
        const known = knownOf(draft);
        const less = removed.reduce((left, path) => put(left, path), draft);
        const fields = requiredOf(draft, rule.requires);
        const before = missing(less, known).filter((path) => fields.includes(path));
        for (const path of removed) {
          const after = missing(put(less, path, valueAt(draft, path)), known).filter((other) => fields.includes(other));
          expect(after).toEqual(before.filter((other) => other !== path));
        }
      }),
    );
  });

  test.each(recipientRoles)("takes a recipient in the role %s only when it lists that role", (role) => {
    const [first, ...rest] = completeDraft(rule).recipients ?? [];
    const payeeId = role === "tenant" ? TENANT_PAYEE_ID : 5001;
    const draft = { ...completeDraft(rule), recipients: [{ ...first, role, connectorPayeeId: payeeId }, ...rest] };
    expect(missing(draft).includes("recipients.0.role")).toBe(!rule.recipientRoles.includes(role));
  });

  test.each(splitRoles)("takes the split role %s only when it lists it", (splitRole) => {
    const [first, ...rest] = completeDraft(rule).recipients ?? [];
    const draft = { ...completeDraft(rule), recipients: [{ ...first, splitRole }, ...rest] };
    expect(missing(draft)).toEqual(rule.splitRoles.includes(splitRole) ? [] : ["recipients.0.splitRole"]);
  });

  test("is gated for keys that lack its permission, and for nobody when it has none", () => {
    const draft = completeDraft(rule);
    const status = evaluateIntent(draft, knownOf(draft, { permissions: [] })).rule.status;
    expect(status).toBe(rule.gate === undefined ? "enabled" : "contract_gated");
  });
});

const rowOf = (useCase: string, deliveryMode: string) => {
  const found = namedRows.find(({ rule }) => rule.useCase === useCase && rule.deliveryMode === deliveryMode);
  if (found === undefined) throw new Error(`There is no row for ${useCase}`);
  return found.rule;
};
const changed = (draft: IntentDraft, index: number, change: (recipient: Recipient) => Recipient): IntentDraft => ({
  ...draft,
  recipients: (draft.recipients ?? []).map((recipient, at) => (at === index ? change(recipient) : recipient)),
});
const split = rowOf("education_provider_tuition_with_tenant_split", "manual");
const splitLink = rowOf("education_provider_tuition_with_tenant_split", "reusable_payment_link");
const payroll = rowOf("payroll_payment", "bulk");
const linkRows = namedRows.filter(({ rule }) => rule.executes === "link");

describe.each([
  ["manual", split],
  ["link", splitLink],
])("the shares of a %s split", (_, rule) => {
  test("sum to exactly 10000 basis points: neither percentages nor anything beside it will do", () => {
    const shares = fc.tuple(fc.integer({ min: 1, max: 20_000 }), fc.integer({ min: 1, max: 20_000 }));
    fc.assert(
      fc.property(fc.oneof(shares, fc.constant([90, 10]), fc.constant([9000, 1000])), ([first = 0, second = 0]) => {
        const draft = [first, second].reduce(
          (left, portionBps, index) =>
            changed(left, index, (recipient) => ({ ...recipient, amount: { ...recipient.amount, portionBps } })),
          completeDraft(rule),
        );
        expect(missing(draft)).toEqual(first + second === 10_000 ? [] : ["recipients.portionBpsSum"]);
      }),
      { examples: [[[90, 10]], [[9000, 1000]], [[9000, 999]], [[9000, 1001]]] },
    );
  });

  test("are not summed while one of them is missing", () => {
    const draft = put(completeDraft(rule), "recipients.1.amount.portionBps");
    expect(missing(draft)).toEqual(["recipients.1.amount.portionBps"]);
  });

  test("pay the tenant's leg to the tenant itself and to no other payee", () => {
    const draft = changed(completeDraft(rule), 1, (recipient) => ({ ...recipient, connectorPayeeId: 5002 }));
    expect(missing(draft)).toEqual(["recipients.1.connectorPayeeId"]);
  });
});

describe("a document of a split", () => {
  test("proves one leg only: a repeat is named once, as the check that it fails", () => {
    const draft = completeDraft(split);
    const proof = draft.recipients?.[0]?.purposeProofDocumentId ?? "";
    const repeated = changed(draft, 1, (recipient) => ({ ...recipient, purposeProofDocumentId: proof }));
    expect(missing(repeated)).toEqual(["documents.uniqueDocumentIds"]);
    const identity = put(draft, "instructions.manualPayment.payerIdentityDocumentId", proof);
    expect(missing(identity)).toEqual(["documents.uniqueDocumentIds"]);
  });
});

describe("a link", () => {
  test.each(linkRows)("of $row has one currency", ({ rule }) => {
    const wanted: Wanted[] = [5001, 5002].map((payeeId) => ({ role: "public_payee", payeeId, amount: "10.00" }));
    const draft = completeDraft(rule, wanted);
    expect(missing(draft)).toEqual([]);
    expect(missing(put(draft, "recipients.1.amount.currency", "CAD"))).toEqual(["recipients.currency"]);
  });

  test.each(linkRows)("of $row is in the currency in which each payee is paid", ({ rule }) => {
    const wanted: Wanted[] = [5001, CANADIAN_ID].map((payeeId) => ({ role: "public_payee", payeeId, amount: "10.00" }));
    const draft = put(completeDraft(rule, wanted), "recipients.1.amount.currency", "AUD");
    expect(missing(draft)).toEqual(["recipients.1.amount.currency"]);
  });

  test.each(linkRows)("of $row needs neither quote nor payer nor document", ({ rule }) => {
    const draft = completeDraft(rule);
    expect(draft.payer).toEqual({ role: "unknown_link_payer" });
    expect(draft).not.toHaveProperty("instructions");
    expect(missing(draft)).toEqual([]);
  });
});

describe("a link that holds its payers to a country", () => {
  const link = rowOf("education_provider_tuition", "reusable_payment_link");
  const path = "instructions.paymentLink.payFromCountryCode";

  test.each([
    [{ lockedFields: ["pay_from_country"], payFromCountryCode: "IN" }, []],
    [{ lockedFields: ["pay_from_country"] }, [path]],
    [{ lockedFields: ["pay_from_country"], payFromCountryCode: "KP" }, [path]],
    [{ lockedFields: [], payFromCountryCode: "KP" }, []],
  ] as const)("with %j lacks %j", (paymentLink, lacking) => {
    expect(missing({ ...completeDraft(link), instructions: { paymentLink } })).toEqual(lacking);
  });
});

describe("a batch", () => {
  const wanted: Wanted[] = [5001, CANADIAN_ID].map((payeeId) => ({ role: "public_payee", payeeId, amount: "10.00" }));

  test("pays every recipient in the payee's own currency, and names whoever is stated in another", () => {
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
    const batch = { ...known.connector, maxRecipients: 500 };
    const missingWith = (letter: string) => {
      const [recipient = {}] = completeDraft(payroll).recipients ?? [];
      const recipients = Array.from({ length: 500 }, () => ({ ...recipient, reference: letter.repeat(140) }));
      return missing({ ...completeDraft(payroll), recipients }, { ...known, connector: batch });
    };
    expect([missingWith("a"), missingWith("\u5b66")]).toEqual([[], ["recipients.size"]]);
  });

  test("needs no quote, and none is looked at", () => {
    const draft = put(completeDraft(payroll, wanted), "instructions.manualPayment.quoteId", "unknown");
    expect(missing(draft)).toEqual([]);
  });
});

describe("the currency beside what a recipient receives", () => {
  const row = rowOf("supplier_payment", "manual");

  test.each([
    ["AUD", []],
    ["BRL", ["recipients.0.amount.currency"]],
    ["USD", ["recipients.0.amount.currency"]],
  ])("is the payee's: of %s is found wanting %j", (currency, paths) => {
    expect(missing(put(completeDraft(row), "recipients.0.amount.currency", currency))).toEqual(paths);
  });

  test("that the payee's currency cannot carry is named as its amount", () => {
    const draft = put(completeDraft(row), "recipients.0.amount.payeeAmount", "100.001");
    expect(missing(draft)).toEqual(["recipients.0.amount.payeeAmount"]);
  });
});
