import { describe, expect, test } from "vitest";
import { storedIntent, tuition } from "../../test/intent-fixture.ts";
import { createdAtOf } from "../ids.ts";
import type { Caller } from "../parties/caller.ts";
import type { IntentDraft, Recipient } from "../scenarios/draft.ts";
import type { Execution, PaymentIntent } from "./payment-intent.ts";
import { cloneReissued, planDraft } from "./plan-draft.ts";

const reissue: IntentDraft = {
  ...tuition,
  useCase: "legacy_transaction_reissue",
  amountMode: "legacy_reissue",
  payer: { role: "student" },
  recipients: [],
};
const execution: Execution = {
  executionId: "e",
  connector: "sandbox",
  status: "failed",
  startedAt: "2026-11-21T09:00:00.000Z",
  connectorPaymentIds: [7],
  payer: {},
  currency: "BRL",
  fee: "1.00",
  legs: [],
};

/** The only recipient may be paid again. */
const all = new Set([0]);

/** The amount that a reissue of `original` takes over from its only recipient. */
function amountOf(amount: NonNullable<Recipient["amount"]>, original: Partial<PaymentIntent> = {}) {
  const recipients = [{ ...tuition.recipients[0], amount }];
  return cloneReissued(reissue, storedIntent({ recipients, ...original }), all).recipients?.[0]?.amount;
}

describe("a reissue takes over", () => {
  const both = { payerAmount: "4000.00", payeeAmount: "1000.00" };

  test("the amount that the original fixed, and not what its own quote made of it", () => {
    expect(amountOf(both)).toEqual({ payerAmount: "4000.00" });
    const supplier = { useCase: "supplier_payment", amountMode: "recipient_fixed", payer: { role: "tenant" } } as const;
    expect(amountOf(both, supplier)).toEqual({ payeeAmount: "1000.00" });
    expect(amountOf({ ...both, portionBps: 9000 })).toEqual({ payerAmount: "4000.00", portionBps: 9000 });
  });

  test("from a payment by a link, the amount that its payee was to get", () => {
    const child = {
      deliveryMode: "payment_link_submission",
      amountMode: "free_entry_with_portions",
      payer: { role: "unknown_link_payer" },
    } as const;
    const shared = { portionBps: 10_000, currency: "AUD" };
    expect(amountOf({ ...shared, ...both }, child)).toEqual({ ...shared, payeeAmount: "1000.00" });
  });

  test("whatever amount there is, from a draft that lacks the one its scenario fixes", () => {
    expect(amountOf({ payeeAmount: "1000.00" })).toEqual({ payeeAmount: "1000.00" });
    expect(amountOf({})).toEqual({});
    const [{ amount: _amount, ...bare }] = tuition.recipients;
    const cloned = cloneReissued(reissue, storedIntent({ recipients: [bare] }), all);
    expect(cloned.recipients).toEqual([{ ...bare, reference: "reissued" }]);
  });

  test("those of its recipients alone that may be paid again, by their order", () => {
    const [first] = tuition.recipients;
    const recipients = [
      { ...first, order: 7 },
      { ...first, reference: "second", order: 0 },
      { ...first, reference: "third" },
    ];
    const copied = (...orders: number[]) =>
      cloneReissued(reissue, storedIntent({ recipients }), new Set(orders)).recipients?.map(
        ({ reference }) => reference,
      );
    expect(copied(0, 2)).toEqual(["second reissued", "third reissued"]);
    expect(copied()).toEqual([]);
  });

  test("the currency that the payer paid in, where only the original's quote allowed the payee's code instead", () => {
    const stated = { payerAmount: "4000.00", currency: "AUD" };
    expect(amountOf(stated, { executions: [execution] })).toEqual({ payerAmount: "4000.00", currency: "BRL" });
    expect(amountOf(stated)).toEqual(stated);
    expect(amountOf({ payerAmount: "4000.00" }, { executions: [execution] })).toEqual({ payerAmount: "4000.00" });
  });
});

describe("what a create stores", () => {
  const caller = { tenantId: "1001", userId: "ana" } as Caller;
  const ids = { id: "0193abcd0193abcd0193abcd", publicLinkId: "token" };
  const at = createdAtOf(ids.id);

  test("is a draft of its caller, made at the time in its id, without executions", () => {
    const { recipients, ...rest } = tuition;
    const stored = {
      ...{ ...rest, id: ids.id, status: "draft", tenantId: "1001", version: 0, createdAt: at, updatedAt: at },
      ...{ createdBy: "ana", statusHistory: [{ status: "draft", at, by: "ana" }], executions: [] },
    };
    expect(planDraft(tuition, caller, ids)).toStrictEqual({ ...stored, recipients });
    expect(planDraft(rest, caller, ids)).toStrictEqual({ ...stored, recipients: [] });
  });

  test("has a public token if it is a link", () => {
    const link = { ...tuition, deliveryMode: "reusable_payment_link" } as const;
    expect(planDraft(link, caller, ids)).toMatchObject({ publicLinkId: "token" });
  });
});

describe("the people of a reissue", () => {
  const original = storedIntent({
    payer: { role: "student", partyId: "p1" },
    subject: { role: "student", partyId: "s1" },
  });
  const people = (changes: Partial<IntentDraft>) => {
    const { payer, subject } = cloneReissued({ ...reissue, ...changes }, original, all);
    return { payer, subject };
  };

  test("are those of the original, unless it names its own or has another role", () => {
    expect(people({})).toEqual({ payer: original.payer, subject: original.subject });
    for (const payer of [
      { role: "student", partyId: "p2" },
      { role: "student", details: { firstName: "Bo" } },
      { role: "family" },
    ] as const)
      expect(people({ payer })).toEqual({ payer, subject: original.subject });
    const subject = { role: "student", partyId: "s2" } as const;
    expect(people({ subject })).toEqual({ payer: original.payer, subject });
    expect(cloneReissued(reissue, storedIntent(), all)).not.toHaveProperty("subject", undefined);
  });

  test("come with the recipients of the original, with marked references, unless it names its own", () => {
    const recipients = [{ connectorPayeeId: 5001, reference: "r".repeat(140) }];
    const copy = cloneReissued(reissue, storedIntent({ recipients }), all).recipients;
    expect(copy?.[0]?.reference).toBe(`${"r".repeat(131)} reissued`);
    const own = [{ connectorPayeeId: 5002 }];
    expect(cloneReissued({ ...reissue, recipients: own }, storedIntent({ recipients }), all).recipients).toEqual(own);
    const { recipients: _none, ...without } = reissue;
    expect(cloneReissued(without, storedIntent({ recipients }), all).recipients).toHaveLength(1);
  });
});
