import type { Page, Route } from "playwright-core";
import { expect, test } from "vitest";
import { childrenOf, publishLink } from "../service/links.ts";
import { expectUsable, pdfFile, SESSION } from "./browser.ts";
import { inBrowser } from "./tier.ts";

/** A network that loses every request, or every answer. */
const losses: Readonly<Record<string, (route: Route) => Promise<void>>> = {
  requests: (route) => route.abort(),
  answers: async (route) => {
    await route.fetch();
    await route.abort();
  },
};
const API = "**/v2/public/**";
const JS = "text/javascript";

inBrowser("a broken or slow network", (tier) => {
  /** Does something without a network, sees what the page says of it, and does it again with one. */
  async function retry(page: Page, lose: (route: Route) => Promise<void>, action: () => Promise<void>, said: string) {
    await page.route(API, lose);
    await action();
    await page.getByText(said).first().waitFor();
    await expectUsable(page);
    await page.unroute(API);
    await action();
  }

  test.each(Object.entries(losses))(
    "that loses %s is told of at every step, and the next try goes on",
    async (_, lose) => {
      const link = await publishLink(tier.client());
      const { page, heading, next, choose, introduce, holdStatus, releaseStatus } = await tier.open(link);
      await page.locator("#country").selectOption("BR");
      await retry(page, lose, next, "The connection was lost.");
      await choose("dmt");
      await heading("Who is paying?");
      const attach = () => page.setInputFiles("#document", pdfFile);
      await retry(page, lose, attach, "passport.pdf could not be uploaded.");
      await page.locator(".file").waitFor();
      await introduce();
      await page.route(API, lose);
      await next();
      await page.getByText("you will not pay twice").waitFor();
      await expectUsable(page);
      await page.unroute(API);
      await holdStatus();
      await next();
      await heading(/^Transfer BRL/);
      await page.route(API, lose);
      await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
      await page.getByText("The status cannot be reached at the moment.").waitFor();
      await heading(/^Transfer BRL/);
      await expectUsable(page);
      releaseStatus();
      await page.unroute(API);
      await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
      await heading("Payment complete");
      expect((await childrenOf(tier.client(), link.id)).children).toHaveLength(1);
    },
  );

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

  test.each([
    ["loses the script", (route: Route) => route.abort()],
    ["answers with another script, which fails", (route: Route) => route.fulfill({ body: "throw 1", contentType: JS })],
  ])("that %s is told of at once, and the page works once it is loaded again", async (_, lose) => {
    const { page, heading, next, offences } = await tier.open(await publishLink(tier.client()));
    await page.route(SCRIPT, lose);
    await page.reload();
    const notice = page.getByText("This page has not loaded completely");
    await notice.waitFor();
    // Wherever in the page its reader is, and a browser returns after a reload.
    await page.evaluate(() => scrollTo(0, 200));
    expect((await page.locator("#unready").boundingBox())?.y).toBeGreaterThanOrEqual(0);
    await expectUsable(page);
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

  test("that loses the style is no hindrance", async () => {
    const { page, goToReview } = await tier.open(await publishLink(tier.client()));
    await page.route("**/assets/page-*", (route) => route.abort());
    await page.reload();
    await goToReview();
    expect(await page.getByText("has not loaded completely").count()).toBe(0);
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

inBrowser("an older browser", (tier) => {
  test("pays without the functions that only newer ones have", async () => {
    const { page, heading, next } = await tier.open(await publishLink(tier.client()));
    await page.addInitScript(() => {
      Reflect.deleteProperty(AbortSignal, "timeout");
      Reflect.deleteProperty(Intl.NumberFormat.prototype, "formatRange");
    });
    await page.reload();
    await page.locator("#country").selectOption("BR");
    await next();
    await heading("How would you like to pay?");
  });

  test("that cannot run the page is told to be too old", async () => {
    const { page } = await tier.open(await publishLink(tier.client()));
    await page.addInitScript(() => Reflect.deleteProperty(Object, "hasOwn"));
    await page.reload();
    await page.getByText("This browser is too old to pay with.").waitFor();
    await expectUsable(page);
  });
});
