import { test } from "vitest";
import { newSecret, publishLink } from "../service/links.ts";
import { shareLinkBody, withRecipient } from "../service/scenarios-fixture.ts";
import type { Payer } from "./browser.ts";
import { enlargeText, expectWhole, NARROW } from "./narrow.ts";
import { inBrowser } from "./tier.ts";

/** A name of one word that no line holds. */
const LONG_NAME = "Rindfleischetikettierungsueberwachungsaufgabenuebertragungsgesetzgebungsakademie".slice(0, 79);
const reference = "SANDBOX-OVERDUE";

inBrowser(
  "at 320 pixels, with text of twice the usual size",
  (tier) => {
    async function newLink(paymentLink: object = {}) {
      const { id } = await tier.client().newPayee({ name: LONG_NAME });
      const body = withRecipient(shareLinkBody(), 0, { role: "public_payee", connectorPayeeId: id });
      return publishLink(tier.client(), { reference, ...paymentLink }, body);
    }

    /** The steps to a bank transfer of as much as is paid in money of many digits. */
    async function walk({ page, next, choose }: Payer) {
      await enlargeText(page);
      await expectWhole(page);
      await next();
      await page.locator("#amount-error").waitFor();
      await expectWhole(page);
      await page.locator("#amount").fill("1234567.5");
      await page.locator("#country").selectOption("ID");
      await page.locator(".field .notice:not(:empty)").waitFor();
      await expectWhole(page);
      await next();
      await page.locator(".method").first().waitFor();
      await next();
      await page.locator("#method-error").waitFor();
      await page.locator('.method input[value="dmt"]').check();
      await expectWhole(page);
      await choose("dmt");
      await page.locator("#email").waitFor();
      await page.locator("details summary").last().click();
      await next();
      await page.locator("#email-error").waitFor();
      await expectWhole(page);
      await page.locator("#firstName").fill(LONG_NAME);
      await page.locator("#lastName").fill(LONG_NAME);
      await page.locator("#email").fill(`${LONG_NAME.slice(0, 60)}@example.com`);
      const file = { mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.7 a passport") };
      await page.setInputFiles("#document", { name: `${LONG_NAME}.pdf`, ...file });
      await page.locator(".file").waitFor();
      await expectWhole(page);
      await next();
      await page.locator(".rows .link").first().waitFor();
      await expectWhole(page);
      await next();
      await page.locator(".copyable").waitFor();
      await expectWhole(page);
    }

    test.each(["en", "de-DE", "hi-IN", "ar-EG", "zh-CN"])(
      "in %s every step fits, and no figure breaks",
      async (locale) => {
        const payer = await tier.open(await newLink(), { ...NARROW, locale });
        await walk(payer);
      },
    );

    test.each(["en", "de-DE", "ar-EG"])("in %s every state of a payment fits, and no figure breaks", async (locale) => {
      const link = await newLink({ isSingleUse: true });
      const secret = newSecret();
      await link.payer.open(await link.payer.sessionBody({ amount: "1234567.5" }), secret);
      const other = await tier.open(link, { ...NARROW, locale });
      await enlargeText(other.page);
      await other.page.locator(".sign.waiting").waitFor();
      await expectWhole(other.page);
      const { page } = await tier.visit(`/pay/plink_${link.token}#${secret}`, { ...NARROW, locale });
      await enlargeText(page);
      await page.locator(".promise").click();
      await page.locator(".promise").waitFor({ state: "detached" });
      await page.locator(".centered summary").click();
      await expectWhole(page);
      await link.payer.giveBack(secret);
      await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
      await page.locator(".sign.bad").waitFor();
      await expectWhole(page);
    });
  },
  { SANDBOX_SETTLE_SECONDS: "600" },
);
