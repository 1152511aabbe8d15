import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { Intent } from "../service/client.ts";
import { childrenOf, type PublicVariant, publishLink } from "../service/links.ts";
import { priceLinkBody, shareLinkBody, withRecipient } from "../service/scenarios-fixture.ts";
import { expectUsable } from "./browser.ts";
import { inBrowser } from "./tier.ts";

type Paid = Intent &
  Readonly<{
    recipients: readonly Readonly<{ amount: Readonly<{ payeeAmount: string }> }>[];
    executions: readonly Readonly<{ fee: string; legs: readonly Readonly<{ payerAmount: string }>[] }>[];
    connectorPayment?: Readonly<{ amount: string }>;
  }>;

/** A split of 87.65 % for a school and 12.35 % for the tenant, figures that nothing else contains by chance. */
const splitBody = () =>
  withRecipient(withRecipient(shareLinkBody(), 0, {}, { portionBps: 8765 }), 1, {}, { portionBps: 1235 });
const ENTERED = "1234.50";
const SCHOOL = "University of Sydney";

/** A text whose figures are digits alone, because languages write separators differently. */
const toPlain = (text: string): string =>
  text.replace(/[\u200e\u200f\u061c]/g, "").replace(/(?<=\d)[.,\u00a0\u202f](?=\d)/g, "");
const said = async (page: Page, place = "main"): Promise<string> =>
  toPlain((await page.locator(place).allInnerTexts()).join("\n"));
const digitsOf = (amount: string | number): string => Number(amount).toFixed(2).replace(".", "");
const tells = (text: string, amount: string | number): boolean =>
  new RegExp(`(?<!\\d)${digitsOf(amount)}(?!\\d)`).test(text);

