import { describe, expect, test } from "vitest";
import { payee, STUDENT_ID, storedIntent } from "../../test/intent-fixture.ts";
import { batchLeg } from "../../test/leg-fixture.ts";
import { intentPrivacy } from "../answers/privacy.ts";
import { legPrivacy } from "../batches/privacy.ts";
import type { Commission } from "../commissions/commission.ts";
import { commissionPrivacy } from "../commissions/privacy.ts";
import type { Execution, PaymentIntent } from "../intents/payment-intent.ts";
import type { Submission } from "../intents/submission.ts";
import { termsOf } from "../links/payment-link.ts";
import { linkTermsPrivacy } from "../links/privacy.ts";
import { testOutcomes } from "../rails/test-outcomes.ts";
import { erasedIn, eraseFrom, type Owner } from "./erasure.ts";

const ana = { firstName: "Ana", lastName: "Silva", email: "Ana@Example.com" };
const bob = { firstName: "Bob", lastName: "Berg", email: "bob@example.com" };
const erase = (changes: object, owners: readonly Owner[]) =>
  eraseFrom({ ...storedIntent(), ...changes } as PaymentIntent, intentPrivacy, owners);

describe("a record without somebody's details", () => {
  const copies = {
    payer: { role: "student", partyId: STUDENT_ID, details: ana } as const,
    subject: { role: "student", details: bob } as const,
    executions: [{ payer: ana, subject: bob, fee: "1.00" }] as unknown as Execution[],
    submission: { payer: ana, work: { order: { payerKey: "digest of Ana" } } } as Submission,
  };
  const record = storedIntent(copies);

  test("keeps role and party, and nothing of any copy, nor the key by which the rail knows payers apart", () => {
    expect(erase(copies, ["payer"])).toEqual({
      ...record,
      payer: { role: "student", partyId: STUDENT_ID },
      executions: [{ payer: {}, subject: bob, fee: "1.00" }],
      submission: { payer: {}, work: { order: { payerKey: "erased" } } },
    });
    expect(eraseFrom(batchLeg({ order: 0 }), legPrivacy, ["payer"])).toMatchObject({ payment: { payerKey: "erased" } });
  });

  test("keeps the payer, and the payer's key, where the person is only the subject", () => {
    expect(erase(copies, ["subject"])).toEqual({
      ...record,
      subject: { role: "student" },
      executions: [{ payer: ana, subject: {}, fee: "1.00" }],
    });
    expect(erase(copies, [])).toEqual(record);
  });
});

describe("references", () => {
  test("go from every record that has them, but for a tester's outcomes", () => {
    for (const reference of testOutcomes)
      expect(erase({ recipients: [{ reference }] }, ["anybody"])).toMatchObject({ recipients: [{ reference }] });
    const paymentLink = { reference: "20239991234" };
    expect(erase({ recipients: [{ reference: "for Ana" }], instructions: { paymentLink } }, ["anybody"])).toMatchObject(
      { recipients: [{ reference: "erased" }], instructions: { paymentLink: { reference: "erased" } } },
    );
    const recipients = [{ connectorPayeeId: 5001, amount: { payeeAmount: "5", currency: "AUD" } }];
    const terms = termsOf(storedIntent({ recipients, instructions: { paymentLink } }), new Map([[5001, payee(5001)]]));
    expect(eraseFrom(terms, linkTermsPrivacy, ["anybody"])).toEqual({ ...terms, reference: "erased" });
  });

  test.each<[string, object]>([
    ["an execution", { executions: [{ connectorPaymentIds: [11, 12] }] }],
    ["a submission", { submission: { work: { order: { connectorPaymentId: 12 } } } }],
    ["a submitted batch", { submission: { work: { connectorPaymentId: 12 } } }],
  ])("that are the id of %s stay, and other digits go", (_, own) => {
    const deposit = (reference: string, paid: string) => ({
      connectorPayment: { reference, payouts: [{ reference: paid }] },
    });
    expect(erase({ ...own, ...deposit("12", "13"), lastConnectorPaymentId: 13 }, ["anybody"])).toMatchObject(
      deposit("12", "erased"),
    );
  });

  test("of a recipient of a batch stay where they are the id of its payment", () => {
    const { payment, ...leg } = batchLeg({ order: 0 });
    const referring = (reference: string) => ({
      ...leg,
      payment: { ...payment, legs: payment.legs.map((line) => ({ ...line, reference })) },
    });
    expect(eraseFrom(referring("42"), legPrivacy, ["anybody"])).toEqual(referring("42"));
    expect(eraseFrom(referring("43"), legPrivacy, ["anybody"])).toEqual(referring("erased"));
  });
});

test("an erased record has no name, no source, no own ids, no notes and no details, and all else of it", () => {
  const { payer, recipients, ...record } = storedIntent();
  const [recipient] = recipients;
  const texts = { name: "For Ana", payerSource: "digest", externalId: "order/7", mayHaveMetadata: true };
  const named = { ...recipient, reference: "for Ana", externalId: "emp/7" };
  const erased = erase({ ...texts, metadata: { who: "Ana" }, payer: { ...payer, details: ana }, recipients: [named] }, [
    "payer",
    "anybody",
  ]);
  expect(erased).toEqual({ ...record, payer, recipients: [{ ...recipient, reference: "erased" }] });
});

test("a field that its table does not name goes, also in lists and by names that every object has", () => {
  const former = { nickname: "Ana", constructor: { name: "Ana" } };
  const { recipients, ...record } = storedIntent();
  const changes = {
    ...former,
    recipients: recipients.map((each) => ({ ...each, ...former })),
    instructions: "for Ana",
    executions: ["Ana", null],
    subject: null,
  };
  const { instructions, ...left } = { ...record, recipients, executions: [] };
  expect(erase(changes, [])).toStrictEqual(left);
});

test("a commission keeps all but the name of its student, whatever that is", () => {
  const commission = { paymentId: 7, studentName: testOutcomes[0], payeeName: "School" } as Commission;
  const erased = eraseFrom(commission, commissionPrivacy, ["anybody"]);
  expect(erased).toEqual({ ...commission, studentName: "erased" });
});

test("the fields that an erasure changes are listed by their paths", () => {
  expect(erasedIn(legPrivacy)).toEqual(["payment.payerKey", "payment.legs.reference", "payment.payer"]);
  expect(erasedIn(linkTermsPrivacy)).toEqual(["reference"]);
});
