import { readBooks } from "@intents/operator/console/books.ts";
import { readPayments } from "@intents/operator/console/payments.ts";
import { readSearch } from "@intents/operator/console/search.ts";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { startConsole } from "../service/console-fixture.ts";
import { openOperator } from "../service/operator-fixture.ts";
import { expectUsable, WIDE } from "./browser.ts";
import { openCounted } from "./console-means.ts";
import { seedPayments } from "./console-seed.ts";
import { inBrowser } from "./tier.ts";

const SEEDED = 2_000;
const DRAWN_MAX = 5_000;
const LOOKED_MAX = 10_000;
const TENANT = "1001";

inBrowser(`the console over ${SEEDED} payments`, ({ client, visit }) => {
  let operator: ReturnType<typeof openOperator>;
  beforeAll(async () => {
    operator = openOperator(client().url);
    await seedPayments(operator.table, TENANT, SEEDED, Date.now());
  });
  afterAll(() => operator.close());

  test("reads so much for a page and no more, and says when there is more", async () => {
    const { means, taken } = await openCounted(operator);
    taken();
    const { charts, rows, older } = await readPayments(means, TENANT, { days: 7 });
    expect(charts).toMatchObject({ drawn: Math.min(SEEDED, DRAWN_MAX), hasMore: SEEDED > DRAWN_MAX });
    expect(charts?.counted.reduce((sum, { payments }) => sum + payments, 0)).toBe(SEEDED);
    expect([rows.length, older]).toEqual([50, expect.stringContaining("cursor=")]);
    expect(taken()).toBeLessThan(80);
    const { charts: some } = await readPayments(means, TENANT, { days: 7 }, 500);
    expect(some).toMatchObject({ drawn: 500, hasMore: true });
    expect(taken()).toBeLessThan(32);
    const asked = { isEverywhere: false, days: 30, after: undefined };
    const { found } = await readSearch(means, TENANT, { ...asked, what: "payer.1999@example.com" });
    expect(found).toMatchObject({
      looked: Math.min(SEEDED, LOOKED_MAX),
      rows: [{ payer: { email: "payer.1999@example.com" } }],
    });
    expect(taken()).toBeLessThan(150);
    expect(await readBooks(means, TENANT, 7)).toMatchObject({ intents: 400, hasMore: true, problems: 0, findings: [] });
    expect(taken()).toBeLessThan(2_050);
  });

  const pages = ["payments", "search?what=silva", "todo", "requests", "reconciliation", "queue", "books"] as const;
  const asTables = (page: Page) => page.locator(".chart summary");

  test("is usable by everybody: on every page, wide and narrow, light and dark, and by the keyboard alone", async () => {
    const { address, stop } = await startConsole(client().url);
    onTestFinished(stop);
    const { page } = await visit(address, WIDE);
    const folder = page.url();
    await page.getByRole("heading", { level: 1, name: "Payments" }).waitFor();
    const first = await page.locator("table a").first().getAttribute("href");
    for (const name of [...pages, first ?? ""]) {
      await page.goto(folder + name);
      await expectUsable(page);
      await page.emulateMedia({ colorScheme: "dark" });
      await expectUsable(page, ["color-contrast"]);
      await page.setViewportSize({ width: 360, height: 740 });
      await expectUsable(page, ["scrollable-region-focusable"]);
      await page.emulateMedia({ colorScheme: "light" });
      await page.setViewportSize({ width: 1280, height: 800 });
    }

    await page.goto(folder);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("main");
    await asTables(page).first().focus();
    await page.keyboard.press("Enter");
    const figures = page.locator(".chart").first().getByRole("row").last().getByRole("cell");
    await expect.poll(() => figures.first().textContent()).toBe(new Date().toISOString().slice(0, 10));

    await page.goto(`${folder}search`);
    await page.locator("#what").focus();
    await page.keyboard.type("Invoice 1999");
    await page.keyboard.press("Enter");
    const found = page.locator("tbody a");
    await found.waitFor();
    await found.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 2, name: "Timeline" }).waitFor();
  });

  test("gives the command that would act, ready to copy", async () => {
    const { address, stop } = await startConsole(client().url);
    onTestFinished(stop);
    const { page } = await visit(address, WIDE);
    await page.goto(`${page.url()}payments?status=requires_recovery`);
    await page.locator("tbody a").first().click();
    // The button by its role: it is hidden, and takes no key, until the page's script has run.
    await page.getByRole("button", { name: "Copy" }).first().press("Enter");
    await page.getByText("Copied").waitFor();
    const id = new URL(page.url()).searchParams.get("id");
    const { port } = new URL(client().url);
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      `npx -y pnpm@12 operator intents resolve ${id} --as '...' --tenant 1001 --reason '...' --port ${port}`,
    );

    const storageState = await page.context().storageState();
    const silent = await visit(page.url(), { ...WIDE, storageState, javaScriptEnabled: false });
    await silent.page.locator(".command code").first().waitFor();
    expect(await silent.page.getByRole("button", { name: "Copy" }).count()).toBe(0);
  });
});
