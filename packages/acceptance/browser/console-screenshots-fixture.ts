import { join } from "node:path";
import { openReconciliation } from "@intents/storage/reviews/reconciliation.ts";
import type { BrowserContextOptions } from "playwright-core";
import { noRateLimit } from "../service/client.ts";
import { startConsole } from "../service/console-fixture.ts";
import { openOperator } from "../service/operator-fixture.ts";
import { launchService } from "../service/service.ts";
import { openPage, startBrowser, WIDE } from "./browser.ts";
import { findChromium } from "./chromium.ts";
import { seedPayments } from "./console-seed.ts";

// Takes the pictures of docs/console again; with a folder, those of all pages, light, dark and narrow:
// node console-screenshots-fixture.ts [folder]
const [, , all] = process.argv;
const folder = all ?? join(import.meta.dirname, "../../../docs/console");
const kept = ["payments", "payment", "dark-books", "phone-payments"];
const found = await findChromium();
if ("missing" in found) throw new Error(found.missing);

const [service, browser] = await Promise.all([launchService(noRateLimit), startBrowser(found.executablePath)]);
const operator = openOperator(service.url);
await seedPayments(operator.table, "1001", 2_000, Date.now());

const windows: Readonly<Record<string, BrowserContextOptions>> = {
  "": WIDE,
  "dark-": { ...WIDE, colorScheme: "dark" },
  "phone-": {},
};
for (const [prefix, options] of Object.entries(windows)) {
  const running = await startConsole(service.url);
  const { page, close } = await openPage(browser, running.address, options);
  const home = page.url();
  const shoot = async (name: string, path: string) => {
    if (all === undefined && !kept.includes(prefix + name)) return;
    await page.goto(home + path);
    await page.screenshot({ path: join(folder, `${prefix}${name}.png`), fullPage: all !== undefined });
  };
  await page.goto(`${home}payments?status=completed`);
  const payment = (await page.locator("tbody a").first().getAttribute("href")) ?? "";
  await page.goto(`${home}payments?status=requires_recovery`);
  const lost = (await page.locator("tbody a").first().getAttribute("href")) ?? "";
  const intentId = new URL(lost, home).searchParams.get("id") ?? "";
  const record = {
    kind: "contradicts_outcome",
    ...{ tenantId: "1001", intentId, executionId: prefix },
    ...{ said: "completed", stands: "requires_recovery", openedAt: new Date().toISOString() },
  } as const;
  await openReconciliation(operator.table, record, Date.now());
  await shoot("payments", "payments");
  await shoot("payment", payment);
  await shoot("lost", lost);
  await shoot("search", "search?what=nair");
  await shoot("todo", "todo");
  await shoot("requests", "requests");
  await shoot("reconciliation", "reconciliation");
  await shoot("queue", "queue");
  await shoot("books", "books");
  await close();
  running.stop();
}
operator.close();
await browser.close();
await service.stop();
