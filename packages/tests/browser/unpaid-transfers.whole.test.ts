import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { finishCheckout, newSecret, publishLink } from "../service/links.ts";
import { expectUsable } from "./browser.ts";
import { inBrowser } from "./tier.ts";

const languages = ["en", "es", "pt", "fr", "de", "zh", "hi", "ar"] as const;
const mainButtons = (page: Page) => page.locator("main .card :is(button, .button):not(.quiet, .link):visible");
const textOf = async (page: Page) => (await page.locator("main").allInnerTexts()).join("\n");

const settings = { SANDBOX_SETTLE_SECONDS: "600", SUPPORT_CONTACT: "help@pay.example" };

inBrowser(
  "a transfer that keeps a link, until it is called off",
  (tier) => {
    /** A transfer that was begun over a link for one payment, or for many, and the address of its payer. */
    async function begin(isSingleUse = true, reference = "Fees") {
      const link = await publishLink(tier.client(), { isSingleUse, reference });
      const secret = newSecret();
      const session = await link.payer.open(await link.payer.sessionBody(), secret);
      return { ...link, secret, session, address: `/pay/plink_${link.token}#${secret}` };
    }

    test.each(languages)("in %s asks for the promise first, and speaks first to who has sent money", async (locale) => {
      const { payer, secret, session, address } = await begin();
      const { page } = await tier.visit(address, { locale });
      const promise = page.locator(".promise");
      await promise.waitFor();
      expect(await mainButtons(page).count()).toBe(1);
      await expectUsable(page);
      await promise.click();
      await promise.waitFor({ state: "detached" });
      expect(await page.locator(".transfer .note").first().textContent()).not.toBe("");
      await expectUsable(page);

      await payer.giveBack(secret);
      await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
      await page.locator(".sign.bad").waitFor();
      const reference = String(session.nextAction["reference"]);
      const first = await page.locator("main [role=status] .note").textContent();
      expect(first).toContain("help@pay.example");
      expect(first).toContain(reference);
      expect(await mainButtons(page).count()).toBe(0);
      const bank = session.nextAction["transactionBankDetails"] as { beneficiaryName: string; accountNumber: string };
      const facts = await page.locator(".facts").textContent();
      for (const fact of [reference, session.paymentIntentId, bank.beneficiaryName, bank.accountNumber.slice(-4)])
        expect(facts).toContain(fact);
      expect(facts).not.toContain(bank.accountNumber);
      await expectUsable(page);
    });

    test("is told its end in the payer's time, and that it is called off then", async () => {
      const { payer, secret, address } = await begin();
      const timezoneId = "Pacific/Auckland";
      const { page } = await tier.visit(address, { timezoneId });
      await page.locator(".promise").waitFor();
      const { held } = await payer.again(secret);
      const time = { hour: "numeric", minute: "2-digit", timeZoneName: "short" } as const;
      const day = { year: "numeric", month: "short", day: "numeric" } as const;
      const until = new Intl.DateTimeFormat("en", { ...day, ...time, timeZone: timezoneId });
      const text = (await textOf(page)).replace(/\s/g, " ");
      expect(text).toContain(
        `waits for you until ${until.format(new Date(held?.until ?? "")).replace(/\s/g, " ")}, and is then called off`,
      );
      expect(text).not.toContain("You do not need to do anything");
    });

    test("of a link for many payments needs no promise", async () => {
      const { address } = await begin(false);
      const { page } = await tier.visit(address);
      await page.locator(".copyable").waitFor();
      expect(await page.locator(".promise").count()).toBe(0);
      expect(await textOf(page)).toContain("You do not need to do anything after you have sent it.");
    });

    test("that has ended says so to who knows no more than its number, and names that", async () => {
      const { payer, secret, session, token } = await begin();
      await payer.giveBack(secret);
      const { page } = await tier.visit(`/pay/plink_${token}?payment=${session.paymentIntentId}`);
      await page.locator(".sign.bad").waitFor();
      expect(await page.locator("main [role=status] .note").textContent()).toContain(session.paymentIntentId);
      expect(await textOf(page)).not.toMatch(/\d{6} ?\d+\.\d\d|Ana Silva/);
      await expectUsable(page);
    });

    test("whose money came in says so by itself, and asks nothing", async () => {
      const { session, address } = await begin();
      const { page, heading } = await tier.visit(address);
      await page.locator(".promise").waitFor();
      const { executions } = await tier.client().getIntent(session.paymentIntentId);
      const [execution] = executions as readonly { connectorPaymentIds: readonly number[] }[];
      await tier.client().must("POST", `/sandbox/payments/${execution?.connectorPaymentIds[0]}/receive`);
      await heading("Your money has arrived");
      expect(await page.locator(".copyable, .promise").count()).toBe(0);
      expect(await textOf(page)).not.toContain("Changed your mind");
      await expectUsable(page);
    });

    test("by card has sent no money anywhere: its payer is led to a new payment at once", async () => {
      const link = await publishLink(tier.client(), { isSingleUse: true });
      const secret = newSecret();
      const session = await link.payer.open(await link.payer.sessionBody({ method: "card" }), secret);
      await finishCheckout(session.checkoutUrl ?? "", "decline");
      await link.payer.waitForPayment(session.paymentIntentId, "failed");
      const { page } = await tier.visit(`/pay/plink_${link.token}#${secret}`);
      await page.locator(".sign.bad").waitFor();
      expect(await page.locator("main .note").count()).toBe(0);
      expect(await mainButtons(page).textContent()).toBe("Start again");
      await expectUsable(page);
    });
  },
  settings,
);

inBrowser("a payer who comes back by the return address of a checkout", (tier) => {
  test("reads how the payment stands, and is asked last whether it was paid", async () => {
    const { page, goToReview, next, holdStatus, heading } = await tier.open(await publishLink(tier.client()));
    await goToReview("card");
    await holdStatus();
    await next();
    await page.getByRole("button", { name: "Pay", exact: true }).click();
    await page.getByRole("link", { name: "Back to the payment page" }).click();
    for (const _ of ["come back", "loaded again"]) {
      await heading("Your payment is being processed");
      expect(await textOf(page)).not.toContain("Not paid yet?");
      expect(await mainButtons(page).count()).toBe(0);
      const [facts, offer] = await Promise.all(
        [".facts", "main a[rel=noreferrer]"].map((selector) => page.locator(selector).boundingBox()),
      );
      expect(offer?.y).toBeGreaterThan(facts?.y ?? Number.POSITIVE_INFINITY);
      await expectUsable(page);
      await page.reload();
    }
  });

  test("but not whoever goes back from it without having paid", async () => {
    const { page, goToReview, next, heading } = await tier.open(await publishLink(tier.client()));
    await goToReview("card");
    await next();
    await page.getByRole("button", { name: "Pay", exact: true }).waitFor();
    await page.goBack();
    await heading("Your payment is being processed");
    await page.getByText("Not paid yet?").waitFor();
    expect(await mainButtons(page).textContent()).toBe("Go to the payment page");
  });
});
