import type { Browser, BrowserContextOptions } from "playwright-core";
import { afterEach, beforeAll, describe, expect, inject, test } from "vitest";
import { type Client, noRateLimit, openClient } from "../service/client.ts";
import type { PublishedLink } from "../service/links.ts";
import { type SharedService, shareService } from "../service/shared-service.ts";
import { openPage, type Payer, startBrowser } from "./browser.ts";

/** The means of the tests of one file: a service, and payers who open links in a browser. */
type Tier = Readonly<{
  client: () => Client;
  open: (link: Pick<PublishedLink, "token">, options?: BrowserContextOptions) => Promise<Payer>;
  /** Opens another page of the service, or another address. */
  visit: (path: string, options?: BrowserContextOptions) => Promise<Payer>;
}>;

/** Defines tests in a real Chromium, of a service with `settings` of its own; where there is none, they are reported as skipped, with the reason. */
export function inBrowser(name: string, define: (tier: Tier) => void, settings = {}): void {
  const found = inject("chromium");
  if ("missing" in found) test(`browser tier: ${name}`, ({ skip }) => skip(found.missing));
  else describe(name, () => define(prepareTier(found.executablePath, settings)));
}

/** The browser of all files of a worker, with which it ends; each payer has a window without a past. */
let browsing: Promise<Browser> | undefined;

function prepareTier(executablePath: string, settings: object): Tier {
  let service: SharedService;
  let client: Client;
  let browser: Browser;
  const opened: Payer[] = [];

  beforeAll(async () => {
    // Payments take long enough for a reload, or for the way back from a checkout, before they end.
    const times = { SANDBOX_SETTLE_SECONDS: "5", POLL_INTERVAL_SECONDS: "0.5", SANDBOX_DEDUP_SECONDS: "1" };
    const environment = { ...noRateLimit, ...times, ...settings };
    browsing ??= startBrowser(executablePath);
    [service, browser] = await Promise.all([shareService(environment), browsing]);
    client = openClient(service.url);
  });
  afterEach(async () => {
    const windows = opened.splice(0);
    await Promise.all(windows.map(({ close }) => close()));
    expect(windows.flatMap(({ offences }) => offences)).toEqual([]);
  });

  const visit: Tier["visit"] = async (path, options) => {
    const payer = await openPage(browser, new URL(path, service.url).href, options);
    opened.push(payer);
    return payer;
  };
  return { client: () => client, visit, open: ({ token }, options) => visit(`/pay/plink_${token}`, options) };
}
