import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Commission } from "./commission.ts";
import { commissionColumns, csvHeader, toCsvRow } from "./csv.ts";
import { parseCsv } from "./csv-fixture.ts";

const commission = {
  id: "x",
  paymentId: 7,
  studentName: "Ana Silva",
  payeeName: "University of Sydney",
  payerAmount: "4000.00",
  payerCurrency: "BRL",
  commissionAmount: "40.00",
  commissionCurrency: "BRL",
  commissionSpread: 0.01,
  paymentDate: "2026-10-31T23:59:59.999Z",
} as const satisfies Commission;

describe("a CSV file", () => {
  test("begins with a byte order mark and the names of the columns, in the order of the specification", () => {
    expect(csvHeader()).toBe(
      "\uFEFFpaymentId,studentName,payeeName,payerAmount,payerCurrency,commissionAmount,commissionCurrency," +
        "commissionSpread,paymentDate,commissionRequestDate,commissionPaidDate\r\n",
    );
  });

  test("has one row for each commission, with empty cells for dates that have not come", () => {
    expect(toCsvRow(commission)).toBe(
      "7,Ana Silva,University of Sydney,4000.00,BRL,40.00,BRL,0.01,2026-10-31T23:59:59.999Z,,\r\n",
    );
  });

  test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx"])("makes no formula of %j", (studentName) => {
    const [[, cell = ""] = []] = parseCsv(toCsvRow({ ...commission, studentName }));
    expect(cell).toBe(`'${studentName}`);
  });

  test("gives back every text that was put into it", () => {
    const unit = fc.constantFrom('"', ",", "\r", "\n", "\t", "=", "@", "a", "é", "日", "🏫", "\uFEFF");
    const text = fc.string({ unit });
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { maxLength: 5 }), (names) => {
        const file = names
          .map(([studentName, payeeName]) => toCsvRow({ ...commission, studentName, payeeName }))
          .join("");
        const read = parseCsv(file);
        expect(read.map((row) => row.length)).toEqual(names.map(() => commissionColumns.length));
        const harmless = (name: string) => (/^[=+\-@\t\r]/.test(name) ? `'${name}` : name);
        expect(read.map(([, student, school]) => [student, school])).toEqual(names.map((pair) => pair.map(harmless)));
      }),
    );
  });
});
