import { describe, expect, test } from "vitest";
import { STUDENT_ID, storedIntent } from "../../test/intent-fixture.ts";
import type { Execution, PaymentIntent } from "../intents/payment-intent.ts";
import { intentStatuses, isTerminal } from "../intents/statuses.ts";
import type { Submission } from "../intents/submission.ts";
import { isErasable, partyRoles, rolesOf, type Subject } from "./subject.ts";

const ana = { firstName: "Ana", lastName: "Silva", email: "Ana@Example.com" };
const bob = { firstName: "Bob", lastName: "Berg", email: "bob@example.com" };
const byEmail = (email: string): Subject => ({ partyIds: new Set(), email });
const plain: Partial<PaymentIntent> = { payer: { role: "family", details: bob }, executions: [] };
const naming = (changes: object) => storedIntent({ ...plain, ...changes } as Partial<PaymentIntent>);
const paidBy = (names: object) => ({
  executions: [{ payer: bob }, { payer: bob, ...names }] as unknown as Execution[],
});

describe("an intent names a person", () => {
  test.each(partyRoles)("as its %s by a party's id, or by an e-mail in whatever case", (role) => {
    const byParty = naming({ [role]: { role: "student", partyId: STUDENT_ID } });
    expect(rolesOf(byParty, { partyIds: new Set([STUDENT_ID]) })).toEqual([role]);
    expect(rolesOf(byParty, { partyIds: new Set(["another"]) })).toEqual([]);
    expect(rolesOf(naming({ [role]: { role: "student", details: ana } }), byEmail("ana@example.com"))).toEqual([role]);
  });

  test.each(partyRoles)("as its %s where a submission or any execution of it has frozen the e-mail", (role) => {
    expect(rolesOf(naming({ submission: { payer: bob, [role]: ana } }), byEmail("ana@example.com"))).toEqual([role]);
    expect(rolesOf(naming(paidBy({ [role]: ana })), byEmail("ana@example.com"))).toEqual([role]);
  });

  test("in every place in which it stands, and in none where nothing is known of it", () => {
    const both = naming({ payer: { role: "student", details: ana }, subject: { role: "student", details: ana } });
    expect(rolesOf(both, byEmail("ana@example.com"))).toEqual(["payer", "subject"]);
    expect(rolesOf(both, { partyIds: new Set() })).toEqual([]);
    const unknown = naming({ payer: { role: "student", details: { firstName: "Ana" } }, subject: { role: "student" } });
    expect(rolesOf(unknown, { partyIds: new Set() })).toEqual([]);
    expect(rolesOf(unknown, byEmail("ana@example.com"))).toEqual([]);
  });
});

test.each(intentStatuses)("an intent in %s can be erased once it has ended, or before it is submitted", (status) => {
  const isOpen = status === "draft" || status === "pending_link_payment";
  expect(isErasable(storedIntent({ status }))).toBe(isTerminal(status) || isOpen);
  const submission = {} as Submission;
  expect(isErasable(storedIntent({ status, submission }))).toBe(isTerminal(status));
});
