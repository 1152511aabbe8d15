import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { withoutTrailingZeros } from "../amounts/money.ts";
import type { Recipient } from "../scenarios/draft.ts";
import { equalLines, referencesSent } from "./lines.ts";

const wage = (connectorPayeeId: number, payeeAmount: string, more: Partial<Recipient> = {}): Recipient => ({
  role: "public_payee",
  connectorPayeeId,
  amount: { payeeAmount, currency: "AUD" },
  ...more,
});

const recipients = fc.array(
  fc
    .record({
      payeeId: fc.constantFrom(1, 2),
      payeeAmount: fc.constantFrom("100", "100.00", "100.50", "100.5"),
      currency: fc.constantFrom("AUD", "CAD"),
      reference: fc.constantFrom(undefined, undefined, "June", "line 2"),
    })
    .map(({ payeeId, payeeAmount, currency, reference }) =>
      wage(payeeId, payeeAmount, { amount: { payeeAmount, currency }, ...(reference !== undefined && { reference }) }),
    ),
  { maxLength: 12 },
);

/** The fields of a leg that the rail's duplicate check compares. */
const fingerprint = ({ connectorPayeeId, amount }: Recipient, reference: string | undefined) =>
  JSON.stringify([
    connectorPayeeId,
    withoutTrailingZeros(amount?.payeeAmount ?? ""),
    amount?.currency,
    reference ?? null,
  ]);
const fingerprintsOf = (all: readonly Recipient[]) => {
  const sent = referencesSent(all);
  return all.map((recipient, index) => fingerprint(recipient, sent[index]));
};

describe("the references that a batch sends", () => {
  test("are the stated ones, and the number of the line for an equal wage that states none", () => {
    const all = [
      wage(1, "100"),
      wage(1, "100.00"),
      wage(2, "100"),
      wage(1, "100", { reference: "June" }),
      wage(1, "100.0"),
    ];
    expect(referencesSent(all)).toEqual([undefined, "line 2", undefined, "June", "line 3"]);
  });

  test("follow the order of the recipients, not their places", () => {
    expect(referencesSent([wage(1, "5", { order: 2 }), wage(1, "5", { order: 1 })])).toEqual(["line 2", undefined]);
  });

  test("are the same ones for the same wages in any order, so that a batch sent twice is found out", () => {
    fc.assert(
      fc.property(
        recipients.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        ([all, mixed]) => {
          expect(fingerprintsOf(mixed).toSorted()).toEqual(fingerprintsOf(all).toSorted());
        },
      ),
    );
  });

  test("differ for all payments that are not reported as equal", () => {
    fc.assert(
      fc.property(recipients, (all) => {
        const fingerprints = fingerprintsOf(all);
        const named = new Set(equalLines(all).flat());
        all.forEach((_, index) => {
          const isRepeated = fingerprints.filter((one) => one === fingerprints[index]).length > 1;
          expect(named.has(index)).toBe(isRepeated);
        });
        for (const group of equalLines(all)) expect(new Set(group.map((index) => fingerprints[index])).size).toBe(1);
      }),
    );
  });
});

describe("equal lines", () => {
  test("are equal in payee, amount by worth, currency and reference", () => {
    const june = { reference: "June" };
    expect(equalLines([wage(1, "100", june), wage(1, "100.00", june), wage(2, "100", june)])).toEqual([[0, 1]]);
    expect(equalLines([wage(1, "100", june), wage(1, "101", june), wage(1, "100", { reference: "May" })])).toEqual([]);
    // The equal wage is line 2, which is the reference that the third recipient states.
    expect(equalLines([wage(1, "5"), wage(1, "5"), wage(1, "5", { reference: "line 2" })])).toEqual([[1, 2]]);
  });

  test("are none while payee or amount are missing", () => {
    const june = { reference: "June" };
    expect(equalLines([june, june, { ...june, connectorPayeeId: 1 }, { ...june, connectorPayeeId: 1 }])).toEqual([]);
  });
});
