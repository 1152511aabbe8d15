import type { Page, Route } from "playwright-core";
import { expect, test } from "vitest";
import { newSecret, publishLink } from "../service/links.ts";
import { expectUsable, type Payer, pdfFile, SESSION } from "./browser.ts";
import { inBrowser } from "./tier.ts";

// The payer's texts when something is taken away from the page.

const words = {
  offline: "The connection was lost. Please check it and try again.",
  statusOffline: "The status cannot be reached at the moment. This page keeps trying.",
  documentFailed: "{name} could not be uploaded. Please try again.",
  unsure: "We did not hear whether your payment was started. Please try again: you will not pay twice.",
  paused: "The payment service is paused. Nothing is lost: please try again from {time} on.",
  fault: "Something went wrong on our side, and nothing was paid. Please try again in a moment.",
  tooMany: "Too many requests came from your connection. Please wait a minute and try again.",
  late: "This page has not loaded completely, so that its buttons do not work yet. Load it again",
  tooOld: "This browser is too old to pay with. Please update it, or open this link in another one.",
  needsScript: "Paying needs JavaScript. Please switch it on in your browser, or open this link in another one.",
  tooLarge: "passport.jpg is larger than 4 MB, and cannot be made smaller here. Please choose a smaller file.",
  copyFailed: "Copying did not work. Please select the text instead.",
  goesOn: "Nothing: the payment goes on.",
} as const;
type Words = keyof typeof words;

/** The ways in which a request can fail. The first four are one to the payer: nothing is heard of the service. */
const failures = {
  "no network": (route: Route) => route.abort(),
  "a lost answer": async (route: Route) => {
    await route.fetch();
    await route.abort();
  },
  "the page of a hotel's network": (route: Route) =>
    route.fulfill({ body: "<h1>Welcome</h1>", contentType: "text/html" }),
  "the 404 of somebody in between": (route: Route) => route.fulfill({ status: 404, body: "Not Found" }),
  maintenance: (route: Route) =>
    route.fulfill({ status: 503, headers: { "Retry-After": "600" }, json: { code: "[GEN9008]", message: "Later" } }),
  "a fault": (route: Route) => route.fulfill({ status: 500, json: { code: "[GEN9000]", message: "Internal" } }),
  "too many requests": (route: Route) =>
    route.fulfill({ status: 429, headers: { "Retry-After": "60" }, json: { code: "[GEN9007]", message: "Wait" } }),
} as const;
type Failure = keyof typeof failures;

/** The text for each failure. */
const textsOf = (unheard: Words, fault: Words, tooMany: Words): Readonly<Record<Failure, Words>> => ({
  "no network": unheard,
  "a lost answer": unheard,
  "the page of a hotel's network": unheard,
  "the 404 of somebody in between": unheard,
  maintenance: "paused",
  "a fault": fault,
  "too many requests": tooMany,
});

/** The page's alerts and field errors, with placeholders for a time and a file. */
async function said(page: Page): Promise<string> {
  const shown = await page.locator("main :is([role=alert], .error):visible").allInnerTexts();
  return shown
    .join(" ")
    .replace(/\w+ \d+, \d{4}, \d+:\d\d\s[AP]M\s\S+(?= on)/, "{time}")
    .replace("passport.pdf", "{name}");
}

/** A request: how a payer comes to where it is sent, what sends it, and what shows that it has come through. */
type Case = Readonly<{
  request: string;
  address: string | RegExp;
  texts: Readonly<Record<Failure, Words>>;
  /** A failure after which the page goes on by itself. */
  without?: Failure;
  open: () => Promise<Payer>;
  act: (payer: Payer) => Promise<unknown>;
  through: (payer: Payer) => Promise<unknown>;
}>;

const look = ({ page }: Payer) => page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
const press = (name: string) => (payer: Payer) => payer.page.getByRole("button", { name, exact: true }).click();

