import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseCsv } from "../../test/csv-fixture.ts";
import type { Commission } from "./commission.ts";
import { commissionColumns, csvHeader, eraseStudents, toCsvRow } from "./csv.ts";

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

  const cellOf = (studentName: string) => parseCsv(toCsvRow({ ...commission, studentName }))[0]?.[1] ?? "";

  test.each(["=1+1", "+1", "-1+1", "-a", "@SUM(A1)", "＝1+1", "＠SUM(A1)", "\tx", "\rx"])(
    "makes no formula of %j",
    (studentName) => {
      expect(cellOf(studentName)).toBe(`'${studentName}`);
    },
  );

  test.each([
    ["x;=1+1", "x;'=1+1"],
    ["x|-1+1|+2", "x|'-1+1|'+2"],
    ["x\t＝1", "x\t'＝1"],
    ["x\n=1", "x\n'=1"],
    ["\u200b=1", "\u200b'=1"],
    ["\u00a0\u202e =1", "\u00a0\u202e '=1"],
    ['x; "=1"', 'x; "\'=1"'],
    ["x;;-5;=1", "x;;-5;'=1"],
  ])("makes no formula of any part of %j", (studentName, cell) => {
    expect(cellOf(studentName)).toBe(cell);
  });

  test.each(["-5", "-5.00", "x;-5.00", "a-b", "a=b@c", "Ana; Rui", "1+1"])("leaves %j as it is", (studentName) => {
    expect(cellOf(studentName)).toBe(studentName);
  });

  test("lets no part of a cell begin with a sign, whatever stands around it, but for a negative number", () => {
    const signs = ["=", "+", "-", "@", "＝", "＋", "－", "＠"];
    const hiding = [" ", "\u00a0", "\u200b", "\u2060", "\ufeff", "\u3000", '"', "\u00ad", "\u202e", "\0"];
    const unit = fc.constantFrom(...signs, ...hiding, ";", "|", "\t", "\r", "\n", ",", "a", "5", ".");
    fc.assert(
      fc.property(fc.string({ unit }), (studentName) => {
        const cell = cellOf(studentName);
        for (const part of cell.split(/[;|\t\r\n]/)) {
          const shown = [...part].filter((character) => !hiding.includes(character));
          if (!/^-\d+(\.\d+)?$/.test(part)) expect(signs).not.toContain(shown[0]);
        }
        expect(cell.replaceAll("'", "")).toBe(studentName);
      }),
      { numRuns: 500 },
    );
  });

  test("gives back every text that was put into it, but for the apostrophes", () => {
    const unit = fc.constantFrom('"', ",", "\r", "\n", "\t", "=", "@", "a", "é", "日", "🏫", "\uFEFF");
    const text = fc.string({ unit });
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { maxLength: 5 }), (names) => {
        const file = names
          .map(([studentName, payeeName]) => toCsvRow({ ...commission, studentName, payeeName }))
          .join("");
        const read = parseCsv(file);
        expect(read.map((row) => row.length)).toEqual(names.map(() => commissionColumns.length));
        const plain = (cell = "") => cell.replaceAll("'", "");
        expect(read.map(([, student, school]) => [plain(student), plain(school)])).toEqual(names);
      }),
    );
  });

  test("loses the students of the named payments, whatever their names, and nothing else", () => {
    const names = ["Ana", 'Silva, "Ana"', "", "Ana\r\n2,Bob,", "=1", "Bob"];
    const rows = names.map((studentName, paymentId) => ({ ...commission, studentName, paymentId }));
    const named = new Set([0, 1, 3, 4]);
    const erased = rows.map((row) => (named.has(row.paymentId) ? { ...row, studentName: "erased" } : row));
    const fileOf = (all: readonly Commission[]) => csvHeader() + all.map(toCsvRow).join("");
    expect(eraseStudents(fileOf(rows), named)).toBe(fileOf(erased));
    expect(eraseStudents("7,Ana,a version with fewer columns\r\n", new Set([7]))).toBe(
      "7,erased,a version with fewer columns\r\n",
    );
  });
});
