/** Digits that payers may type: Arabic, Persian, Devanagari and full-width ones stand for 0 to 9, ten by ten. */
const foreignDigits = "٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹०१२३४५६७८९０１２３４５６７８９";

/** Amounts with more digits cannot be carried exactly. */
const DIGITS_MAX = 15;

/**
 * The decimal string that a payer means by `text`, or undefined when it is no amount above zero with at most `decimals`
 * digits after the point. `point` is the locale's decimal separator; the other one of `.` and `,` may group thousands.
 */
export function parseAmount(text: string, decimals: number, point: string): string | undefined {
  const plain = text
    .replace(/[٠-٩۰-۹०-९０-９]/g, (digit) => String(foreignDigits.indexOf(digit) % 10))
    .replaceAll("٫", point)
    .replace(/[\s'’٬]/g, "");
  const group = point === "," ? "." : ",";
  const grouped = new RegExp(`^\\d{1,3}(\\${group}\\d{3})+(\\${point}\\d+)?$`).test(plain);
  const dotted = (grouped ? plain.replaceAll(group, "") : plain).replace(",", ".");
  const [, whole = "", fraction = ""] = /^(\d+)(?:\.(\d+))?$/.exec(dotted) ?? [];
  const isAmount = /[1-9]/.test(whole + fraction) && fraction.length <= decimals;
  if (!isAmount || whole.length + fraction.length > DIGITS_MAX) return undefined;
  return `${whole.replace(/^0+(?=\d)/, "")}${fraction === "" ? "" : `.${fraction}`}`;
}