inBrowser(
  "a page from which something is taken away",
  (tier) => {
    async function beginTransfer(isSingleUse: boolean) {
      const link = await publishLink(tier.client(), { isSingleUse });
      const secret = newSecret();
      const session = await link.payer.open(await link.payer.sessionBody(), secret);
      const address = `/pay/plink_${link.token}`;
      return { link, secret, own: `${address}#${secret}`, known: `${address}?payment=${session.paymentIntentId}` };
    }
    const openSteps = async () => tier.open(await publishLink(tier.client(), { payFromCountryCode: "BR" }));

    const cases: readonly Case[] = [
      {
        request: "prices, at the first step",
        address: "**/quote",
        texts: textsOf("offline", "fault", "tooMany"),
        open: async () => {
          const payer = await openSteps();
          // The page asks for prices by itself as well.
          await payer.page.locator(".summary .total").waitFor();
          await payer.page.locator("#country").selectOption("AU");
          return payer;
        },
        act: ({ next }) => next(),
        through: ({ heading }) => heading("How would you like to pay?"),
      },
      {
        request: "the document, at the third step",
        address: "**/documents",
        texts: textsOf("documentFailed", "documentFailed", "tooMany"),
        open: async () => {
          const payer = await openSteps();
          await payer.payFrom("BR");
          await payer.choose("dmt");
          return payer;
        },
        act: ({ page }) => page.setInputFiles("#document", pdfFile),
        through: ({ page }) => page.locator(".file").waitFor(),
      },
      {
        request: "the payment, at the last step",
        address: SESSION,
        texts: textsOf("unsure", "unsure", "tooMany"),
        open: async () => {
          const payer = await openSteps();
          await payer.goToReview();
          return payer;
        },
        // If the answer alone is lost, the page finds its payment at once.
        without: "a lost answer",
        act: ({ next }) => next(),
        through: ({ heading }) => heading(/^Transfer BRL/),
      },
      {
        request: "the payment, on its own page",
        address: SESSION,
        texts: textsOf("statusOffline", "statusOffline", "statusOffline"),
        open: async () => {
          const payer = await tier.visit((await beginTransfer(false)).own);
          await payer.heading(/^Transfer BRL/);
          return payer;
        },
        act: look,
        through: ({ page }) => page.getByRole("alert").waitFor({ state: "detached" }),
      },
      {
        request: "how a payment stands, by its number",
        address: "**/status?*",
        texts: textsOf("statusOffline", "statusOffline", "statusOffline"),
        open: async () => tier.visit((await beginTransfer(false)).known),
        act: look,
        through: ({ page }) => page.getByRole("alert").waitFor({ state: "detached" }),
      },
      {
        request: "the promise of a transfer",
        address: `${SESSION}/hold`,
        texts: textsOf("offline", "fault", "tooMany"),
        without: "a lost answer",
        open: async () => tier.visit((await beginTransfer(true)).own),
        act: press("I will make this transfer"),
        through: ({ page }) => page.getByText("You said that you will make this transfer.").waitFor(),
      },
      {
        request: "the wish to call a payment off",
        address: `${SESSION}/release`,
        texts: textsOf("offline", "fault", "tooMany"),
        without: "a lost answer",
        open: async () => {
          const payer = await tier.visit((await beginTransfer(true)).own);
          await payer.page.getByText("Changed your mind?").click();
          return payer;
        },
        act: press("Call this payment off"),
        through: ({ heading }) => heading("The payment was cancelled"),
      },
      {
        request: "whether a held link is free again",
        address: /\/payment-links\/[\w-]+$/,
        texts: textsOf("statusOffline", "statusOffline", "statusOffline"),
        open: async () => {
          const { link } = await beginTransfer(true);
          const payer = await tier.open(link);
          await payer.heading("Somebody is already paying");
          return payer;
        },
        act: look,
        through: ({ page }) => page.getByRole("alert").waitFor({ state: "detached" }),
      },
    ];

    test.each(cases)("a request for $request that fails is told of, and the next one goes on", async (one) => {
      const payer = await one.open();
      const { page } = payer;
      await page.locator("main .card").first().waitFor();
      for (const [name, fail] of Object.entries(failures)) {
        if (name === one.without) continue;
        await page.route(one.address, fail);
        const failed = Promise.race([page.waitForEvent("requestfinished"), page.waitForEvent("requestfailed")]);
        await one.act(payer);
        await failed;
        const key = one.texts[name as Failure];
        await expect.poll(async () => ({ name, said: await said(page) })).toEqual({ name, said: words[key] });
        await page.unroute(one.address);
      }
      await expectUsable(page);
      await one.act(payer);
      await one.through(payer);
    });

    const script = "**/assets/client-*";
    const NOTICE = "#unready";
    const lose = (address: string) => (page: Page) => page.route(address, (route) => route.abort());
    const take = (path: string) => (page: Page) =>
      page.addInitScript((taken) => {
        const names = taken.split(".");
        const owner = names.slice(0, -1).reduce((of: object, name) => Reflect.get(of, name), globalThis);
        Reflect.deleteProperty(owner, names.at(-1) ?? "");
      }, path);
    const forbid = (name: string) => (page: Page) =>
      page.addInitScript((taken) => {
        const refuse = () => {
          throw new DOMException("Forbidden", "SecurityError");
        };
        Object.defineProperty(globalThis, taken, { get: refuse });
      }, name);
    const textOf = async (page: Page, place: string) => (await page.locator(place).allInnerTexts()).join().trim();
    const pays = async ({ heading, goToReview, next, page }: Payer) => {
      await goToReview();
      await next();
      await heading(/^Transfer BRL/);
      await page.reload();
      await heading(/^Transfer BRL/);
      return words.goesOn;
    };
    const copies = async (payer: Payer) => {
      await pays(payer);
      await press("Copy: Payment reference")(payer);
      const notice = ".transfer .notice:not(:empty)";
      await payer.page.locator(notice).waitFor();
      return textOf(payer.page, notice);
    };
    const choosesPhoto = async ({ page, payFrom, choose }: Payer) => {
      await payFrom("BR");
      await choose("dmt");
      const buffer = Buffer.alloc(5 * 1024 * 1024);
      await page.setInputFiles("#document", { name: "passport.jpg", mimeType: "image/jpeg", buffer });
      await page.locator("#document-error").waitFor();
      return textOf(page, "#document-error");
    };
    test.each<[string, (page: Page) => Promise<unknown>, (payer: Payer) => Promise<string>, string]>([
      ["the page's script", lose(script), ({ page }) => textOf(page, NOTICE), words.late],
      ["the page's style", lose("**/assets/page-*"), pays, words.goesOn],
      ["the part of the script that makes photos smaller", lose("**/assets/photo-*"), choosesPhoto, words.tooLarge],
      ["`createImageBitmap`", take("createImageBitmap"), choosesPhoto, words.tooLarge],
      ["`AbortSignal.timeout`", take("AbortSignal.timeout"), pays, words.goesOn],
      [
        "`Intl.NumberFormat.prototype.formatRange`",
        take("Intl.NumberFormat.prototype.formatRange"),
        pays,
        words.goesOn,
      ],
      ["`Array.prototype.toSorted`", take("Array.prototype.toSorted"), pays, words.goesOn],
      ["`Object.hasOwn`", take("Object.hasOwn"), ({ page }) => textOf(page, NOTICE), words.tooOld],
      ["`Array.prototype.at`", take("Array.prototype.at"), ({ page }) => textOf(page, NOTICE), words.tooOld],
      ["`Intl.ListFormat`", take("Intl.ListFormat"), ({ page }) => textOf(page, NOTICE), words.tooOld],
      ["`sessionStorage`", forbid("sessionStorage"), pays, words.goesOn],
      ["`localStorage`", forbid("localStorage"), pays, words.goesOn],
      ["the clipboard", take("Navigator.prototype.clipboard"), copies, words.copyFailed],
    ])("without %s a payer knows what to do", async (_, taken, reads, expected) => {
      const payer = await tier.open(await publishLink(tier.client()));
      await taken(payer.page);
      await payer.page.reload();
      expect(await reads(payer)).toBe(expected);
      await expectUsable(payer.page);
      payer.offences.splice(0);
    });

    test("without JavaScript a payer knows what to do", async () => {
      const { page } = await tier.open(await publishLink(tier.client()), { javaScriptEnabled: false });
      expect(await textOf(page, "noscript aside")).toBe(words.needsScript);
    });
  },
  { SANDBOX_SETTLE_SECONDS: "600" },
);
