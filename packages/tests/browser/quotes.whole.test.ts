import { expect, test } from "vitest";
import { publishLink } from "../service/links.ts";
import { inBrowser } from "./tier.ts";

inBrowser("quotes on the payer page", (tier) => {
  test("a quote that expires while it is shown is renewed silently, and the payment is made at the new one", async () => {
    const link = await publishLink(tier.client());
    const { page, heading, next, payFrom, choose, introduce } = await tier.open(link);
    await page.clock.install();
    const asked: string[] = [];
    await page.route("**/quote", async (route) => {
      const response = await route.fetch();
      const { data } = (await response.json()) as { data: { quoteId: string } };
      asked.push(data.quoteId);
      const soon = new Date(Date.now() + 300_000).toISOString();
      await route.fulfill({ response, json: { data: { ...data, ...(asked.length === 1 && { expiresOn: soon }) } } });
    });
    await payFrom("BR");
    await choose("dmt");
    await introduce();
    await page.clock.fastForward(300_000);
    await page.getByText("The quote was renewed. You still pay").waitFor();
    expect(asked).toHaveLength(2);
    const session = page.waitForRequest("**/payer-session");
    await next();
    expect((await session).postDataJSON()).toMatchObject({ quoteId: asked[1] });
    await heading(/^Transfer BRL/);
  });

  test("a quote that the service calls expired is renewed, and a changed price is pointed out", async () => {
    const { page, heading, next, payFrom, choose, introduce } = await tier.open(await publishLink(tier.client()));
    let quotes = 0;
    await page.route("**/quote", async (route) => {
      const response = await route.fetch();
      const { data } = (await response.json()) as { data: { variants: { fromAmount: number }[] } };
      // The rates of this service never change, so that the first quote is made to look cheaper here.
      if (++quotes === 1) for (const variant of data.variants) variant.fromAmount -= 1;
      await route.fulfill({ response, json: { data } });
    });
    await page.route("**/payer-session", async (route) => {
      const body = { statusCode: 422, code: "[QOT0001]", message: "[QOT0001] The selected quote has expired" };
      await route.fulfill({ status: 422, json: body });
    });
    await payFrom("BR");
    await choose("dmt");
    await introduce();
    await next();
    await page.getByText("the price changed: you now pay").waitFor();
    await heading("Check and pay");
    expect(quotes).toBe(2);
    await page.unroute("**/payer-session");
    await next();
    await heading(/^Transfer BRL/);
  });
});
