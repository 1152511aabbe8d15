import { ERASED, erasedIn } from "../privacy/erasure.ts";
import type { Commission } from "./commission.ts";
import { commissionPrivacy } from "./privacy.ts";

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

const erased = new Set(erasedIn(commissionPrivacy));
/** The columns of a row as far as its last one that an erasure changes. */
const erasedColumns = commissionColumns.slice(0, commissionColumns.findLastIndex((column) => erased.has(column)) + 1);
const CELL = /("(?:[^"]|"")*"|[^",\r\n]*)/.source;
const ERASED_COLUMNS = new RegExp(`^${erasedColumns.map(() => CELL).join(",")}`, "gm");

/** A file without the students in the rows of these payments. */
export const eraseStudents = (csv: string, paymentIds: ReadonlySet<number>): string =>
  csv.replace(ERASED_COLUMNS, (row, ...cells) =>
    paymentIds.has(Number(cells[0]))
      ? erasedColumns.map((column, at) => (erased.has(column) ? ERASED : cells[at])).join(",")
      : row,
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
