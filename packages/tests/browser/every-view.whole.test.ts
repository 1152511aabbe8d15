import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { finishCheckout, publishLink } from "../service/links.ts";
import { shareLinkBody } from "../service/scenarios-fixture.ts";
import { expectUsable, type Payer } from "./browser.ts";
import { inBrowser } from "./tier.ts";

/** A visitor of each language, and an amount that the visitor's locale and others read differently. */
const visitors = {
  en: ["en-US", "1.000"],
  ar: ["ar-EG", "1,000"],
  zh: ["zh-CN", "1.000"],
  es: ["es-MX", "1.000"],
  pt: ["pt-BR", "1,000"],
  fr: ["fr-FR", "1,000"],
  de: ["de-CH", "1.000"],
  hi: ["hi-IN", "1.000"],
} as const;
const languages = Object.entries(visitors);

/** Schemes differ in nothing but colours, which depend on no language: one of each direction is looked at in both. */
const darkToo = ["en", "ar"];

/** Looks at a view in a language. */
async function look(page: Page, language: string): Promise<void> {
  await page.emulateMedia({ colorScheme: "light" });
  await expectUsable(page);
  if (!darkToo.includes(language)) return;
  await page.emulateMedia({ colorScheme: "dark" });
  await expectUsable(page, ["color-contrast"]);
}

/** The steps of a payment by bank transfer, each with what can be wrong in it. */
async function pay(
  { page, next, choose, introduce, holdStatus, releaseStatus }: Payer,
  language: string,
  unclear: string,
) {
  await look(page, language);
  await page.locator("#amount").fill(unclear);
  await next();
  await page.locator(".choices button").first().waitFor();
  await page.locator("#country-error").waitFor();
  await look(page, language);
  await page.locator(".choices button").first().click();
  expect(await page.locator(".choices").count()).toBe(0);
  await page.locator("#amount").fill("1500");
  await page.locator("#country").selectOption("BR");
  await next();
  await page.locator(".method").first().waitFor();
  await next();
  await page.locator("#method-error").waitFor();
  await look(page, language);
  await choose("dmt");
  await page.locator("#email").waitFor();
  await next();
  await page.locator("#email-error").waitFor();
  await look(page, language);
  await introduce();
  await look(page, language);
  await holdStatus();
  await next();
  await page.locator(".copyable").waitFor();
  await look(page, language);
  releaseStatus();
  await page.locator(".sign.good").waitFor();
  await look(page, language);
}

const otherEnds = ["failed", "cancelled", "partially_completed", "requires_recovery"];

inBrowser("every view of the payer page", (tier) => {
  test.each(languages)("in %s on the way to a payment is usable", async (language, visitor) => {
    const [locale, unclear] = visitor;
    const payer = await tier.open(await publishLink(tier.client(), {}, shareLinkBody()), { locale });
    await pay(payer, language, unclear);
    expect(await payer.page.evaluate(() => document.documentElement.lang)).toBe(language);
  });

  test.each(languages)("in %s of a payment, or of none, is usable", async (language, [locale]) => {
    const single = await publishLink(tier.client(), { isSingleUse: true });
    const session = await single.payer.open(await single.payer.sessionBody({ method: "card" }));
    const { url } = tier.client();
    const { page } = await tier.open(single, { locale });
    const address = `${url}/pay/plink_${single.token}`;
    await page.goto(`${session.checkoutUrl}?lang=${language}`);
    await page.locator(`html[lang="${language}"] form`).waitFor();
    await expectUsable(page);
    let paymentStatus = "executing";
    await page.route("**/status?*", async (route) => {
      const response = await route.fetch();
      const { data } = (await response.json()) as { data: object };
      await route.fulfill({ response, json: { data: { ...data, paymentStatus } } });
    });
    for (paymentStatus of ["executing", ...otherEnds]) {
      const asked = page.waitForResponse("**/status?*");
      await page.goto(`${address}?payment=${session.paymentIntentId}`);
      await (await asked).finished();
      await look(page, language);
    }

    await finishCheckout(session.checkoutUrl ?? "", "pay");
    await single.payer.waitForPayment(session.paymentIntentId, "completed");
    for (const elsewhere of [address, `${address}?payment=${"7".repeat(24)}`, `${url}/pay/plink_x`, `${url}/pay/`]) {
      await page.goto(elsewhere);
      await page.locator("h1").waitFor();
      await look(page, language);
    }
  });

  const widths = [320, 390, 768, 1280, 1920];
  test.each(widths)(
    "at %d pixels, prices stand below each other, and fields beside each other in line",
    async (width) => {
      const viewport = { width, height: 900 };
      const { page, next, payFrom, choose } = await tier.open(await publishLink(tier.client()), { viewport });
      const edges = (selector: string, edge: "right" | "left" | "top") =>
        page
          .locator(selector)
          .evaluateAll(
            (elements, name) => elements.map((element) => Math.round(element.getBoundingClientRect()[name as "top"])),
            edge,
          );
      await payFrom("BR");
      await page.locator(".method").first().waitFor();
      const prices = await Promise.all([
        edges(".method-line:first-child > :last-child", "left"),
        edges(".method-line:first-child > :last-child", "right"),
      ]);
      expect(prices[0].length).toBeGreaterThan(2);
      expect(Math.min(...prices.map((column) => new Set(column).size))).toBe(1);
      await choose("dmt");
      await page.locator("#lastName").fill("Silva");
      await page.locator("#phone").fill("1");
      await next();
      await page.locator("#phone-error").waitFor();
      for (const pair of await page.locator(".pair:visible").all()) {
        const inputs = await pair
          .locator("input:visible")
          .evaluateAll((elements) =>
            elements
              .map((element) => element.getBoundingClientRect())
              .map(({ top, left, width: wide }) => ({ top, left, wide })),
          );
        const [one, other] = inputs;
        if (one === undefined || other === undefined) continue;
        expect(Math.round(one.wide)).toBe(Math.round(other.wide));
        expect(one.top === other.top || one.left === other.left).toBe(true);
      }
      const inner = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      expect(inner[0]).toBeLessThanOrEqual(inner[1] ?? 0);
    },
  );
});
