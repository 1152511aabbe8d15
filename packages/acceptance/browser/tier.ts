import type { Browser, BrowserContextOptions } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from "vitest";
import { type Client, noRateLimit, openClient } from "../service/client.ts";
import type { PublishedLink } from "../service/links.ts";
import { launchService, type RunningService } from "../service/service.ts";
import { openPage, type Payer, startBrowser } from "./browser.ts";

/** The means that the tests of one file share: a service, a browser, and payers who open links in it. */
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

function prepareTier(executablePath: string, settings: object): Tier {
  let service: RunningService;
  let client: Client;
  let browser: Browser;
  const opened: Payer[] = [];

  beforeAll(async () => {
    // Payments take long enough for a reload, or for the way back from a checkout, before they end.
    const times = { SANDBOX_SETTLE_SECONDS: "5", POLL_INTERVAL_SECONDS: "0.5", SANDBOX_DEDUP_SECONDS: "1" };
    const environment = { ...noRateLimit, ...times, ...settings };
    [service, browser] = await Promise.all([launchService(environment), startBrowser(executablePath)]);
    client = openClient(service.url);
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
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
