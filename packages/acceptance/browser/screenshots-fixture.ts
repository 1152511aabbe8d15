import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { noRateLimit, openClient } from "../service/client.ts";
import { newSecret, type PublishedLink, publishLink } from "../service/links.ts";
import { openOperator } from "../service/operator-fixture.ts";
import { priceLinkBody, shareLinkBody, withRecipient } from "../service/scenarios-fixture.ts";
import { launchService } from "../service/service.ts";
import { openPage, pdfFile, SESSION, startBrowser, WIDE } from "./browser.ts";
import { findChromium } from "./chromium.ts";
import { NARROW } from "./narrow.ts";

// Takes the pictures of docs/payer-page again; with a folder, those of all views: node screenshots-fixture.ts [folder]
const [, , all] = process.argv;
const folder = all ?? join(import.meta.dirname, "../../../docs/payer-page");
const kept = [
  ...["wide-amount", "wide-method", "wide-review", "wide-bank", "wide-complete"],
  ...["phone-amount", "phone-errors", "phone-bank", "dark-method", "arabic-bank"],
  ...["wide-receipt", "phone-continue", "phone-held", "arabic-held"],
  ...["phone-promise", "phone-called-off", "phone-received", "arabic-promise", "arabic-called-off"],
  ...["chinese-promise", "chinese-called-off", "chinese-looked-into", "chinese-received"],
  ...["arabic-looked-into", "phone-looked-into", "large-amount", "large-method", "large-review", "forced-method"],
  ...["phone-footer", "phone-footer-own", "phone-script-lost", "phone-no-way"],
];
const found = await findChromium();
if ("missing" in found) throw new Error(found.missing);

const times = { SANDBOX_SETTLE_SECONDS: "6", POLL_INTERVAL_SECONDS: "0.5" };
const imprint = {
  LEGAL_NAME: "Example Payments Pty Ltd",
  LICENCE: "AFSL 246801",
  SUPPORT_CONTACT: "help@payments.example",
  PRIVACY_URL: "https://payments.example/privacy",
  TERMS_URL: "https://payments.example/terms",
  COMPLAINTS_URL: "https://payments.example/complaints",
};
const [service, browser] = await Promise.all([
  launchService({ ...noRateLimit, ...times, ...imprint }),
  startBrowser(found.executablePath),
]);
const client = openClient(service.url);
const tuition = {
  ...priceLinkBody(),
  recipients: [{ role: "public_payee", connectorPayeeId: 5001, amount: { payeeAmount: "4250.00", currency: "AUD" } }],
};
const reference = "Semester 1, 2027";
/** A sheet of paper in pixels, without its margins. */
const A4 = { width: 688, height: 1032 };

/** Takes a picture of a view, if it is wanted. */
async function shootView(page: Page, file: string, fullPage: boolean): Promise<void> {
  if (all !== undefined || kept.includes(file)) await page.screenshot({ path: join(folder, `${file}.png`), fullPage });
}

/** Takes pictures of every view of a payment by bank transfer; `paying` is the payer's browser. */
async function walk(
  link: PublishedLink,
  options: BrowserContextOptions,
  country: string,
  prefix: string,
  paying: Browser = browser,
) {
  const payer = await openPage(paying, `${service.url}/pay/plink_${link.token}`, options);
  const { page, next, payFrom, choose } = payer;
  const shoot = async (name: string) => {
    await shootView(page, `${prefix}-${name}`, options.viewport !== WIDE.viewport);
  };
  await shoot("amount");
  const amount = page.locator("#amount");
  if ((await amount.count()) > 0) await amount.fill("5200");
  await payFrom(country);
  await page.locator('.method input[value="dmt"]').check();
  await shoot("method");
  await choose("dmt");
  await page.locator("#email").waitFor();
  await next();
  await page.locator("#email-error").waitFor();
  await shoot("errors");
  for (const [id, text] of Object.entries({ firstName: "Ana", lastName: "Silva", email: "ana.silva@example.com" }))
    await page.locator(`#${id}`).fill(text);
  await page.setInputFiles("#document", pdfFile);
  await page.locator(".file").waitFor();
  await shoot("details");
  await next();
  await page.locator(".rows .link").first().waitFor();
  await shoot("review");
  await next();
  await page.locator(".copyable").waitFor();
  await shoot("bank");
  await page.locator(".sign.good").waitFor();
  await shoot("complete");
  await page.emulateMedia({ media: "print" });
  await page.setViewportSize(A4);
  await shoot("receipt");
  await payer.close();
}

