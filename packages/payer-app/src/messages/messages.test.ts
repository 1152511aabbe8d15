import { paymentMethods } from "@intents/domain/quotes/payment-methods.ts";
import { expect, test } from "vitest";
import { ar } from "./ar.ts";
import { de } from "./de.ts";
import { en, type Messages } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { hi } from "./hi.ts";
import type { Language } from "./languages.ts";
import { pt } from "./pt.ts";
import { zh } from "./zh.ts";

const placeholders = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).toSorted();
/** Keys whose texts are names, which are the same in every language. */
const names = ["bsb", "iban", "swift"];

test.each(Object.entries<Messages>({ es, pt, fr, de, zh, hi, ar } satisfies Omit<Record<Language, Messages>, "en">))(
  "%s has every text of English, in its own words",
  (_, messages) => {
    for (const [key, english] of Object.entries(en)) {
      const text = messages[key as keyof Messages];
      expect({ key, at: placeholders(text) }).toEqual({ key, at: placeholders(english) });
      if (names.includes(key)) expect(text).toBe(english);
    }
    const same = Object.keys(en).filter((key) => messages[key as keyof Messages] === en[key as keyof Messages]);
    expect(same.length).toBeLessThan(10);
    expect(same.filter((key) => key.endsWith("Title"))).toEqual([]);
  },
);

test("Mobile Money is called so in every language, whatever else explains it", () => {
  for (const messages of [en, es, pt, fr, de, zh, hi, ar])
    expect(messages["method_mobile-money"].toLowerCase()).toContain("mobile money");
});

test("every notice that a payment method gives has a text", () => {
  const keys = paymentMethods.flatMap(({ meta }) => meta.noticeKeys.map((key) => `notice_${key}`));
  expect(keys.filter((key) => !Object.hasOwn(en, key))).toEqual([]);
});

test("no text holds a number of its own, so that all figures have the digits of the locale", () => {
  // An example of a phone number is one to be dialled.
  for (const messages of [en, es, pt, fr, de, zh, hi, ar])
    expect(Object.entries(messages).filter(([key, text]) => key !== "phoneHint" && /\d/.test(text))).toEqual([]);
});
