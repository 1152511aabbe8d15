import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { changed, completeDraft, knownOf, put, rowOf } from "../../test/scenario-fixture.ts";
import type { IntentDraft, Recipient } from "../scenarios/draft.ts";
import { evaluateIntent } from "./evaluate.ts";

const missing = (draft: IntentDraft, known = knownOf(draft)) => evaluateIntent(draft, known).rule.missingRequirements;

const split = rowOf("education_provider_tuition_with_tenant_split", "manual");
const splitLink = rowOf("education_provider_tuition_with_tenant_split", "reusable_payment_link");

describe.each([
  ["manual", split],
  ["link", splitLink],
])("the shares of a %s split", (_, rule) => {
  test("must sum to exactly 10000 basis points, so that percentages do not pass", () => {
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

describe.each([
  ["manual", split],
  ["link", splitLink],
])("a %s split", (_, rule) => {
  const legs = (...wanted: Recipient[]) => {
    const draft = completeDraft(rule);
    return missing({
      ...draft,
      recipients: (draft.recipients ?? []).map((recipient, index) => ({ ...recipient, ...wanted[index] })),
    });
  };

  test("pays a principal and the tenant; a commission paid to anybody but a school counts as the tenant's part", () => {
    const cut = { role: "public_payee", connectorPayeeId: 5002 } as const;
    const quoted = (paths: readonly string[]) => paths.filter((path) => !path.startsWith("instructions."));
    expect(legs({}, { splitRole: "tenant_service_fee" })).toEqual([]);
    expect(legs({ splitRole: "other" })).toEqual(["recipients.principalLeg"]);
    expect(
      quoted(legs({}, { ...cut, splitRole: "tenant_commission" }).filter((path) => !path.endsWith("currency"))),
    ).toEqual([]);
    expect(quoted(legs({}, { ...cut, splitRole: "other" }))).toEqual(["recipients.tenantLeg"]);
    expect(quoted(legs({}, cut))).toEqual(["recipients.tenantLeg"]);
  });

  test("whose school is paid as the tenant's part is reported for that alone", () => {
    expect(legs({ splitRole: "tenant_commission" })).toEqual(["recipients.0.splitRole"]);
    expect(legs({}, { splitRole: "principal_provider_amount" })).toEqual(["recipients.1.splitRole"]);
  });

  test("is searched for missing legs only once every role is known", () => {
    expect(missing({ ...completeDraft(rule), recipients: [] })).toContain("recipients");
    const draft = put(completeDraft(rule), "recipients.1.role");
    expect(missing(draft).filter((path) => path.startsWith("recipients."))).toEqual(["recipients.1.role"]);
  });
});

describe("a document of a split", () => {
  test("proves one leg only: a document named twice is one finding, under the name of its check", () => {
    const draft = completeDraft(split);
    const proof = draft.recipients?.[0]?.purposeProofDocumentId ?? "";
    const repeated = changed(draft, 1, (recipient) => ({ ...recipient, purposeProofDocumentId: proof }));
    expect(missing(repeated)).toEqual(["documents.uniqueDocumentIds"]);
    const identity = put(draft, "instructions.manualPayment.payerIdentityDocumentId", proof);
    expect(missing(identity)).toEqual(["documents.uniqueDocumentIds"]);
  });
});