/** Takes pictures of a link whose checkout another payer has begun: as that payer's browser, and as anybody, sees it. */
async function holding(link: PublishedLink, options: BrowserContextOptions, prefix: string) {
  const address = `${service.url}/pay/plink_${link.token}`;
  const holder = await openPage(browser, address, options);
  await holder.goToReview("card");
  await holder.next();
  await holder.page.locator("form").waitFor();
  const again = await holder.page.context().newPage();
  const other = await openPage(browser, address, options);
  await again.goto(address);
  for (const [name, page] of Object.entries({ continue: again, held: other.page })) {
    await page.locator(".sign.waiting").waitFor();
    await shootView(page, `${prefix}-${name}`, false);
  }
  await Promise.all([holder.close(), other.close()]);
}

/** The states of a transfer whose money is looked for, as no rail of a sandbox makes them. */
const whereabouts = {
  received: { money: "received" },
  "looked-into": { status: "completed", underReview: { since: new Date().toISOString() } },
};

/** Takes pictures of a transfer that keeps its link, and of what its payer is told when it does not go well. */
async function waiting(options: BrowserContextOptions, prefix: string) {
  const link = await publishLink(client, { isSingleUse: true, reference: "SANDBOX-OVERDUE" }, tuition);
  const secret = newSecret();
  await link.payer.open(await link.payer.sessionBody(), secret);
  const { page, close } = await openPage(browser, `${service.url}/pay/plink_${link.token}#${secret}`, options);
  await page.locator(".promise").waitFor();
  await shootView(page, `${prefix}-promise`, true);
  for (const [name, state] of Object.entries(whereabouts)) {
    await page.route(SESSION, async (route) => {
      const response = await route.fetch();
      const { nextAction: _, held: __, ...data } = ((await response.json()) as { data: Record<string, unknown> }).data;
      await route.fulfill({ response, json: { data: { ...data, status: "executing", ...state } } });
    });
    await page.reload();
    await page.locator(".facts").waitFor();
    await shootView(page, `${prefix}-${name}`, true);
    await page.unrouteAll({ behavior: "ignoreErrors" });
  }
  await link.payer.giveBack(secret);
  await page.reload();
  await page.locator(".sign.bad").waitFor();
  await shootView(page, `${prefix}-called-off`, true);
  await close();
}

/** Takes pictures of the end of a page: with the stage's settings, and with those of its tenant. */
async function footers() {
  const { token } = await publishLink(client, { reference }, tuition);
  const { page, close } = await openPage(browser, `${service.url}/pay/plink_${token}`);
  const shoot = (name: string) => page.locator("footer").screenshot({ path: join(folder, `${name}.png`) });
  await shoot("phone-footer");
  const operator = openOperator(service.url);
  const own = ["--legal-name", "Example University", "--support-contact", "+61 2 5550 1234"];
  await operator.change("tenants", "set", "1001", ...own, "--privacy-url", "https://university.example/privacy");
  operator.close();
  // A page may be ten seconds behind.
  while (!(await page.locator("footer").textContent())?.includes("Example University")) await page.reload();
  await shoot("phone-footer-own");
  await close();
}

/** Takes pictures of a page without its script, and of a country from which nothing can be paid. */
async function failing() {
  const { token } = await publishLink(client, { reference }, tuition);
  const lost = await openPage(browser, `${service.url}/pay/plink_${token}`);
  await lost.page.route("**/assets/client-*", (route) => route.abort());
  await lost.page.reload();
  await lost.page.locator("#unready").waitFor();
  await shootView(lost.page, "phone-script-lost", false);
  await lost.close();
  const dear = withRecipient(priceLinkBody(), 0, {}, { payeeAmount: "2849000.00" });
  const { page, payFrom, close } = await openPage(
    browser,
    `${service.url}/pay/plink_${(await publishLink(client, { reference }, dear)).token}`,
  );
  await payFrom("JP");
  await page.getByRole("alert").waitFor();
  await shootView(page, "phone-no-way", true);
  await close();
}

await waiting({}, "phone");
await waiting({ locale: "ar" }, "arabic");
await waiting({ locale: "zh" }, "chinese");
await walk(await publishLink(client, { reference }, tuition), WIDE, "BR", "wide");
await walk(await publishLink(client, { reference }, shareLinkBody()), { colorScheme: "dark" }, "AU", "dark");
await walk(await publishLink(client, { reference }, tuition), { locale: "ar" }, "SA", "arabic");
await walk(await publishLink(client, { isSingleUse: true }, tuition), {}, "IN", "phone");
await holding(await publishLink(client, { isSingleUse: true }, tuition), {}, "phone");
await holding(await publishLink(client, { isSingleUse: true }, tuition), { locale: "ar" }, "arabic");
await walk(await publishLink(client, { reference }, tuition), { forcedColors: "active" }, "GB", "forced");
const large = await startBrowser(found.executablePath, ["--blink-settings=defaultFontSize=32"]);
await walk(await publishLink(client, { reference }, shareLinkBody()), NARROW, "NZ", "large", large);
await large.close();
await failing();
await footers();
await browser.close();
await service.stop();
