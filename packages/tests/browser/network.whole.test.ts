import { expect, test } from "vitest";
import { childrenOf, publishLink } from "../service/links.ts";
import { expectUsable, SESSION } from "./browser.ts";
import { inBrowser } from "./tier.ts";

const API = "**/v2/public/**";

inBrowser("a broken or slow network", (tier) => {
  test("that is slow says at every step what is being waited for", async () => {
    const link = await publishLink(tier.client());
    const { page, heading, choose, introduce, next } = await tier.open(link);
    let release = () => {};
    await page.route(API, async (route) => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      await route.fallback();
    });
    const waiting = async (text: string) => {
      await page.getByText(text).waitFor();
      await expectUsable(page);
      release();
    };
    await page.locator("#country").selectOption("BR");
    await next();
    await waiting("Getting today’s rate…");
    await choose("dmt");
    await introduce();
    await next();
    await waiting("Starting your payment…");
    await waiting("Looking for your payment…");
    await heading(/^(Transfer BRL|Payment complete)/);
  });

  test("that is lost while a payment is looked for is told of, and does not lose the payment", async () => {
    const link = await publishLink(tier.client());
    const { page, heading, next, goToReview, holdStatus } = await tier.open(link);
    await holdStatus();
    await goToReview();
    await next();
    await heading(/^Transfer BRL/);
    await page.route(SESSION, (route) => route.abort());
    await page.reload();
    await page.getByText("The status cannot be reached at the moment.").waitFor();
    await expectUsable(page);
    await page.unroute(SESSION);
    await heading("Payment complete");
  });

  const SCRIPT = "**/assets/client-*";

  test("that answers with another script, which fails, is named at once, and a reload mends the page", async () => {
    const { page, heading, next, offences } = await tier.open(await publishLink(tier.client()));
    await page.route(SCRIPT, (route) => route.fulfill({ body: "throw 1", contentType: "text/javascript" }));
    await page.reload();
    const notice = page.getByText("This page has not loaded completely");
    await notice.waitFor();
    // Wherever in the page its reader is, and a browser returns after a reload.
    await page.evaluate(() => scrollTo(0, 200));
    expect((await page.locator("#unready").boundingBox())?.y).toBeGreaterThanOrEqual(0);
    await page.unroute(SCRIPT);
    await page.getByRole("button", { name: "Load it again" }).click();
    await notice.waitFor({ state: "detached" });
    await page.locator("#country").selectOption("BR");
    await next();
    await heading("How would you like to pay?");
    offences.splice(0);
  });

  test("that brings the script late is told of after some seconds, until it is there", async () => {
    const { page } = await tier.open(await publishLink(tier.client()));
    await page.clock.install();
    let release = () => {};
    const late = new Promise<void>((resolve) => (release = resolve));
    await page.route(SCRIPT, async (route) => {
      await late;
      await route.continue();
    });
    await page.reload({ waitUntil: "commit" });
    const notice = page.getByText("This page has not loaded completely");
    await notice.waitFor({ state: "attached" });
    expect(await notice.isVisible()).toBe(false);
    await page.clock.fastForward(8_000);
    await notice.waitFor();
    release();
    await notice.waitFor({ state: "detached" });
  });

  test("that loses the answer to a payment, and then fails, pays once", async () => {
    const link = await publishLink(tier.client());
    const { page, heading, next, payFrom, choose, introduce } = await tier.open(link);
    await payFrom("BR");
    await choose("dmt");
    await introduce();
    await page.route("**/payer-session", async (route) => {
      await route.fetch();
      await route.abort();
    });
    await next();
    await page.getByText("you will not pay twice").waitFor();
    await page.unroute("**/payer-session");
    await page.route("**/payer-session", (route) => route.fulfill({ status: 500, json: { code: "[GEN9000]" } }));
    const failed = page.waitForResponse("**/payer-session");
    await next();
    await failed;
    await page.getByText("you will not pay twice").waitFor();
    await page.unroute("**/payer-session");
    await next();
    await heading(/^Transfer BRL/);
    expect((await childrenOf(tier.client(), link.id)).children).toHaveLength(1);
  });
});
