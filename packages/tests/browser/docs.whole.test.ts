import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readGroups } from "@intents/site/docs/calls.ts";
import { guideTitles } from "@intents/site/docs/guides.ts";
import { expect, test } from "vitest";
import { root } from "../house/tidy-fixture.ts";
import { expectUsable, pdfFile, WIDE } from "./browser.ts";
import { inBrowser } from "./tier.ts";

const document = JSON.parse(readFileSync(join(root, "docs/openapi.json"), "utf8"));

await inBrowser("the documentation at /docs", (tier) => {
  const pages = [...Object.keys(guideTitles), "reference", ...readGroups(document).map((group) => group.page)];
  test.each(["", ...pages.map((page) => `/${page}`)])(
    "/docs%s can be read on a phone, and in the dark",
    async (path) => {
      const { page } = await tier.visit(`/docs${path}`, { colorScheme: "dark" });
      await expectUsable(page);
      await page.emulateMedia({ colorScheme: "light" });
      await expectUsable(page, ["color-contrast"]);
    },
  );

  test("shows requests in the language that was chosen, there and on other pages", async () => {
    const { page } = await tier.visit("/docs/reference-rates", WIDE);
    const quote = page.locator("#createQuote .samples");
    await quote.getByText('curl "http').waitFor();
    await quote.getByRole("button", { name: "Python" }).click();
    await quote.getByText("requests.post(").waitFor();
    expect(await quote.getByText('curl "http').isVisible()).toBe(false);
    await page.locator("#getQuote .samples").getByText("requests.get(").waitFor();
    await page.getByRole("link", { name: "Documents", exact: true }).click();
    await page.waitForURL("**/docs/reference-documents");
    await page.locator("#uploadDocument .samples").getByText("requests.post(").waitFor();
    await expectUsable(page);
  });

  test("copies a request, and code of a guide, as they are", async () => {
    const { page } = await tier.visit("/docs/reference-rates", WIDE);
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    const samples = page.locator("#createQuote .samples");
    await samples.getByRole("button", { name: "TypeScript" }).click();
    await samples.getByRole("button", { name: "Copy" }).click();
    await samples.getByRole("button", { name: "Copied" }).waitFor();
    expect(await copied()).toMatch(/^import \{ openClient \} from "@intents\/client";\n\nconst client = /);
    await page.getByRole("link", { name: "Start with HTTP" }).click();
    const program = page.locator(".code", { hasText: "Python" }).first();
    await program.getByRole("button", { name: "Copy" }).click();
    await program.getByRole("button", { name: "Copied" }).waitFor();
    expect(await copied()).toMatch(/^import json, time[\s\S]*print\(payment\["status"\]\)$/);
  });

  test("leads to each of its headings by a link beside it", async () => {
    const { page } = await tier.visit("/docs/money", WIDE);
    await page.getByRole("link", { name: "Link to Rounding" }).click();
    await page.waitForURL("**/docs/money#rounding");
    await page.goto(page.url().replace(/money.*/, "reference-payment-intents"));
    await page.getByRole("link", { name: "Link to Submit payment intent" }).click();
    await page.waitForURL("**/docs/reference-payment-intents#submitPaymentIntent");
  });

  test("has nothing without a script that does nothing, and each request in each language", async () => {
    const { page } = await tier.visit("/docs/reference-rates", { ...WIDE, javaScriptEnabled: false });
    for (const role of ["button", "searchbox", "textbox"] as const) expect(await page.getByRole(role).count()).toBe(0);
    const samples = page.locator("#createQuote .samples");
    await samples.getByText('curl "http').waitFor();
    await samples.getByText("Python", { exact: true }).click();
    await samples.getByText("requests.post(").waitFor();
  });

  test("is reached from /, searched, and read by keyboard alone, in the dark too", async () => {
    const { page } = await tier.visit("/", { ...WIDE, colorScheme: "dark" });
    await page.getByRole("link", { name: "Guides" }).press("Enter");
    await page.getByRole("heading", { level: 1, name: "Documentation" }).waitFor();
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("To the content");
    const field = page.getByLabel("Search");
    // Playwright sends keys at once. The script shows the field; before that, another element has the focus.
    await field.waitFor();
    await field.pressSequentially("createquote");
    // The list may still show the pages that the first letters had found.
    const first = page.getByRole("list", { name: "Found" }).getByRole("link").first();
    await expect.poll(() => first.getAttribute("href")).toMatch(/reference-rates#createQuote$/);
    await first.press("Enter");
    await page.waitForURL("**/docs/reference-rates#createQuote");
    await page.getByRole("heading", { name: "Create quote" }).waitFor();
    await expectUsable(page);
  });

  test("finds what stands in guides, and a field inside of others, and loads what it needs for that when it is asked", async () => {
    const { page } = await tier.visit("/docs/reference-rates", WIDE);
    const loadedScripts = () =>
      page.evaluate(() =>
        performance
          .getEntriesByType("resource")
          .map(({ name }) => new URL(name).pathname)
          .filter((path) => path.endsWith(".js")),
      );
    const before = await loadedScripts();
    expect(before).toEqual([expect.stringMatching(/^\/assets\/client-/)]);
    const field = page.getByLabel("Search");
    const found = page.getByRole("list", { name: "Found" });
    await field.fill("rounded half up");
    await found.getByRole("link").first().waitFor();
    expect(await loadedScripts()).toEqual([...before, expect.stringMatching(/^\/assets\/finding-/)]);
    expect(await found.getByRole("listitem").first().textContent()).toMatch(/^Rounding Money.*half up/);
    await field.fill("xyzzy");
    await found.getByText("Nothing found").waitFor();

    await field.fill("commissionBeneficiaryId");
    const link = found.getByRole("link").first();
    expect(await link.textContent()).toBe("commissionBeneficiaryId");
    await expectUsable(page);
    for (const key of ["ArrowDown", "ArrowDown", "ArrowUp", "Enter"]) await page.keyboard.press(key);
    await page.waitForURL("**/docs/reference-rates#*.commissionBeneficiaryId");
    await page.locator("li:target", { hasText: "commissionBeneficiaryId" }).waitFor({ state: "visible" });
    await found.waitFor({ state: "hidden" });
  });

  test("says that its search could not be loaded, and loads it once it can", async () => {
    const { page } = await tier.visit("/docs", WIDE);
    await page.route("**/assets/finding-*", (route) => route.abort());
    await page.getByLabel("Search").fill("GEN9002");
    await page.getByText("The search could not be loaded").last().waitFor();
    await page.unroute("**/assets/finding-*");
    await page.getByLabel("Search").fill("[GEN9002]");
    await page.getByRole("link", { name: "[GEN9002]" }).first().waitFor();
  });

  test("uploads a document from its reference, and keeps an empty form to itself", async () => {
    const { page } = await tier.visit("/docs/reference-documents", WIDE);
    const operation = page.locator("#uploadDocument");
    const file = operation.getByLabel("file", { exact: true });
    await operation.getByRole("button", { name: "Send" }).click();
    expect(await file.evaluate((input: HTMLInputElement) => input.validity.valueMissing)).toBe(true);
    await file.setInputFiles(pdfFile);
    await operation.getByRole("button", { name: "Send" }).click();
    await operation
      .getByRole("status")
      .getByText(/^201, /)
      .waitFor();
    expect(await operation.locator("form pre").textContent()).toContain('"fileName": "passport.pdf"');
    await expectUsable(page);
  });

  test("sends the fields of a form beside its file", async () => {
    const { page } = await tier.visit("/docs/reference-commissions", WIDE);
    const operation = page.locator("#createCommissionRequest");
    await operation.getByLabel("paymentIds").fill("[1]");
    await operation.getByLabel("commissionTotalAmount").fill("1.00");
    await operation.getByLabel("invoice, optional").setInputFiles(pdfFile);
    await operation.getByRole("button", { name: "Send" }).click();
    await operation
      .getByRole("status")
      .getByText(/^400, /)
      .waitFor();
    // The form was read as a whole: what is refused is what it names.
    expect(await operation.locator("form pre").textContent()).toMatch(/paymentIds.*1/);
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

  test("shows answers that are no JSON: a text as it is, and of a file what it is", async () => {
    const { page } = await tier.visit("/docs/reference-commissions", WIDE);
    const sheet = page.locator("#exportCommissions");
    await sheet.getByLabel("Query").fill("reportPeriod=2026-11");
    await sheet.getByRole("button", { name: "Send" }).click();
    await sheet
      .getByRole("status")
      .getByText(/^200, /)
      .waitFor();
    expect(await sheet.locator("form pre").textContent()).toMatch(/^\W?paymentId,/);
    // Nothing comes after it that says otherwise.
    await page.waitForLoadState("networkidle");
    expect(await sheet.getByRole("status").textContent()).toMatch(/^200, /);
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
