import { join } from "node:path";
import type { BrowserContextOptions, Page } from "playwright-core";
import { noRateLimit, openClient } from "../service/client.ts";
import { startConsole } from "../service/console-fixture.ts";
import { publishLink } from "../service/links.ts";
import { openOperator } from "../service/operator-fixture.ts";
import { priceLinkBody } from "../service/scenarios-fixture.ts";
import { launchService } from "../service/service.ts";
import { openPage, type Payer, startBrowser, WIDE } from "./browser.ts";
import { findChromium } from "./chromium.ts";
import { seedPayments } from "./console-seed.ts";

// `pnpm pictures`: takes the pictures that documents show again.

const IMPRINT = {
  LEGAL_NAME: "Example Payments Pty Ltd",
  LICENCE: "AFSL 246801",
  SUPPORT_CONTACT: "help@payments.example",
  PRIVACY_URL: "https://payments.example/privacy",
  TERMS_URL: "https://payments.example/terms",
  COMPLAINTS_URL: "https://payments.example/complaints",
};
const DESK: BrowserContextOptions = { viewport: { width: 1440, height: 900 } };
const CALL = "/docs/reference-payment-intents#submitPaymentIntent";
const TUITION = {
  ...priceLinkBody(),
  recipients: [{ role: "public_payee", connectorPayeeId: 5001, amount: { payeeAmount: "4250.00", currency: "AUD" } }],
};

const toMethods = async ({ page, payFrom }: Payer) => {
  await payFrom("BR");
  await page.locator('.method input[value="dmt"]').check();
};
const toBank = async ({ goToReview, next, page }: Payer) => {
  await goToReview();
  await next();
  await page.locator(".copyable").waitFor();
};

/** Takes every picture into its place below `docs`. */
export async function takePictures(executablePath: string, docs: string): Promise<void> {
  const [service, browser] = await Promise.all([
    launchService({ ...noRateLimit, ...IMPRINT }),
    startBrowser(executablePath),
  ]);
  const shoot = (page: Page, name: string, fullPage = false) =>
    page.screenshot({ path: join(docs, `${name}.png`), fullPage });
  try {
    for (const [name, options, walk, isSingleUse] of [
      ["wide-method", WIDE, toMethods, false],
      ["phone-bank", {}, toBank, true],
      ["arabic-bank", { locale: "ar" }, toBank, false],
    ] as const) {
      const link = { isSingleUse, ...(!isSingleUse && { reference: "Semester 1, 2027" }) };
      const { token } = await publishLink(openClient(service.url), link, TUITION);
      const payer = await openPage(browser, `${service.url}/pay/plink_${token}`, options);
      await walk(payer);
      await shoot(payer.page, `payer-page/${name}`, options !== WIDE);
      await payer.close();
    }
    for (const [name, options] of [
      ["desk-call", DESK],
      ["phone-dark-call", { colorScheme: "dark" }],
    ] as const) {
      const { page, close } = await openPage(browser, service.url + CALL, options);
      await page.getByRole("button", { name: "Copy" }).first().waitFor();
      await shoot(page, `site/${name}`);
      await close();
    }
    const operator = openOperator(service.url);
    await seedPayments(operator.table, "1001", 2_000, Date.now());
    operator.close();
    const console = await startConsole(service.url);
    const { page, close } = await openPage(browser, console.address, WIDE);
    const home = page.url();
    await page.goto(`${home}payments`);
    await shoot(page, "console/payments");
    await page.goto(`${home}payments?status=completed`);
    await page.locator("tbody a").first().click();
    await page.getByRole("heading", { level: 2, name: "Timeline" }).waitFor();
    await shoot(page, "console/payment");
    await close();
    console.stop();
  } finally {
    await browser.close();
    await service.stop();
  }
}

async function main(): Promise<void> {
  const found = await findChromium();
  if ("missing" in found) throw new Error(found.missing);
  await takePictures(found.executablePath, join(import.meta.dirname, "../../../docs"));
}

if (import.meta.main) await main();
