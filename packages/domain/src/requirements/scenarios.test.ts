import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { payee } from "../../test/intent-fixture.ts";
import {
  CANADIAN_ID,
  changed,
  completeDraft,
  knownOf,
  namedRows,
  put,
  rowOf,
  TENANT_PAYEE_ID,
  type Wanted,
} from "../../test/scenario-fixture.ts";
import { payeeKinds } from "../parties/payee.ts";
import type { IntentDraft } from "../scenarios/draft.ts";
import { findRule, type ScenarioRule } from "../scenarios/rules.ts";
import { recipientRoles, splitRoles } from "../scenarios/scenario.ts";
import { splitRolesByRole } from "../scenarios/split-role.ts";
import { evaluateIntent } from "./evaluate.ts";
import type { Facts } from "./finding.ts";
import { valueAt } from "./path.ts";

const missing = (draft: IntentDraft, known = knownOf(draft)) => evaluateIntent(draft, known).rule.missingRequirements;

/** The paths that the row requires of this draft, with one for each recipient in place of `*`. */
const requiredOf = (draft: IntentDraft, requires: readonly string[]): string[] =>
  requires.flatMap((path) =>
    path.includes("*") ? (draft.recipients ?? []).map((_, index) => path.replace("*", String(index))) : [path],
  );

/** Recipients that the row takes: up to two payees, and the tenant where the row allows or requires it. */
const wantedBy = ({ recipientRoles, recipientsMax = 2, needsLegs }: ScenarioRule) =>
  fc
    .record({
      payeeIds: fc.shuffledSubarray([5001, 5002, 5003], { minLength: 1, maxLength: recipientsMax }),
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
      const isPaid = needsLegs.length > 0 || (recipientRoles.includes("tenant") && withTenant);
      return isPaid ? [...others, tenant] : others;
    });

