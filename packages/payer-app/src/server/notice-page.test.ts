import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { pickSpeech } from "../messages/languages.ts";
import { renderNoticePage } from "./notice-page.ts";

test.each([
  [404, undefined, "en", "We cannot find this page"],
  [429, 3, "fr", "Trop de demandes sont venues de votre connexion. Réessayez dans 3 secondes."],
  [503, 61, "de", "Bitte versuchen Sie es in 2 Minuten wieder."],
  [503, 120, "zh", "请2分钟后重试。"],
  [500, undefined, "ar-EG", "حدث خطأ من جانبنا"],
  [503, 300, "ar-EG", "٥"],
  [400, undefined, "hi", "यह पेज इस तरह नहीं खुल सकता"],
])("%d, again in %s s, in %s says: %s", (statusCode, retryAfterSeconds, locale, text) => {
  expect(renderNoticePage(statusCode, retryAfterSeconds, pickSpeech(locale)).html).toContain(text);
});

test("the policy of a notice allows exactly the style that is in it", () => {
  const { html, headers } = renderNoticePage(404, undefined, pickSpeech("en"));
  const [, style = ""] = /<style>(.*?)<\/style>/s.exec(html) ?? [];
  const hash = createHash("sha256").update(style).digest("base64");
  expect(headers["content-security-policy"]).toContain(`style-src 'sha256-${hash}'`);
});
