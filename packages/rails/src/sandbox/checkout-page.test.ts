import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { checkoutPageHeaders, renderCheckoutPage as render } from "./checkout-page.ts";
import { checkoutTexts } from "./checkout-texts.ts";
import type { SandboxCheckout } from "./shown.ts";

const checkout = { state: "open", amount: "912.50", currency: "AUD", reference: "700000001", closesAtMs: 0 } as const;

const english = { language: "en", dir: "ltr", locale: "en" } as const;
const renderCheckoutPage = (shown: SandboxCheckout) => render(shown, english);

describe("renderCheckoutPage", () => {
  test("an open checkout posts one of two outcomes from one form, without a script", () => {
    const page = renderCheckoutPage(checkout);
    expect(page.match(/<form method="post"/g)).toHaveLength(1);
    expect(page).toContain('name="outcome" value="pay"');
    expect(page).toContain('name="outcome" value="decline"');
    expect(page).not.toMatch(/<script|\son\w+=|style="/);
    expect(page).toMatch(/<html lang="en" dir="ltr">.*<title>[^<]+<\/title>.*Test only.*AUD\s912\.50.*700000001/s);
  });

  test.each<SandboxCheckout["state"]>(["paid", "declined", "expired"])(
    "a checkout that is %s says so and offers nothing",
    (state) => {
      const page = renderCheckoutPage({ ...checkout, state });
      expect(page).not.toContain("<form");
      expect(page).toMatch(new RegExp(`<h1>[^<]*${state}`));
    },
  );

  test("that has ended leads its payer back to the page that the payment came from", () => {
    const returnUrl = `https://pay.example/pay/plink_x?payment=1&b="`;
    const paid = renderCheckoutPage({ ...checkout, state: "paid", returnUrl });
    expect(paid).toContain(
      '<a href="https://pay.example/pay/plink_x?payment=1&amp;b=&quot;">Back to the payment page</a>',
    );
    for (const without of [
      { ...checkout, returnUrl },
      { ...checkout, state: "paid" as const },
    ]) {
      expect(renderCheckoutPage(without)).not.toContain("<a ");
    }
  });

  test("text from outside is shown as text, and never runs", () => {
    const page = renderCheckoutPage({ ...checkout, reference: `<img src=x onerror='a()'>"&` });
    expect(page).toContain("&lt;img src=x onerror=&#39;a()&#39;&gt;&quot;&amp;");
    expect(page).not.toContain("<img");
  });

  test("a choice that came too late is answered with why it was not carried out", () => {
    expect(render({ ...checkout, state: "paid" }, english, "ended")).toContain(
      '<p role="alert">This payment had already ended.</p>',
    );
  });

  test.each(Object.entries(checkoutTexts))("in %s every text is that language's own", (language, texts) => {
    const own = Object.values(texts).flat();
    const english: readonly string[] = Object.values(checkoutTexts.en).flat();
    expect(own).toHaveLength(english.length);
    expect(own.filter((text) => /[<>&"{]/.test(text) || (language !== "en" && english.includes(text)))).toEqual([]);
  });

  test("a visitor's page is in the visitor's language and direction, and writes the amount as the visitor does", () => {
    const egyptian = { language: "ar", dir: "rtl", locale: "ar-EG" } as const;
    const page = render({ ...checkout, amount: "1234.50" }, egyptian);
    expect(page).toMatch(/<html lang="ar" dir="rtl">.*ادفع هذه الدفعة.*١٬٢٣٤٫٥٠/s);
    const swiss = { language: "de", dir: "ltr", locale: "de-CH" } as const;
    expect(render({ ...checkout, amount: "1234.50" }, swiss)).toMatch(/AUD\s1(&#39;|’)234\.50/);
    expect(render({ ...checkout, amount: "1234", currency: "JPY" }, swiss)).toMatch(/JPY\s1(&#39;|’)234</);
  });

  test("the page's policy allows exactly the style that is in it", () => {
    const [, style = ""] = /<style>(.*?)<\/style>/s.exec(renderCheckoutPage(checkout)) ?? [];
    const hash = createHash("sha256").update(style).digest("base64");
    expect(checkoutPageHeaders["content-security-policy"]).toContain(`style-src 'sha256-${hash}'`);
  });
});