inBrowser("amounts on the payer page", (tier) => {
  async function walk(locale: string): Promise<void> {
    const link = await publishLink(tier.client(), {}, splitBody());
    const { variants } = await link.payer.quote({ amount: ENTERED });
    const bank = variants[0];
    const ends = (amountOf: (variant: PublicVariant) => number) => {
      const amounts = variants.map(amountOf);
      return [Math.min(...amounts), Math.max(...amounts)];
    };
    const offered = [...ends(({ fromAmount }) => fromAmount), ...ends(({ feesAndCharges }) => feesAndCharges)];
    const views: string[] = [];
    const look = async (amounts: readonly number[], place?: string) => {
      const text = await said(page, place);
      expect(text).toContain(SCHOOL);
      expect(text).toContain("AUD");
      expect({ locale, text, missing: amounts.filter((amount) => !tells(text, amount)) }).toEqual({
        locale,
        text,
        missing: [],
      });
      views.push(toPlain(await page.content()));
    };

    const { page, next, choose, introduce, holdStatus, releaseStatus } = await tier.open(link, { locale });
    await holdStatus();
    await look([]);
    await page.locator("#amount").fill(ENTERED);
    await page.locator("#country").selectOption("BR");
    await page.locator(".field .notice:not(:empty)").waitFor();
    await look([1082.04], ".field .notice");
    await look([1082.04, ...offered], ".summary");

    await next();
    await page.locator(".method").first().waitFor();
    await look([1082.04, ...offered], ".summary");
    await look([1082.04, ...variants.flatMap((variant) => [variant.fromAmount, variant.feesAndCharges])]);
    await choose("dmt");
    const agreed = [1082.04, bank.feesAndCharges, bank.fromAmount];
    await page.locator("#email").waitFor();
    await look(agreed, ".summary");
    await introduce();
    await look(agreed, ".summary");

    await next();
    await page.locator(".copyable").waitFor();
    await look(agreed, ".centered .facts");
    expect(tells(await said(page, "h1"), bank.fromAmount)).toBe(true);
    await page.reload();
    await page.locator(".copyable").waitFor();
    await look(agreed, ".centered .facts");
    releaseStatus();
    await page.locator(".sign.good").waitFor();
    await look(agreed, ".centered .facts");

    const { children } = await childrenOf(tier.client(), link.id);
    const child = await tier.client().must<Paid>("GET", `/v2/payment-intents/${children[0]?.id}`);
    const { fee = "", legs = [] } = child.executions[0] ?? {};
    const [school = "", share = ""] = legs.map(({ payerAmount }) => payerAmount);
    expect(child.recipients.map(({ amount }) => amount.payeeAmount)).toEqual(["1082.04", "152.46"]);
    expect(digitsOf(child.connectorPayment?.amount ?? "")).toBe(digitsOf(bank.fromAmount));
    expect(digitsOf(Number(fee) + Number(share))).toBe(digitsOf(bank.feesAndCharges));
    expect(digitsOf(bank.feesAndCharges + Number(school))).toBe(digitsOf(bank.fromAmount));
    for (const view of views) {
      expect(["152.46", share, fee].filter((secret) => tells(view, secret))).toEqual([]);
      expect(view).not.toMatch(/12[.,]?35\s?%|1235\b(?!0)/);
    }
  }

  // Several payers go through the page at a time, because they mostly wait for their payments.
  test.each([[["en", "es", "pt", "fr"]], [["de", "zh", "hi", "ar"]]])(
    "in %j, every step says what the school gets and what else is charged, as it is settled then",
    async (locales) => void (await Promise.all(locales.map(walk))),
  );

  test("while an amount is typed no earlier price is shown, and going on asks for no quote twice", async () => {
    const { page, heading, next } = await tier.open(await publishLink(tier.client(), {}, splitBody()));
    const asked: unknown[] = [];
    let release = () => {};
    await page.route("**/quote", async (route) => {
      asked.push(route.request().postDataJSON().amount);
      if (asked.length === 2) await new Promise<void>((resolve) => (release = resolve));
      await route.continue();
    });
    const notice = page.locator(".field .notice");
    await page.locator("#country").selectOption("AU");
    await page.locator("#amount").fill("1000");
    await notice.getByText("876.50").waitFor();
    await expectUsable(page);
    await page.locator("#amount").fill("2000");
    await expect.poll(() => asked).toEqual(["1000", "2000"]);
    expect(await notice.textContent()).toBe("");
    expect(await said(page, ".summary")).not.toMatch(/\d{4}/);
    release();
    await notice.getByText("1,753.00").waitFor();
    await next();
    await heading("How would you like to pay?");
    expect(asked).toEqual(["1000", "2000"]);
    await page.goBack();
    await notice.getByText("1,753.00").waitFor();
  });

  test("a set price shows at first what is received, and with a country also what is charged", async () => {
    const link = await publishLink(tier.client(), { payFromCountryCode: "BR" }, priceLinkBody());
    const { variants } = await link.payer.quote();
    const charges = variants.map(({ feesAndCharges }) => feesAndCharges);
    const silent = await tier.open(link, { javaScriptEnabled: false });
    const first = await said(silent.page);
    expect(first).toMatch(/University of Sydney gets\s*AUD\s9900/);
    expect(first).toContain("you pay fees and charges");

    const { page, next, choose, introduce, holdStatus } = await tier.open(link);
    await page.locator(".summary .total").waitFor();
    const text = await said(page, ".summary");
    expect([99, Math.min(...charges), Math.max(...charges)].filter((amount) => !tells(text, amount))).toEqual([]);
    await holdStatus();
    await next();
    await choose("dmt");
    await introduce();
    await next();
    await page.locator(".copyable").waitFor();
    // A visitor with the payment's number alone does not see the agreed amounts.
    const other = await tier.open(link);
    await other.page.goto(page.url().replace(/#.*/, ""));
    await other.page.locator(".centered .facts").waitFor();
    const elsewhere = await said(other.page, ".centered .facts");
    expect([tells(elsewhere, 99), tells(elsewhere, charges[0] ?? 0)]).toEqual([true, false]);
  });
});
