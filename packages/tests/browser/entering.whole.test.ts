import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { newSecret, publishLink } from "../service/links.ts";
import { openLinkBody, priceLinkBody, withRecipient } from "../service/scenarios-fixture.ts";
import { expectUsable, SESSION, WIDE } from "./browser.ts";
import { inBrowser } from "./tier.ts";

const PHOTO_BYTES = 9 * 1024 * 1024;

/** Has the page choose a photo of 12 megapixels and at least 9 MB, as phones take them. */
const choosePhoto = (page: Page) =>
  page.evaluate(async (bytesMin) => {
    const canvas = document.createElement("canvas");
    canvas.width = 4000;
    canvas.height = 3000;
    const context = canvas.getContext("2d")!;
    const image = context.createImageData(canvas.width, canvas.height);
    const grains = new Uint32Array(image.data.buffer);
    // Grain that is not as random as noise.
    for (let at = 0, grain = 1; at < grains.length; at++) {
      grain = (grain * 1_103_515_245 + 12_345) >>> 0;
      grains[at] = 0xff808080 + ((grain >>> 16) & 0x1f) * 0x010101;
    }
    context.putImageData(image, 0, 0);
    const photo = await new Promise<Blob>((resolve) => canvas.toBlob((blob) => resolve(blob!), "image/jpeg", 1));
    // Bytes behind the end of a JPEG are none of its picture.
    const parts = [photo, new Uint8Array(Math.max(0, bytesMin - photo.size))];
    const chosen = new DataTransfer();
    chosen.items.add(new File(parts, "passport.jpg", { type: "image/jpeg" }));
    const field = document.querySelector<HTMLInputElement>("#document")!;
    field.files = chosen.files;
    field.dispatchEvent(new Event("change", { bubbles: true }));
    return chosen.files[0]?.size ?? 0;
  }, PHOTO_BYTES);

inBrowser("what a payer enters", (tier) => {
  test("survives a reload but for what is personal: amount, country and way of paying", async () => {
    const link = await publishLink(tier.client(), {}, openLinkBody());
    const { page, next, choose, heading } = await tier.open(link);
    await page.locator("#amount").fill("1,234.50");
    await page.locator("#country").selectOption("BR");
    await next();
    await choose("card");
    await heading("Who is paying?");
    await page.locator("#firstName").fill("Ana");
    await page.locator("#email").fill("ana@example.com");
    await page.reload();
    await heading("What you are paying");
    await page.locator("form.step button[type=submit]:enabled").waitFor();
    expect([await page.locator("#amount").inputValue(), await page.locator("#country").inputValue()]).toEqual([
      "1,234.50",
      "BR",
    ]);
    await next();
    await page.locator('.method input[value="card"]:checked').waitFor();
    await next();
    await heading("Who is paying?");
    expect([await page.locator("#firstName").inputValue(), await page.locator("#email").inputValue()]).toEqual([
      "",
      "",
    ]);
    const kept = await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]));
    expect(kept).not.toMatch(/Ana|ana@/);

    // Another window begins with nothing.
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.locator("form.step button[type=submit]:enabled").waitFor();
    expect([await other.locator("#amount").inputValue(), await other.locator("#country").inputValue()]).toEqual([
      "",
      "",
    ]);
  });

  test("a photo of 9 MB is made smaller, and uploaded", async () => {
    const { page, payFrom, choose } = await tier.open(await publishLink(tier.client()));
    await payFrom("BR");
    await choose("dmt");
    const sent = page.waitForRequest("**/documents");
    expect(await choosePhoto(page)).toBeGreaterThanOrEqual(PHOTO_BYTES);
    const bytes = Number((await (await sent).allHeaders())["content-length"]);
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThan(4 * 1024 * 1024 + 1024);
    await page.locator(".file").getByText("passport.jpg was uploaded.").waitFor();
  });

  test("from a country in which no way takes the amount, nothing is left to choose: the page says so, and whom to ask", async () => {
    const body = withRecipient(priceLinkBody(), 0, {}, { payeeAmount: "2849000.00" });
    const { page, payFrom, heading } = await tier.open(await publishLink(tier.client(), {}, body), WIDE);
    await payFrom("JP");
    await heading("How would you like to pay?");
    const alert = page.getByRole("alert");
    expect(await alert.textContent()).toMatch(
      /^From this country, this amount cannot be paid in any way\. Go back and choose another country, or ask .+\.$/,
    );
    expect(await page.locator(".method input:enabled").count()).toBe(0);
    expect(await page.locator("form.step button[type=submit]").count()).toBe(0);
    expect(await page.locator(".countdown").count()).toBe(0);
    await expectUsable(page);
    await page.getByRole("button", { name: "Back" }).click();
    await heading("What you are paying");
  });
});

