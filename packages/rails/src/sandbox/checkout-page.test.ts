import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { checkoutPageHeaders, renderCheckoutPage } from "./checkout-page.ts";
import type { SandboxCheckout } from "./sandbox.ts";

const checkout = { state: "open", amount: "912.50", currency: "AUD", reference: "700000001", closesAtMs: 0 } as const;

describe("renderCheckoutPage", () => {
  test("an open checkout posts one of two outcomes from one form, without a script", () => {
    const page = renderCheckoutPage(checkout);
    expect(page.match(/<form method="post"/g)).toHaveLength(1);
    expect(page).toContain('name="outcome" value="pay"');
    expect(page).toContain('name="outcome" value="decline"');
    expect(page).not.toMatch(/<script|\son\w+=|style="/);
    expect(page).toMatch(/<html lang="en">.*<title>[^<]+<\/title>.*Test only.*912\.50 AUD.*700000001/s);
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
    const page = renderCheckoutPage({ ...checkout, reference: `<img src=x onerror='a()'>"&` }, "<b>late</b>");
    expect(page).toContain("&lt;img src=x onerror=&#39;a()&#39;&gt;&quot;&amp;");
    expect(page).toContain("&lt;b&gt;late&lt;/b&gt;");
    expect(page).not.toMatch(/<img|<b>/);
  });

  test("the page's policy allows exactly the style that is in it", () => {
    const [, style = ""] = /<style>(.*?)<\/style>/s.exec(renderCheckoutPage(checkout)) ?? [];
    const hash = createHash("sha256").update(style).digest("base64");
    expect(checkoutPageHeaders["content-security-policy"]).toContain(`style-src 'sha256-${hash}'`);
  });
});
