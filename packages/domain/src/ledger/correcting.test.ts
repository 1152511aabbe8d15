import { describe, expect, test } from "vitest";
import type { CorrectedOutcome } from "../standing/correction.ts";
import { bookCorrection, correctionRow, type Standing, standings } from "./correcting.ts";

const [receivable, settled, returned] = [
  "payer_receivable",
  "settled:provider_principal",
  "returned:provider_principal",
];
const nothing = undefined;

/** Debit and credit of each correction; where money stands already, nothing is booked. */
const table: Readonly<Record<Standing, Readonly<Record<CorrectedOutcome, readonly unknown[] | undefined>>>> = {
  released: { arrived: [receivable, settled], cameBack: [receivable, returned], neverMoved: nothing },
  failed: { arrived: [receivable, settled], cameBack: [receivable, returned], neverMoved: nothing },
  cancelled: { arrived: [receivable, settled], cameBack: [receivable, returned], neverMoved: nothing },
  settled: { arrived: nothing, cameBack: [settled, returned], neverMoved: [settled, receivable] },
  arrived: { arrived: nothing, cameBack: [settled, returned], neverMoved: [settled, receivable] },
  cameBack: { arrived: [returned, settled], cameBack: nothing, neverMoved: [returned, receivable] },
  neverMoved: { arrived: [receivable, settled], cameBack: [receivable, returned], neverMoved: nothing },
};
const outcomes = ["arrived", "cameBack", "neverMoved"] as const;
const rows = standings.flatMap((standing) => outcomes.map((outcome) => [standing, outcome] as const));

describe("a correction", () => {
  const recipient = {
    splitRole: "principal_provider_amount",
    ...{ executionId: "e1", order: 0 },
    ...{ payerAmount: { amount: "400.00", currency: "BRL" }, payeeAmount: { amount: "100.00", currency: "AUD" } },
  } as const;

  test.each(rows)("of a recipient that is %s and %s books the difference alone", (standing, outcome) => {
    const entries = bookCorrection(recipient, { standing, outcome, number: 3, at: "2026-11-23T09:00:00.000Z" });
    const sides = table[standing][outcome];
    expect(entries).toEqual(
      sides === undefined
        ? []
        : [
            {
              ...{ id: "e1#0#corrected-3", event: "corrected", debit: sides[0], credit: sides[1] },
              ...{ amount: "400.00", currency: "BRL", at: "2026-11-23T09:00:00.000Z" },
            },
          ],
    );
  });

  test.each(rows)(
    "of a recipient that is %s and %s says where the money is, what is earned, and whether it may be paid again",
    (...row) => {
      const states = { arrived: "delivered", cameBack: "returned", neverMoved: "failed" };
      const { state, commission, mayBePaidAgain } = correctionRow(...row);
      expect([state, mayBePaidAgain]).toEqual([states[row[1]], row[1] !== "arrived"]);
      const wasThere = row[0] === "settled" || row[0] === "arrived";
      const earned = row[1] === "arrived" ? "earned" : "taken back";
      expect(commission).toBe(wasThere === (row[1] === "arrived") ? undefined : earned);
    },
  );
});
