import { expect, test } from "vitest";
import { childrenOf, finishCheckout, publishLink } from "../service/links.ts";
import { expectUsable, type Payer, SESSION } from "./browser.ts";
import { inBrowser } from "./tier.ts";

inBrowser("changing one's mind about a payment", (tier) => {
  const newLink = () => publishLink(tier.client(), { isSingleUse: true });
  const statuses = async (linkId: string) => {
    const { children } = await childrenOf(tier.client(), linkId);
    return children.map(({ status }) => status).toSorted();
  };
  /** A payer who has begun to pay by card, and came back without paying. */
  async function beginCheckout(payer: Payer): Promise<string> {
    await payer.goToReview("card");
    await payer.next();
    await payer.page.getByRole("button", { name: "Decline" }).waitFor();
    const checkout = payer.page.url();
    await payer.page.goBack();
    await payer.page.getByRole("link", { name: "Go to the payment page" }).waitFor();
    return checkout;
  }

  const callOff = ({ page }: Payer) => page.getByRole("button", { name: "Call this payment off" }).click();

  test("a checkout is called off, and the same link paid in another way", async () => {
    const link = await newLink();
    const payer = await tier.open(link);
    const { page, heading } = payer;
    await beginCheckout(payer);
    await page.getByText("This link is kept for you until").waitFor();
    await page.getByText("Changed your mind?").click();
    await expectUsable(page);
    await callOff(payer);
    await heading("The payment was cancelled");
    await page.getByRole("link", { name: "Start again" }).click();
    await heading("What you are paying");
    expect(page.url()).not.toContain("#");
    await payer.holdStatus();
    await payer.goToReview("dmt");
    await payer.next();
    await heading(/^Transfer BRL/);
    expect(await statuses(link.id)).toContain("cancelled");
    expect(await statuses(link.id)).toHaveLength(2);
  });

  test("what was paid meanwhile cannot be called off, and shows as paid", async () => {
    const link = await newLink();
    const payer = await tier.open(link);
    await payer.holdStatus();
    const checkout = await beginCheckout(payer);
    await payer.page.getByText("Changed your mind?").click();
    await finishCheckout(checkout, "pay");
    payer.releaseStatus();
    await callOff(payer);
    await payer.heading("Payment complete");
    expect(await statuses(link.id)).toEqual(["completed"]);
  });

  test("a rail that does not call a payment off is told of, with the time to try again", async () => {
    const payer = await tier.open(await newLink());
    await beginCheckout(payer);
    await payer.page.route(`${SESSION}/release`, (route) =>
      route.fulfill({ status: 409, headers: { "Retry-After": "60" }, json: { statusCode: 409, code: "[LNK0004]" } }),
    );
    await payer.page.getByText("Changed your mind?").click();
    await callOff(payer);
    await payer.page.getByText("It cannot be called off right now").waitFor();
    await expectUsable(payer.page);
    await payer.page.unroute(`${SESSION}/release`);
    await payer.page.route(`${SESSION}/release`, (route) => route.abort());
    await callOff(payer);
    await payer.page.getByText("The connection was lost.").waitFor();
    await payer.page.unroute(`${SESSION}/release`);
    await callOff(payer);
    await payer.heading("The payment was cancelled");
  });

  test("while a checkout runs and its page is in view, the page gives signs of life, every few minutes", async () => {
    const payer = await tier.open(await newLink());
    const { page } = payer;
    await page.clock.install();
    const signs: object[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/hold")) signs.push(request.postDataJSON());
    });
    await beginCheckout(payer);
    await expect.poll(() => signs).toEqual([{}]);
    for (const minutes of [1, 2]) {
      const answered = page.waitForResponse((response) => response.url().includes("/payer-session"));
      await page.clock.fastForward(100_000);
      await answered;
      await expect.poll(() => signs.length).toBe(minutes);
    }
    // Nobody looks at the page: it stays silent.
    await page.evaluate(() => {
      Object.defineProperty(document, "hidden", { get: () => true });
    });
    await page.clock.fastForward(600_000);
    expect(signs).toHaveLength(2);
  });
});