inBrowser("the page of a payment", (tier) => {
  test.each([
    ["failed", { status: "failed", paymentMethod: "redirect", money: "failed" }],
    ["called off, after bank details were shown", { status: "cancelled", money: "failed" }],
    ["completed, as was thought, and found never to have moved", { status: "completed", money: "failed" }],
  ])("that %s offers no new one where the link is closed", async (_, state) => {
    const link = await publishLink(tier.client(), { isSingleUse: true });
    const secret = newSecret();
    const session = await link.payer.open(await link.payer.sessionBody(), secret);
    await link.payer.waitForPayment(session.paymentIntentId, "completed");
    const { page } = await tier.open(link);
    await page.route(SESSION, async (route) => {
      const response = await route.fetch();
      const { data } = (await response.json()) as { data: object };
      await route.fulfill({ response, json: { data: { ...data, ...state } } });
    });
    await page.goto("about:blank");
    await page.goto(`${tier.client().url}/pay/plink_${link.token}#${secret}`);
    await page.locator(".sign.bad").waitFor();
    const text = (await page.locator("main").allInnerTexts()).join("\n");
    expect(text).toContain("This link cannot be paid any more. If you still want to pay, ask whoever sent it to you");
    expect(text).not.toMatch(/start again|another payment/i);
    expect(await page.locator(`main a[href*="lang="]`).allInnerTexts()).toEqual(["Forget it in this browser"]);
    await expectUsable(page);
  });

  test("in Arabic has Arabic digits, but for what is copied or dialled", async () => {
    const link = await publishLink(tier.client(), {}, openLinkBody());
    const { page, next, choose, introduce } = await tier.open(link, { locale: "ar-EG" });
    const seen: string[] = [];
    const look = async () => {
      seen.push(
        await page.locator("main").evaluate((main) => {
          const copy = main.cloneNode(true) as HTMLElement;
          // Numbers of the rail and of the payer are what they are; a number of a phone is to be dialled.
          for (const own of copy.querySelectorAll(".copyable, .line, #phone-hint, option")) own.remove();
          return copy.textContent ?? "";
        }),
      );
    };
    await page.locator("#amount").fill("abc");
    await next();
    await page.locator("#amount-error").waitFor();
    await look();
    await page.locator("#amount").fill("1500");
    await page.locator("#country").selectOption("BR");
    await page.locator(".field .notice:not(:empty)").waitFor();
    await look();
    await next();
    await page.locator(".method").first().waitFor();
    await look();
    await choose("dmt");
    await page.locator("#email").waitFor();
    await page.locator("#phone").fill("1");
    await next();
    await page.locator("#phone-error").waitFor();
    await look();
    await page.locator("#phone").fill("");
    await introduce();
    await look();
    await next();
    await page.locator(".copyable").waitFor();
    const { bank, id } = await page.evaluate(() => ({
      bank: document.querySelector(".copyable dd bdi")?.textContent ?? "",
      id: new URL(location.href).searchParams.get("payment") ?? "",
    }));
    await look();
    const others = seen.join("\n").replaceAll(bank, "").replaceAll(id, "");
    expect(others).toMatch(/[٠-٩]/);
    expect(others.match(/.{0,20}[0-9].{0,20}/g) ?? []).toEqual([]);
  });
});
