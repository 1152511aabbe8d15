import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { newSecret, publishLink } from "../service/links.ts";
import { expectUsable, SESSION } from "./browser.ts";
import { inBrowser } from "./tier.ts";

const languages = ["en", "es", "pt", "fr", "de", "zh", "hi", "ar"] as const;

/** The states that a payment has by an operator's record or a rail's word, and how they are told in English. */
const states = [
  ["looked into", { status: "completed", underReview: { since: "2026-11-23T10:00:00.000Z" } }, "being looked into"],
  ["returned", { status: "completed", money: "returned" }, "The payment came back"],
  ["received", { status: "executing", money: "received" }, "Your money has arrived"],
] as const;

/** Lets the page read another state of a payment. */
const tell = async (page: Page, state: object) => {
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.route(SESSION, async (route) => {
    const response = await route.fetch();
    const { data } = (await response.json()) as { data: Record<string, unknown> };
    const { nextAction: _, held: __, ...rest } = data;
    await route.fulfill({ response, json: { data: { ...rest, ...state } } });
  });
};

inBrowser(
  "a payment whose money is looked for",
  (tier) => {
    test.each(languages)("in %s says so, with whom to ask, and never asks to pay again", async (locale) => {
      const link = await publishLink(tier.client(), { isSingleUse: true });
      const secret = newSecret();
      const session = await link.payer.open(await link.payer.sessionBody(), secret);
      const { page } = await tier.open(link, { locale });
      for (const [name, state, words] of states) {
        await tell(page, state);
        await page.goto("about:blank");
        await page.goto(`${tier.client().url}/pay/plink_${link.token}#${secret}`);
        await page.locator(".facts").waitFor();
        const text = (await page.locator("main").allInnerTexts()).join("\n");
        if (locale === "en") expect({ name, text }).toEqual({ name, text: expect.stringContaining(words) });
        const main = page.locator("main .card :is(button, .button):not(.quiet, .link):visible");
        expect({ name, main: await main.count() }).toEqual({ name, main: 0 });
        expect(text.includes("help@pay.example")).toBe(name !== "received");
        expect(text).toContain(String(session.nextAction["reference"]));
        await expectUsable(page);
      }
    });
  },
  { SANDBOX_SETTLE_SECONDS: "600", SUPPORT_CONTACT: "help@pay.example" },
);
