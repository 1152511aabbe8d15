import type { MessageKey } from "../messages/en.ts";
import type { AmountForm } from "../view.ts";

/**
 * The meaning of an entered text: one amount, as a decimal string; amounts of which the payer must choose one, that of
 * the payer's own locale first; or what is wrong with it.
 */
export type Reading = Readonly<{ amount: string } | { choices: readonly string[] } | { wrong: MessageKey }>;

type Convention = Pick<AmountForm, "point" | "group">;

/** The usual ways to write amounts. In each, spaces and apostrophes may group thousands as well. */
const usual: readonly Convention[] = [
  { point: ".", group: "," },
  { point: ",", group: "." },
  { point: "٫", group: "٬" },
];

/**
 * Reads an amount as the payer's locale writes it. A text that groups thousands as that locale does is clear, and so is
 * one that means the same in every usual way of writing that it fits. Any other is asked about: "1.000" is one to some
 * people and a thousand to others. An amount is above zero and has at most the decimals of its currency.
 */
export function readAmount(text: string, { currency, signs, decimals, point, group }: AmountForm): Reading {
  const named = [currency, ...signs].find((name) => text.toUpperCase().includes(name)) ?? "";
  const typed = toPlain(text.toUpperCase().replace(named, "")).trim();
  const unsigned = typed.replace(/^[-−]/, "");
  if (unsigned === "") return { wrong: "amountWrong" };
  const own = numberIn(unsigned, { point: toPlain(point), group: toPlain(group) || " " });
  const others = own?.isGrouped ? [] : usual.map((convention) => numberIn(unsigned, convention));
  const numbers = [own, ...others].filter((number) => number !== undefined);
  if (numbers.length === 0) return { wrong: "amountUnread" };
  if (typed !== unsigned) return { wrong: "amountWrong" };
  const distinct = [...new Map(numbers.map((number) => [`${number.whole}.${number.fraction}`, number])).values()];
  const verdicts = distinct.map((number) => judge(number, decimals));
  const choices = verdicts.flatMap((verdict) => ("amount" in verdict ? verdict.amount : []));
  const [verdict = { wrong: "amountUnread" as const }] = verdicts;
  return verdicts.length === 1 || choices.length === 0 ? verdict : { choices };
}

/** The value of a decimal digit of any script: Unicode has each ten of them in a row, from 0 on. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before += 1;
  return String(before % 10);
}

/** The text in plain digits, spaces and separators, without the marks of direction that locales write with amounts. */
const toPlain = (text: string): string =>
  text
    .normalize("NFKC")
    .replace(/[\u061c\u200e\u200f\u2066-\u2069]/g, "")
    .replace(/\p{Nd}/gu, digitOf)
    .replace(/[‘’ʼ]/g, "'")
    .replaceAll("،", ",")
    .replace(/\s+/g, " ");

/** A number without the zeros that say nothing, and whether the text groups its thousands. */
type Written = Readonly<{ whole: string; fraction: string; isGrouped: boolean }>;

/** The number that `text` is in one way of writing; thousands, lakhs and crores may be grouped by one separator. */
function numberIn(text: string, { point, group }: Convention): Written | undefined {
  const [whole = "", fraction, ...rest] = text.split(point);
  const isGrouped =
    new RegExp(`^[1-9]\\d{0,2}([${group} '])\\d{3}(\\1\\d{3})*$`).test(whole) ||
    new RegExp(`^[1-9]\\d?([${group} '])\\d{2}(\\1\\d{2})*\\1\\d{3}$`).test(whole);
  const isNumber = (isGrouped || /^\d*$/.test(whole)) && /^\d+$/.test(fraction ?? "0") && rest.length === 0;
  if (!isNumber) return undefined;
  const digits = whole.replace(/\D/g, "").replace(/^0+/, "") || "0";
  return { whole: digits, fraction: (fraction ?? "").replace(/0+$/, ""), isGrouped };
}

function judge({ whole, fraction }: Written, decimals: number): { amount: string } | { wrong: MessageKey } {
  if (fraction.length > decimals) return { wrong: "amountDecimals" };
  if (!/[1-9]/.test(whole + fraction)) return { wrong: "amountWrong" };
  return { amount: fraction === "" ? whole : `${whole}.${fraction}` };
}
