import { describe, expect, test } from "vitest";
import { STUDENT_ID, storedIntent } from "../../test/intent-fixture.ts";
import type { Execution, PaymentIntent } from "../intents/payment-intent.ts";
import { intentStatuses, isTerminal } from "../intents/statuses.ts";
import type { Submission } from "../intents/submission.ts";
import { testOutcomes } from "../rails/test-outcomes.ts";
import {
  eraseFrom,
  isErasable,
  partyRoles,
  rolesOf,
  type Subject,
  withoutDetails,
  withoutReferences,
} from "./subject.ts";

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

describe("a record without somebody's details", () => {
  const record = {
    payer: { role: "student", partyId: STUDENT_ID, details: ana },
    subject: { role: "student", details: bob },
    executions: [{ payer: ana, subject: bob, fee: "1.00" }, null],
    submission: { payer: ana, work: { order: { payerKey: "digest of Ana", legs: [1, "two", true] } } },
  };

  test("keeps role and party, and nothing of any copy, nor the key by which the rail tells payers apart", () => {
    expect(withoutDetails(record, ["payer"])).toEqual({
      payer: { role: "student", partyId: STUDENT_ID },
      subject: record.subject,
      executions: [{ payer: {}, subject: bob, fee: "1.00" }, null],
      submission: { payer: {}, work: { order: { payerKey: "erased", legs: [1, "two", true] } } },
    });
  });

  test("keeps the payer, and the payer's key, where the person is only the subject", () => {
    const { payer, submission } = record;
    expect(withoutDetails(record, ["subject"])).toEqual({
      ...{ payer, submission, subject: { role: "student" } },
      executions: [{ payer: ana, subject: {}, fee: "1.00" }, null],
    });
    expect(withoutDetails(record, [])).toEqual(record);
  });

  test("leaves a payer alone of whom only a word is kept", () => {
    expect(withoutDetails({ payer: "payer" }, ["payer"])).toEqual({ payer: "payer" });
  });
});

describe("references", () => {
  test("go wherever they stand, but for a tester's outcomes", () => {
    for (const reference of testOutcomes) expect(withoutReferences({ reference })).toEqual({ reference });
    const record = { recipients: [{ reference: "for Ana" }], terms: { reference: "20239991234", at: 7 }, reference: 7 };
    expect(withoutReferences(record)).toEqual({
      ...{ recipients: [{ reference: "erased" }], terms: { reference: "erased", at: 7 }, reference: 7 },
    });
  });

  test.each<[string, object]>([
    ["a payment", { paymentId: 12 }],
    ["a recipient of a batch", { legs: [{ payment: { connectorPaymentId: 12 } }] }],
    ["an execution", { executions: [{ connectorPaymentIds: [11, 12] }] }],
  ])("that are the id of %s stay, and the same digits elsewhere go", (_, own) => {
    const reference = "12";
    expect(withoutReferences({ ...own, connectorPayment: { reference } })).toEqual({
      ...own,
      connectorPayment: { reference },
    });
    expect(withoutReferences({ my: own, paymentIds: [13], otherPaymentId: 13, reference: "13" })).toMatchObject({
      reference: "erased",
    });
  });
});

test("an erased record has no name, no source, no details and no reference, and all else of it", () => {
  const { id, version, recipients } = storedIntent();
  const record = { id, version, name: "For Ana", payerSource: "digest", payer: { role: "student", details: ana } };
  const [recipient] = recipients;
  expect(eraseFrom({ ...record, recipients: [{ ...recipient, reference: "for Ana" }] }, ["payer"])).toEqual({
    ...{ id, version, payer: { role: "student" } },
    recipients: [{ ...recipient, reference: "erased" }],
  });
});
