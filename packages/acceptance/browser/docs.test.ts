import { expect, test } from "vitest";
import { expectUsable, WIDE } from "./browser.ts";
import { inBrowser } from "./tier.ts";

await inBrowser("the documentation at /docs", (tier) => {
  test.each(["", "/reference", "/reference-payment-intents", "/errors", "/first-payment"])(
    "/docs%s can be read on a phone",
    async (path) => {
      const { page } = await tier.visit(`/docs${path}`);
      await expectUsable(page);
    },
  );

  test("is reached from /, searched, and read by keyboard alone, in the dark too", async () => {
    const { page } = await tier.visit("/", { ...WIDE, colorScheme: "dark" });
    await page.getByRole("link", { name: "Guides" }).press("Enter");
    await page.getByRole("heading", { level: 1, name: "Documentation" }).waitFor();
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("To the content");
    await page.getByLabel("Search").pressSequentially("createquote");
    await page.getByRole("list", { name: "Found" }).getByRole("link").first().press("Enter");
    await page.waitForURL("**/docs/reference-rates#createQuote");
    await page.getByRole("heading", { name: "POST /v2/quotes" }).waitFor();
    await expectUsable(page);
  });

  test("sends a request from its reference, and shows the answer", async () => {
    const { page } = await tier.visit("/docs/reference-rates", WIDE);
    const operation = page.locator("#createQuote");
    await operation.getByRole("button", { name: "Send" }).click();
    await operation
      .getByRole("status")
      .getByText(/^201, /)
      .waitFor();
    expect(await operation.locator("form pre").textContent()).toContain('"quoteId"');
    await operation.getByLabel("Body").fill("{");
    await operation.getByRole("button", { name: "Send" }).click();
    await operation.getByRole("status").getByText("The body is not JSON").waitFor();
    await expectUsable(page);
  });

  test("leads from the code of an error to what to do about it", async () => {
    const { page } = await tier.visit("/docs/reference-rates", WIDE);
    await page.locator("#createQuote details").last().locator("summary").click();
    await page.locator("#createQuote").getByRole("link", { name: "[QOT0003]" }).click();
    await page.waitForURL("**/docs/errors#qot0003");
    await page.getByRole("heading", { name: "[QOT0003]" }).waitFor();
  });
});

await inBrowser(
  "the documentation in production",
  (tier) => {
    test("has no form that sends a request, and knows no key", async () => {
      const { page } = await tier.visit("/docs/reference-rates");
      await page.getByRole("heading", { level: 1 }).waitFor();
      expect(await page.getByRole("button", { name: "Send" }).count()).toBe(0);
      expect(await page.content()).not.toContain("demo-secret");
    });
  },
  { STAGE: "production" },
);
