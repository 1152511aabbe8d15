import { expect, test } from "vitest";
import { pickSpeech } from "./languages.ts";

test.each([
  ["es", "ar", "es"],
  ["ES-mx", "", "es"],
  ["xx", "hi", "hi"],
  [undefined, "it, de;q=0.9, zh-TW;q=0.8, en;q=0.1", "de"],
  [undefined, "nl, fr-CA;q=0.7, de;q=0.6", "fr"],
  [undefined, "it, zh-TW;q=0.8, en;q=0.1", "zh"],
  [undefined, "en;q=0.5, pt;q=0.9", "pt"],
  [undefined, "ar;q=0, es;q=0.1", "es"],
  [undefined, "*", "en"],
  [undefined, undefined, "en"],
  ["__proto__", "toString, constructor;q=x", "en"],
])("?lang=%s and Accept-Language %j are %s", (asked, header, language) => {
  expect(pickSpeech(asked, header).language).toBe(language);
});

test.each([
  ["es-MX", "es-ES", "es-MX-u-ca-gregory-nu-latn"],
  [undefined, "es-MX,es;q=0.9,en-US;q=0.8", "es-MX-u-ca-gregory-nu-latn"],
  // A region is taken from a later tag of the same language, never from that of another one.
  [undefined, "es,es-419;q=0.9", "es-419-u-ca-gregory-nu-latn"],
  ["es", "en-US", "es-u-ca-gregory-nu-latn"],
  ["de", "fr-CH, de-CH;q=0.5", "de-CH-u-ca-gregory-nu-latn"],
  [undefined, "pt", "pt-BR-u-ca-gregory-nu-latn"],
  [undefined, "pt-PT", "pt-PT-u-ca-gregory-nu-latn"],
  // The texts are in simplified characters, and so are the names of countries.
  [undefined, "zh-Hant-TW", "zh-Hans-TW-u-ca-gregory-nu-latn"],
  [undefined, "ar-EG-u-nu-latn", "ar-EG-u-ca-gregory-nu-arab"],
  [undefined, "ar-SA-u-ca-islamic", "ar-SA-u-ca-gregory-nu-arab"],
  [undefined, "de-1901-x-nonsense-", "de-u-ca-gregory-nu-latn"],
  [undefined, "en-\u0000, en--, en-u, en-ZZZZZ", "en-u-ca-gregory-nu-latn"],
])("?lang=%s and Accept-Language %j write for %s", (asked, header, locale) => {
  expect(pickSpeech(asked, header).locale).toBe(locale);
});
