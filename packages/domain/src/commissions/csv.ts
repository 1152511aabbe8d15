import { ERASED } from "../privacy/subject.ts";
import type { Commission } from "./commission.ts";

/** The columns of an export: the fields of a commission in the order of SPEC, "Commission". */
export const commissionColumns = [
  "paymentId",
  "studentName",
  "payeeName",
  "payerAmount",
  "payerCurrency",
  "commissionAmount",
  "commissionCurrency",
  "commissionSpread",
  "paymentDate",
  "commissionRequestDate",
  "commissionPaidDate",
] as const satisfies readonly (keyof Commission)[];

/** The beginning of the file: a byte order mark, by which spreadsheets recognize UTF-8, and the header. */
export const csvHeader = (): string => `\uFEFF${csvLine(commissionColumns)}`;

export const toCsvRow = (commission: Commission): string =>
  csvLine(commissionColumns.map((column) => String(commission[column] ?? "")));

/** A file with the name `erased` for the student in the rows of these payments. */
export const eraseStudents = (csv: string, paymentIds: ReadonlySet<number>): string =>
  csv.replace(/^(\d+),("(?:[^"]|"")*"|[^",\r\n]*),/gm, (row, paymentId: string) =>
    paymentIds.has(Number(paymentId)) ? `${paymentId},${ERASED},` : row,
  );

/** One line of RFC 4180, in which no cell is run as a formula. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(toCell).join(",")}\r\n`;

function toCell(text: string): string {
  const harmless = toHarmless(text);
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** Separators of cells in spreadsheets that do not split at commas. */
const SEPARATORS = /([;|\t\r\n])/;
/** A sign that begins a formula, behind nothing but what spreadsheets ignore or do not show. */
const FORMULA = /^([\s\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800"]*)(?=[=+\-@﹢﹣﹦﹫＋－＝＠])/u;
const NEGATIVE = /^-\d+(\.\d+)?$/;

/** A text that a spreadsheet would run as a formula gets an apostrophe before the sign, which makes it plain text. */
const toHarmless = (text: string): string =>
  text
    .split(SEPARATORS)
    .map((part) => (NEGATIVE.test(part) ? part : part.replace(FORMULA, "$1'")))
    .join("")
    .replace(/^(?=[\t\r])/, "'");
