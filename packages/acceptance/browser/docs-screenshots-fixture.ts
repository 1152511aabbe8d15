import { join } from "node:path";
import type { BrowserContextOptions } from "playwright-core";
import { launchService } from "../service/service.ts";
import { openPage, startBrowser, WIDE } from "./browser.ts";
import { findChromium } from "./chromium.ts";

// Takes the pictures of docs/site again: node docs-screenshots-fixture.ts [folder]
const [, , folder = join(import.meta.dirname, "../../../docs/site")] = process.argv;
const found = await findChromium();
if ("missing" in found) throw new Error(found.missing);

const [service, browser] = await Promise.all([launchService(), startBrowser(found.executablePath)]);
const desk: BrowserContextOptions = { ...WIDE, viewport: { width: 1440, height: 900 } };
const dark: BrowserContextOptions = { colorScheme: "dark" };
const call = "/docs/reference-payment-intents#submitPaymentIntent";
const guide = "/docs/http#pay-with-curl";
const pictures = [
  ["desk-call", call, desk],
  ["desk-dark-guide", guide, { ...desk, ...dark }],
  ["phone-guide", guide, {}],
  ["phone-dark-call", call, dark],
] as const;
try {
  for (const [name, path, options] of pictures) {
    const { page, close } = await openPage(browser, service.url + path, options);
    await page.getByRole("button", { name: "Copy" }).first().waitFor();
    await page.screenshot({ path: join(folder, `${name}.png`) });
    await close();
  }
} finally {
  await browser.close();
  await service.stop();
}
