import { isDecimal, type Money } from "../amounts/money.ts";
import { isExternalId } from "../external-id.ts";
import { LINK_TOKEN_LENGTH } from "../ids.ts";
import { isCurrency } from "../reference/currency.ts";
import { fail, ok, type Result } from "../result.ts";

/** An id that leads to one payment, without looking at any other. */
export type KeyQuestion =
  | Readonly<{ by: "intent"; id: string }>
  /** Our own id of a payment at a rail (`connectorPaymentId`), which its payer quotes as the bank reference. */
  | Readonly<{ by: "payment"; paymentId: number }>
  | Readonly<{ by: "link"; token: string }>;

/** A search that has to look at payments one by one. */
export type Criterion =
  | Readonly<{ by: "money"; money: Money }>
  | Readonly<{ by: "email"; email: string }>
  /** A name, or a part of one, a reference, a payee's id, or an id that a rail has given. In lower case. */
  | Readonly<{ by: "text"; text: string }>;

/** A search: the key that the text may be, and the criterion if that key leads nowhere. */
export type Question = Readonly<{
  key?: KeyQuestion;
  /** The tenant's own id that it may be as well, of payments or of recipients. */
  externalId?: string;
  criterion: Criterion;
}>;

/** Reads the typed search; refuses, in one sentence, a text that could only find by chance. */
export function readQuestion(typed: string): Result<Question, string> {
  const text = typed.trim();
  if (text === "") return fail("Say what to look for");
  const money = readMoney(text);
  if (money !== undefined) return ok({ criterion: { by: "money", money } });
  if (DECIMAL_COMMA.test(text))
    return fail(`Write the amount with a point: ${text.replaceAll(".", "").replace(",", ".")}`);
  if (/^[\d.,]*[.,][\d.,]*$/.test(text)) return fail(`Name the currency of the amount: ${text} USD`);
  if (/^[^\s@]+@[^\s@]+$/.test(text)) return ok({ criterion: { by: "email", email: text.toLowerCase() } });
  const key = readKey(text);
  return ok({
    ...(key !== undefined && { key }),
    ...(isExternalId(text) && { externalId: text }),
    criterion: { by: "text", text: text.toLowerCase() },
  });
}

/** An amount with a currency as many countries write it: 1.500,00 BRL. */
const DECIMAL_COMMA = /^([a-z]{3}\s*)?(\d{1,3}(\.\d{3})+|\d+),\d{1,2}(\s*[a-z]{3})?$/i;

function readKey(text: string): KeyQuestion | undefined {
  if (/^[\da-f]{24}$/i.test(text)) return { by: "intent", id: text.toLowerCase() };
  if (/^\d{1,16}$/.test(text)) return { by: "payment", paymentId: Number(text) };
  const token = text.replace(/^.*plink_/, "");
  return token.length === LINK_TOKEN_LENGTH && /^[\w-]+$/.test(token) ? { by: "link", token } : undefined;
}

/** An amount with its currency before or behind it, and commas between thousands or none. */
function readMoney(text: string): Money | undefined {
  const [, before, number = "", behind] = /^([a-z]{3})?\s*([\d.,]+)\s*([a-z]{3})?$/i.exec(text) ?? [];
  if ((before === undefined) === (behind === undefined)) return undefined;
  const currency = (before ?? behind ?? "").toUpperCase();
  const amount = /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(number) ? number.replaceAll(",", "") : number;
  return isCurrency(currency) && isDecimal(amount) ? { amount, currency } : undefined;
}
