import { setTimeout as pause } from "node:timers/promises";
import { AxeBuilder } from "@axe-core/playwright";
import { type Browser, type BrowserContextOptions, chromium, type Page, type Route } from "playwright-core";
import { expect } from "vitest";

/** The window of a phone, on which most payers open a link. */
const PHONE = { width: 360, height: 740 };
export const WIDE: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };

/** A document as a file input takes it. */
export const pdfFile = {
  name: "passport.pdf",
  mimeType: "application/pdf",
  buffer: Buffer.from("%PDF-1.7 a passport"),
};

/** `args`: more of the command line. */
export const startBrowser = (executablePath: string, args: readonly string[] = []): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      ...args,
    ],
  });

export type Payer = Awaited<ReturnType<typeof openPage>>;

/** A payer's browser window of its own at `url`, on a phone unless `options` say otherwise. */
export async function openPage(browser: Browser, url: string, options: BrowserContextOptions = {}) {
  const { origin } = new URL(url);
  const context = await browser.newContext({
    viewport: PHONE,
    locale: "en",
    reducedMotion: "reduce",
    permissions: ["clipboard-read", "clipboard-write"],
    ...options,
  });
  if (DELAY_MS > 0) await context.route("**/*", delay);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  /** Things that a page must never do: ask another origin, break its own policy, or fail. */
  const offences: string[] = [];
  page.on("request", (request) => {
    const address = request.url();
    if (!address.startsWith(origin) && !address.startsWith("data:")) offences.push(`asked ${address}`);
  });
  page.on("pageerror", (error) => offences.push(String(error)));
  page.on("console", (message) => {
    // Chromium reports answers of 400 and above, and lost ones, which a page may well expect.
    const expected = message.text().startsWith("Failed to load resource");
    if (message.type() === "error" && !expected) offences.push(message.text());
  });
  await page.goto(url);
  const close = async () => {
    // An answer that a test is still rewriting has nobody to go to any more.
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await context.close();
  };
  return { page, ...walk(page), offences, close };
}

/** The delay of each request; 700 finds tests that only fast machines pass. */
const DELAY_MS = Number(process.env["BROWSER_DELAY_MS"] ?? 0);

async function delay(route: Route): Promise<void> {
  await pause(DELAY_MS);
  // The page may have given the request up, or gone.
  await route.continue().catch(() => undefined);
}

/** The steps of the page, as a payer takes them. */
function walk(page: Page) {
  const heading = (text: string | RegExp) => page.getByRole("heading", { level: 1, name: text }).waitFor();
  const next = () => page.locator("form.step button[type=submit]").click();
  /** Step 1 of a link with a set amount. */
  const payFrom = async (countryCode: string) => {
    await page.locator("#country").selectOption(countryCode);
    await next();
  };
  /** Step 2. */
  const choose = async (settlementMethod: string) => {
    await page.locator(`.method input[value="${settlementMethod}"]`).check();
    await next();
  };
  /** Step 3. */
  const introduce = async (email = newEmail()) => {
    await page.locator("#firstName").fill("Ana");
    await page.locator("#lastName").fill("Silva");
    await page.locator("#email").fill(email);
    await next();
    await page.locator(".rows .link").first().waitFor();
  };
  /** All steps on a link with a set price, up to the button that pays. */
  const goToReview = async (settlementMethod = "dmt") => {
    await payFrom("BR");
    await choose(settlementMethod);
    await introduce();
  };
  let held = false;
  /** Hides from the page that a payment has ended, for as long as a test looks at it under way. */
  const holdStatus = async () => {
    held = true;
    const hideEnd = (under: (data: Answered) => object) => async (route: Route) => {
      const response = await route.fetch();
      const { data } = (await response.json()) as { data?: Answered };
      // The route stays, because a request that began while the status was held may be answered after that.
      await route.fulfill(held && data ? { response, json: { data: under(data) } } : { response });
    };
    await page.route(
      STATUS,
      hideEnd((data) => ({ ...data, paymentStatus: "executing", money: "owed" })),
    );
    await page.route(
      SESSION,
      hideEnd(({ endedAt: _, receivedAt: __, ...data }) => {
        const nextAction = data.nextAction ?? actions.get(data.paymentIntentId);
        actions.set(data.paymentIntentId, nextAction);
        return { ...data, status: "executing", money: "owed", ...(nextAction !== undefined && { nextAction }) };
      }),
    );
  };
  const releaseStatus = () => {
    held = false;
  };
  return { heading, next, payFrom, choose, introduce, goToReview, holdStatus, releaseStatus };
}

type Answered = Readonly<{ paymentIntentId: string; endedAt?: string; receivedAt?: string; nextAction?: unknown }>;
/** Each payment's `nextAction` when a window last saw it under way. */
const actions = new Map<string, unknown>();

const STATUS = "**/status?*";
/** The requests for a payment by its secret, and for a new one. */
export const SESSION = "**/payer-session";

let payers = 0;
/** An address that is new each time: the rail would take two equal payments by one payer for one. */
export const newEmail = (): string => `page.${Date.now().toString(36)}.${++payers}@example.com`;

/** Checks the rules for every view: axe finds no barrier (by `rules`, else by all), and nothing is wider than the window. */
export async function expectUsable(page: Page, rules?: string[]): Promise<void> {
  const axe = new AxeBuilder({ page });
  const { violations } = await (rules === undefined ? axe : axe.withRules(rules)).analyze();
  expect(violations.map(({ id, nodes }) => ({ id, at: nodes.map(({ html }) => html) }))).toEqual([]);
  const widths = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth] as const);
  expect(widths[0]).toBeLessThanOrEqual(widths[1]);
}
