import { expect, test } from "vitest";
import { finishCheckout, publishLink } from "../service/links.ts";
import { expectUsable, WIDE } from "./browser.ts";
import { inBrowser } from "./tier.ts";

inBrowser("a link that somebody else is paying", (tier) => {
  /** A link for one payment whose checkout is open. */
  async function holdLink() {
    const link = await publishLink(tier.client(), { isSingleUse: true });
    const session = await link.payer.open(await link.payer.sessionBody({ method: "card" }));
    const { held } = (await link.payer.details()) as { held?: { until: string } };
    return { link, until: new Date(held?.until ?? ""), ...session, checkoutUrl: session.checkoutUrl ?? "" };
  }
  const momentOf = (date: Date, locale: string, timeZone: string): string =>
    new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short", timeZone }).format(date);
  const plain = (text: string) => text.replace(/\s/g, " ");

  test("says so first, with the time at which it opens, where the payer is", async () => {
    const { link } = await holdLink();
    const timezoneId = "Pacific/Auckland";
    const { page, heading } = await tier.open(link, { timezoneId });
    await heading("Somebody is already paying");
    expect(await page.locator("form, input, select").count()).toBe(0);
    const { held } = (await link.payer.details()) as { held: { until: string } };
    const text = plain((await page.locator("main").allInnerTexts()).join("\n"));
    // The end may have moved by a minute between the two questions.
    const near = [-60_000, 0, 60_000].map((ms) => momentOf(new Date(Date.parse(held.until) + ms), "en", timezoneId));
    expect(near.some((time) => text.includes(plain(time)))).toBe(true);
    for (const shown of ["GMT+13", "To University of Sydney", "University of Sydney gets AUD 99.00"])
      expect(text.replace(/\s+/g, " ")).toContain(shown);
    await expectUsable(page);
  });

  test("says so without a script, by a time that says its zone", async () => {
    const { link } = await holdLink();
    const { page, heading } = await tier.open(link, { javaScriptEnabled: false, timezoneId: "Asia/Tokyo" });
    await heading("Somebody is already paying");
    expect((await page.locator("main").allInnerTexts()).join("\n")).toMatch(/you can pay from .* UTC on/);
  });

  test.each([
    ["ar", "dark"],
    ["zh", "light"],
  ] as const)("is usable in %s, %s", async (locale, colorScheme) => {
    const { link } = await holdLink();
    const { page } = await tier.open(link, { ...WIDE, locale, colorScheme });
    await page.locator(".sign.waiting").waitFor();
    await expectUsable(page);
  });

  test("waits for it, asks at once when its window comes into view, and opens by itself once the other payment was declined", async () => {
    const { link, checkoutUrl, paymentIntentId } = await holdLink();
    const { page, heading } = await tier.open(link);
    await page.clock.install();
    await heading("Somebody is already paying");
    await page.reload();
    await heading("Somebody is already paying");
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith(link.token)) asked.push(request.method());
    });
    const answered = page.waitForResponse((response) => response.url().endsWith(link.token));
    await page.clock.fastForward(25_000);
    await answered;
    expect(asked).toEqual(["GET"]);
    await heading("Somebody is already paying");
    // While its clock is paused, the page asks because its window comes into view.
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 10_000));
    const looked = page.waitForResponse((response) => response.url().endsWith(link.token));
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await looked;
    await page.clock.resume();
    await finishCheckout(checkoutUrl, "decline");
    await link.payer.waitForPayment(paymentIntentId, "failed");
    await expect.poll(() => link.payer.details()).not.toHaveProperty("held");
    // Once alone: a second leap would be over the time that the page waits for an answer.
    await page.clock.fastForward(25_000);
    await heading("What you are paying");
  });

  test("says so to who has filled in the form, and is closed once it is paid", async () => {
    const link = await publishLink(tier.client(), { isSingleUse: true });
    const { heading, page, next, payFrom, choose, introduce } = await tier.open(link);
    await payFrom("BR");
    await choose("pix");
    await introduce();
    const session = await link.payer.open(await link.payer.sessionBody({ method: "card" }));
    await next();
    await page.getByRole("alert").getByText("Somebody is already paying").waitFor();
    await expectUsable(page);

    await finishCheckout(session.checkoutUrl ?? "", "pay");
    await link.payer.waitForPayment(session.paymentIntentId, "completed");
    await next();
    await heading("This payment link is closed");
    const later = await tier.open(link);
    await later.heading("This payment link is closed");
    await expectUsable(later.page);
  });
});
