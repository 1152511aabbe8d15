import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { childrenOf, publishLink } from "../service/links.ts";
import { expectUsable, SESSION, WIDE } from "./browser.ts";
import { inBrowser } from "./tier.ts";

const SECRET = /#([\w-]{43})$/;
const secretOf = (page: Page): string => SECRET.exec(page.url())?.[1] ?? "";
const textOf = async (page: Page, place = "main") => (await page.locator(place).allInnerTexts()).join("\n");
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

inBrowser("coming back to a payment", (tier) => {
  const clientOf = () => tier.client();

  test("the address alone leads another browser to the account, the status and the receipt", async () => {
    const link = await publishLink(clientOf(), { reference: "Semester 1" });
    const payer = await tier.open(link);
    await payer.holdStatus();
    await payer.goToReview();
    const reported: string[] = [];
    payer.page.on("request", (request) => {
      const { referer, "x-payer-secret": secret } = request.headers();
      reported.push(request.url(), referer ?? "");
      expect(secret === undefined || /\/payer-session(\/\w+)?$/.test(request.url())).toBe(true);
    });
    await payer.next();
    await payer.heading(/^Transfer BRL/);
    const secret = secretOf(payer.page);
    expect(Buffer.from(secret, "base64url")).toHaveLength(32);
    expect(reported.length).toBeGreaterThan(0);
    expect(reported.filter((text) => text.includes(secret))).toEqual([]);
    await button(payer.page, "Copy: Address of your payment").click();
    await payer.page.getByText("Copied: Address of your payment").waitFor();
    const address = await payer.page.evaluate(() => navigator.clipboard.readText());
    expect(address).toBe(`${clientOf().url}/pay/plink_${link.token}#${secret}`);

    const other = await tier.open(link, WIDE);
    await other.heading("What you are paying");
    await other.holdStatus();
    await other.page.goto(address);
    await other.heading(/^Transfer BRL/);
    expect(await textOf(other.page, ".copyable")).toBe(await textOf(payer.page, ".copyable"));
    await expectUsable(other.page);
    await other.page.locator(".languages summary").click();
    await other.page.getByRole("link", { name: "Español" }).click();
    await other.heading(/^Transfiera/);
    expect(secretOf(other.page)).toBe(secret);
    other.releaseStatus();
    await other.heading("Pago completado");
    expect(await textOf(other.page)).toContain("Ana Silva");
    expect(await textOf(other.page)).toContain("Semester 1");
    await expectUsable(other.page);
  });

  test.each([
    ["the answer is lost", ["POST"]],
    ["nothing is heard any more", ["POST", "GET"]],
  ])("when %s after the request was sent, the payment is found again by its secret", async (_, lost) => {
    const link = await publishLink(clientOf());
    const { page, heading, next, goToReview, holdStatus } = await tier.open(link);
    await holdStatus();
    await goToReview();
    await page.route(SESSION, async (route) => {
      if (!lost.includes(route.request().method())) return route.fallback();
      await route.fetch();
      await route.abort();
    });
    await next();
    if (lost.includes("GET")) {
      await page.getByText("you will not pay twice").waitFor();
      await page.unroute(SESSION);
      await holdStatus();
      await page.reload();
    }
    await heading(/^Transfer BRL/);
    expect((await childrenOf(clientOf(), link.id)).children).toHaveLength(1);
  });

  test("a reload while the request is still on its way waits for it, and shows the payment", async () => {
    const link = await publishLink(clientOf());
    const { page, heading, next, goToReview, holdStatus } = await tier.open(link);
    await holdStatus();
    await goToReview();
    let send = () => {};
    const sent = new Promise<void>((resolve) => {
      send = resolve;
    });
    await page.route(SESSION, async (route) => {
      const request = route.request();
      if (request.method() !== "POST") return route.fallback();
      await sent;
      // The browser has given the request up by now, but the network has not.
      const { "x-payer-secret": secret = "" } = request.headers();
      await fetch(request.url(), {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-Payer-Secret": secret },
        body: request.postData() ?? "",
      });
    });
    await next();
    await page.getByText("Starting your payment…").waitFor();
    await page.reload();
    await page.getByText("Looking for your payment…").waitFor();
    send();
    await heading(/^Transfer BRL/);
    expect((await childrenOf(clientOf(), link.id)).children).toHaveLength(1);
  });

  test("an address under which nothing was started says so, and the steps begin", async () => {
    const link = await publishLink(clientOf());
    const { page, heading } = await tier.open(link);
    // From the page itself this would be a step within it, and no opening of the address.
    await page.goto("about:blank");
    await page.goto(`${clientOf().url}/pay/plink_${link.token}#${"x".repeat(43)}`);
    await page.getByText("No payment is known under this address").waitFor();
    await heading("What you are paying");
    expect(page.url()).not.toContain("#");
    await expectUsable(page);
  });

  test("another window of the same browser asks first, tells nothing before, and can forget", async () => {
    const link = await publishLink(clientOf(), { isSingleUse: true });
    const payer = await tier.open(link);
    await payer.goToReview("card");
    await payer.next();
    await button(payer.page, "Decline").waitFor();

    const second = await payer.page.context().newPage();
    await second.goto(`${clientOf().url}/pay/plink_${link.token}`);
    const asked = second.getByRole("heading", { name: "Continue with your payment?" });
    await asked.waitFor();
    expect(await textOf(second)).not.toMatch(/Ana|Silva|BRL|\d/);
    await expectUsable(second);
    await second.getByRole("button", { name: "Continue" }).click();
    await second.getByRole("link", { name: "Go to the payment page" }).waitFor();
    expect(await textOf(second)).toContain("Ana Silva");
    expect(secretOf(second)).not.toBe("");

    const third = await payer.page.context().newPage();
    await third.goto(`${clientOf().url}/pay/plink_${link.token}`);
    await third.getByRole("link", { name: "Forget it in this browser" }).click();
    await third.getByRole("heading", { name: "Somebody is already paying" }).waitFor();
    await third.reload();
    await third.getByRole("heading", { name: "Somebody is already paying" }).waitFor();
    expect(await asked.count()).toBe(0);
  });

  test("a payment that this browser was told to forget is not found again by going back", async () => {
    const link = await publishLink(clientOf(), { isSingleUse: true });
    const payer = await tier.open(link);
    await payer.goToReview("dmt");
    await payer.next();
    const { page } = payer;
    await page.getByRole("link", { name: "Forget it in this browser" }).click();
    await page.getByRole("heading", { name: "Somebody is already paying" }).waitFor();
    await page.goBack();
    await page.getByRole("heading", { name: "Somebody is already paying" }).waitFor();
    expect([secretOf(page), await textOf(page)]).toEqual(["", expect.not.stringContaining("Silva")]);
  });

  test("of two windows that pay a link for one payment, the later one is led to the payment of the first", async () => {
    const link = await publishLink(clientOf(), { isSingleUse: true });
    const first = await tier.open(link);
    const later = await first.page.context().newPage();
    await later.goto(`${clientOf().url}/pay/plink_${link.token}`);
    await first.goToReview("card");
    await later.locator("#country").selectOption("BR");
    await later.locator("form.step [type=submit]").click();
    await later.locator('.method input[value="dmt"]').check();
    await later.locator("form.step [type=submit]").click();
    for (const [id, text] of Object.entries({ firstName: "Ana", lastName: "Silva", email: "ana@example.com" }))
      await later.locator(`#${id}`).fill(text);
    await later.locator("form.step [type=submit]").click();
    await first.next();
    await button(first.page, "Decline").waitFor();
    await later.getByRole("heading", { name: "Check and pay" }).waitFor();
    await later.locator("form.step [type=submit]").click();
    await later.getByRole("heading", { name: "Continue with your payment?" }).waitFor();
    await later.getByRole("button", { name: "Continue" }).click();
    await later.getByRole("link", { name: "Go to the payment page" }).waitFor();
    expect((await childrenOf(clientOf(), link.id)).children).toHaveLength(1);
  });

  test("double clicks, back, forward and reload make one payment, and never lose it", async () => {
    const link = await publishLink(clientOf());
    const { page, heading, holdStatus } = await tier.open(link);
    await holdStatus();
    const twice = () => page.locator("form.step [type=submit]").dblclick();
    await page.locator("#country").selectOption("BR");
    await twice();
    await page.locator('.method input[value="dmt"]').check();
    await twice();
    await heading("Who is paying?");
    await page.goBack();
    await heading("How would you like to pay?");
    await page.goForward();
    await heading("Who is paying?");
    for (const [id, text] of Object.entries({ firstName: "Ana", lastName: "Silva", email: "twice@example.com" }))
      await page.locator(`#${id}`).fill(text);
    await page.locator("form.step [type=submit]").click();
    await heading("Check and pay");
    await twice();
    await heading(/^Transfer BRL/);
    const secret = secretOf(page);
    for (const move of ["goBack", "goBack", "goForward", "reload"] as const) {
      await page[move]();
      await heading(/^Transfer BRL/);
      expect({ move, secret: secretOf(page) }).toEqual({ move, secret });
    }
    expect((await childrenOf(clientOf(), link.id)).children).toHaveLength(1);
  });
});
