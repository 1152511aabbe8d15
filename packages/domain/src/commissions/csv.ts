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
export const csvHeader = (): string => `\uFEFF${toRow(commissionColumns)}`;

export const toCsvRow = (commission: Commission): string =>
  toRow(commissionColumns.map((column) => String(commission[column] ?? "")));

/** One line of RFC 4180. */
const toRow = (cells: readonly string[]): string => `${cells.map(toCell).join(",")}\r\n`;

/** A text that a spreadsheet would run as a formula gets a leading apostrophe, which makes it plain text. */
function toCell(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
