import { expect, test } from "vitest";
import { pickLanguage } from "./languages.ts";

test.each([
  ["es", "ar", "es"],
  ["ES-mx", "", "es"],
  ["xx", "hi", "hi"],
  [undefined, "fr, de;q=0.9, zh-TW;q=0.8, en;q=0.1", "zh"],
  [undefined, "en;q=0.5, pt;q=0.9", "pt"],
  [undefined, "ar;q=0, es;q=0.1", "es"],
  [undefined, "*", "en"],
  [undefined, undefined, "en"],
  ["__proto__", "toString, constructor;q=x", "en"],
])("?lang=%s and Accept-Language %j are %s", (asked, header, language) => {
  expect(pickLanguage(asked, header)).toBe(language);
});