describe.each(namedRows)("$row", ({ rule }) => {
  const drafts = wantedBy(rule).map((wanted) => completeDraft(rule, wanted));
  const lacking = drafts.chain((draft) =>
    fc.record({ draft: fc.constant(draft), removed: fc.subarray(requiredOf(draft, rule.requires)) }),
  );

  test("is the rule of a draft made for it, and finds nothing missing in it", () => {
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

  test("no longer names a field once it is filled in, and still names all others", () => {
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

  const ofAnyKind = rule.recipientRoles
    .filter((role) => role !== "tenant")
    .flatMap((role) => [undefined, ...payeeKinds].map((kind) => ({ role, kind })));
  test.each(ofAnyKind)(
    "takes a payee whose kind is $kind as $role, but no company or person as a school",
    ({ role, kind }) => {
      const [first, ...rest] = completeDraft(rule).recipients ?? [];
      const draft = { ...completeDraft(rule), recipients: [{ ...first, role, connectorPayeeId: 5001 }, ...rest] };
      const known = knownOf(draft);
      const isTold = (tenantId: string): boolean => {
        const stated = payee(5001, { tenantId, ...(kind !== undefined && { kind }) });
        return missing(draft, { ...known, payees: new Map([...known.payees, [5001, stated]]) }).includes(
          "recipients.0.role",
        );
      };
      expect(isTold(known.tenantId)).toBe(role === "education_provider" && (kind === "company" || kind === "person"));
      // The kind of another tenant's payee stays secret.
      expect(isTold("another")).toBe(false);
    },
  );

  const paired = rule.recipientRoles.flatMap((role) => splitRoles.map((splitRole) => ({ role, splitRole })));
  test.each(paired)("takes the split role $splitRole of a $role only when both list it", ({ role, splitRole }) => {
    const payeeId = role === "tenant" ? TENANT_PAYEE_ID : 5001;
    const draft = changed(completeDraft(rule), 0, (first) => ({
      ...first,
      role,
      splitRole,
      connectorPayeeId: payeeId,
    }));
    const fits = rule.splitRoles.includes(splitRole) && splitRolesByRole[role].some((one) => one === splitRole);
    expect(missing(draft).includes("recipients.0.splitRole")).toBe(!fits);
    // A split needs its principal leg, so that a school in another split role gives one more finding.
    const others = missing(draft).filter((path) => path.startsWith("recipients.") && path !== "recipients.0.splitRole");
    expect(others).toEqual(
      fits && rule.needsLegs.length > 0 && splitRole !== "principal_provider_amount" ? ["recipients.principalLeg"] : [],
    );
  });

  test("is gated for keys that lack its permission, and for no key when it needs none", () => {
    const draft = completeDraft(rule);
    const status = evaluateIntent(draft, knownOf(draft, { permissions: [] })).rule.status;
    expect(status).toBe(rule.permission === undefined ? "enabled" : "contract_gated");
  });
});

const takenBy = (id: string) => `The intent is paid again already, by ${id}`;

const linkRows = namedRows.filter(({ rule }) => rule.executes === "link");

describe("a link", () => {
  const ofSeveral = linkRows.filter(({ rule }) => rule.recipientsMax === undefined);
  const tenant: Wanted = { role: "tenant", payeeId: TENANT_PAYEE_ID, amount: "10.00" };
  const pair = (rule: ScenarioRule, second: number): Wanted[] => [
    ...[5001, second].map((payeeId): Wanted => ({ role: "public_payee", payeeId, amount: "10.00" })),
    ...(rule.needsLegs.length > 0 ? [tenant] : []),
  ];

  test.each(ofSeveral)("of $row has one currency", ({ rule }) => {
    const draft = completeDraft(rule, pair(rule, 5002));
    expect(missing(draft)).toEqual([]);
    expect(missing(put(draft, "recipients.1.amount.currency", "CAD"))).toEqual(["recipients.currency"]);
  });

  test("of several currencies is reported once, beside whatever else is wrong with it", () => {
    const row = rowOf("education_provider_tuition", "reusable_payment_link");
    const currencies = put(completeDraft(row, pair(row, 5002)), "recipients.1.amount.currency", "CAD");
    const draft = put(currencies, "recipients.0.amount.payeeAmount", "10.001");
    expect(missing(draft)).toEqual(["recipients.currency", "recipients.0.amount.payeeAmount"]);
  });

  test.each(ofSeveral)("of $row is in the currency of every payee", ({ rule }) => {
    const draft = put(completeDraft(rule, pair(rule, CANADIAN_ID)), "recipients.1.amount.currency", "AUD");
    expect(missing(draft)).toEqual(["recipients.1.amount.currency"]);
  });

  test.each(linkRows)("of $row must be in its payee's currency", ({ rule }) => {
    const draft = completeDraft(rule);
    const inDollars = (draft.recipients ?? []).reduce(
      (left, _, index) => put(left, `recipients.${index}.amount.currency`, "CAD"),
      draft,
    );
    expect(missing(inDollars)).toEqual(["recipients.0.amount.currency"]);
  });

  test.each(linkRows.filter(({ rule }) => rule.recipientsMax === 1))(
    "of $row pays one recipient, and all of it",
    ({ rule }) => {
      const draft = completeDraft(rule);
      expect(evaluateIntent(draft, knownOf(draft)).limits).toEqual({ maxRecipients: 1 });
      expect(draft.recipients).toMatchObject([{ amount: { portionBps: 10_000 } }]);
      const { requirements } = evaluateIntent(completeDraft(rule, pair(rule, 5002)), knownOf(draft));
      expect(requirements).toMatchObject([
        { path: "recipients.maxRecipients", reason: "This scenario takes at most 1" },
      ]);
      expect(missing(put(draft, "recipients.0.amount.portionBps", 9_999))).toEqual(["recipients.portionBpsSum"]);
    },
  );

  test.each(linkRows)("of $row needs neither quote nor payer nor document", ({ rule }) => {
    const draft = completeDraft(rule);
    expect(draft.payer).toEqual({ role: "unknown_link_payer" });
    expect(draft).not.toHaveProperty("instructions");
    expect(missing(draft)).toEqual([]);
  });
});

describe("a link at a price that nobody can pay", () => {
  const link = rowOf("education_provider_tuition", "reusable_payment_link");
  const priced = (payeeAmount: string, paymentLink = {}) =>
    put({ ...completeDraft(link), instructions: { paymentLink } }, "recipients.0.amount.payeeAmount", payeeAmount);
  const fromBrazil = { lockedFields: ["pay_from_country"], payFromCountryCode: "BR" };

  test.each([
    ["0.05", {}, /takes 0\.14 to 2849500\.00 AUD/],
    ["3500000.00", {}, /takes 0\.14 to 2849500\.00 AUD/],
    ["0.05", fromBrazil, /takes 0\.\d\d to \d{8}\.\d\d BRL/],
    ["999999999999999.00", {}, /too large/],
  ])("of %s, with %j, is told the bounds", (amount, paymentLink, reason) => {
    const draft = priced(amount, paymentLink);
    expect(evaluateIntent(draft, knownOf(draft)).requirements).toMatchObject([
      { path: "recipients.totalAmount", reason: expect.stringMatching(reason) },
    ]);
  });

  test.each([
    ["0.14", {}],
    ["2849500.00", {}],
    ["100.00", fromBrazil],
  ])("takes %s, with %j", (amount, paymentLink) => {
    expect(missing(priced(amount, paymentLink))).toEqual([]);
  });
});

describe("a link that is locked to a country", () => {
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

describe("a reissue", () => {
  const row = rowOf("legacy_transaction_reissue", "manual");
  const draft = completeDraft(row);
  const path = "instructions.reissue.paymentIntentId";
  const found = (reissued: Partial<Facts>) =>
    evaluateIntent(draft, knownOf(draft, reissued)).requirements.map(({ path: at, reason }) => [at, reason]);

  const nothing = "No money of the intent has failed or come back";
  const chainOf = (recipients: number, perPayee: [string, number][] = []) => [
    { id: "p", corrections: [], again: { recipients, perPayee: new Map(perPayee) } },
  ];
  const some = chainOf(1);
  test.each<[string, Facts["reissued"], Facts["holder"], string | undefined]>([
    ["failed", { chain: some, status: "failed" }, undefined, undefined],
    ["was cancelled", { chain: some, status: "cancelled" }, undefined, undefined],
    ["was paid in part", { chain: some, status: "partially_completed" }, undefined, undefined],
    ["was paid, and came back", { chain: some, status: "completed" }, undefined, undefined],
    ["was paid", { chain: chainOf(0), status: "completed" }, undefined, nothing],
    ["is under way", { chain: chainOf(0), status: "executing" }, undefined, "The intent is executing"],
    [
      "failed and is paid again by another",
      { chain: some, status: "failed", by: "b" },
      { intentId: "a" },
      takenBy("b"),
    ],
    ["failed and is paid again by nobody stored", { chain: some, status: "failed", by: "b" }, undefined, takenBy("b")],
    [
      "failed and is paid again by this very one",
      { chain: some, status: "failed", by: "a" },
      { intentId: "a" },
      undefined,
    ],
  ])("of an intent that %s is judged by that", (_, reissued, holder, reason) => {
    const changes = { ...(reissued && { reissued }), ...(holder && { holder }) };
    expect(found(changes)).toEqual(reason === undefined ? [] : [[path, reason]]);
  });

  test("pays no payee the money that it has, of any intent that it would pay again", () => {
    const [{ connectorPayeeId = 0 } = {}] = draft.recipients ?? [];
    const about = (...chain: ReturnType<typeof chainOf>) => found({ reissued: { chain, status: "failed" } });
    expect(about(...some, ...chainOf(1, [[String(connectorPayeeId), 0]]))).toEqual([
      ["recipients.0.connectorPayeeId", "This recipient has the money of the payment that is paid again"],
    ]);
    expect(about(...chainOf(1, [[String(connectorPayeeId), 1]]))).toEqual([]);
  });

  test("of an intent that does not exist says so", () => {
    const { reissued, ...unknown } = knownOf(draft);
    const { requirements } = evaluateIntent(draft, unknown);
    expect(requirements.map(({ path: at, reason }) => [at, reason])).toEqual([[path, "No intent has this id"]]);
  });

  test("states an amount for each recipient, on either side", () => {
    const without = put(draft, "recipients.0.amount");
    expect(missing(without)).toEqual(["recipients.0.amount.payerAmount"]);
    expect(missing(put(draft, "recipients.0.amount", { payeeAmount: "1000.00" }))).toEqual([]);
  });
});

describe("the currency beside what a recipient receives", () => {
  const row = rowOf("supplier_payment", "manual");

  test.each([
    ["AUD", []],
    ["BRL", ["recipients.0.amount.currency"]],
    ["USD", ["recipients.0.amount.currency"]],
  ])("must be the payee's: %s gives the findings %j", (currency, paths) => {
    expect(missing(put(completeDraft(row), "recipients.0.amount.currency", currency))).toEqual(paths);
  });

  test("whose amount has more decimals than the payee's currency is reported at that amount", () => {
    const draft = put(completeDraft(row), "recipients.0.amount.payeeAmount", "100.001");
    expect(missing(draft)).toEqual(["recipients.0.amount.payeeAmount"]);
  });
});
