import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectUsable, WIDE } from "./browser.ts";
import { inBrowser } from "./tier.ts";

const titles = (page: Page) => page.locator(".exchanges b").allInnerTexts();
const said = (page: Page, text: string | RegExp) => page.getByRole("status").getByText(text).waitFor();

await inBrowser("the page at /", (tier) => {
  test("makes a payment by one button, and shows every request with its answer, and what the rail holds", async () => {
    const { page } = await tier.visit("/");
    await expectUsable(page);
    await page.getByRole("button", { name: "Make a payment", exact: true }).click();
    await said(page, "The payment is completed.");
    expect(await titles(page)).toEqual([
      "Look for the payee",
      "Create the payee",
      "Price it: a quote locks the rate",
      "Upload the payer’s passport",
      "Draft the payment",
      "Try it: a dry-run names what is missing",
      "Pay it, once",
      "Follow it to its end",
    ]);
    const last = page.locator(".exchanges details").last();
    await last.locator("summary").click();
    expect(await last.locator("pre").textContent()).toContain('"status": "completed"');
    const rail = page.getByRole("region", { name: "What the simulated rails hold" });
    await rail.getByText("settled").waitFor();
    expect(await rail.textContent()).toMatch(/sandbox \d+BRL [\d.]+ settled/);
    await expectUsable(page);
  });

  test("is used by keyboard alone, in the dark too", async () => {
    const { page } = await tier.visit("/", { ...WIDE, colorScheme: "dark" });
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await said(page, "The payment is completed.");
    await page.locator(".exchanges summary").first().focus();
    await page.keyboard.press("Enter");
    await page.locator(".exchanges pre").first().waitFor();
    await expectUsable(page);
  });

  test("publishes a link and opens its page in a window of its own", async () => {
    const { page } = await tier.visit("/", WIDE);
    const opening = page.context().waitForEvent("page");
    await page.getByRole("button", { name: "Make a payment link and open it" }).click();
    const opened = await opening;
    await opened.getByRole("heading", { level: 1, name: "What you are paying" }).waitFor();
    expect(await page.getByRole("link", { name: "Open its page" }).getAttribute("href")).toBe(opened.url());
  });

  test("tells in the service's own words why a key is refused, and sends it nowhere else", async () => {
    const { page } = await tier.visit("/");
    await page.getByLabel("API key").fill("demo:mistyped");
    await page.getByRole("button", { name: "Make a payment", exact: true }).click();
    await said(page, "[GEN9001] A valid X-API-Key is required");
    expect(await page.locator(".exchanges .refused").textContent()).toMatch(/^401, /);
    await expectUsable(page);
  });
});

await inBrowser(
  "the page at / of a deployed stage",
  (tier) => {
    test("knows no key, and asks for one before it sends anything", async () => {
      const { page } = await tier.visit("/");
      expect(await page.content()).not.toContain("demo-secret");
      expect(await page.getByLabel("API key").inputValue()).toBe("");
      await page.getByRole("button", { name: "Make a payment", exact: true }).click();
      expect(await page.locator("#key:invalid").count()).toBe(1);
      expect(await titles(page)).toEqual([]);
    });
  },
  { STAGE: "sandbox" },
);

await inBrowser(
  "the page at / in production",
  (tier) => {
    test("tells what the service is, and has neither keys nor anything to try", async () => {
      const { page } = await tier.visit("/");
      await page.getByRole("heading", { level: 1 }).waitFor();
      await expectUsable(page);
      expect(await page.content()).not.toMatch(/demo-secret|sandbox/);
      expect(await page.locator("button, input").count()).toBe(0);
    });
  },
  { STAGE: "production" },
);
