import { expect, test } from "vitest";
import { publishLink } from "../service/links.ts";
import { shareLinkBody } from "../service/scenarios-fixture.ts";
import { expectUsable, newEmail, pdfFile, WIDE } from "./browser.ts";
import { inBrowser } from "./tier.ts";

inBrowser("views of the payer page", (tier) => {
  test("an amount that the payer enters must fit the currency, and is shown with what is received of it", async () => {
    const { page, heading, next, payFrom } = await tier.open(
      await publishLink(tier.client(), {}, shareLinkBody()),
      WIDE,
    );
    await page.locator("#country").selectOption("AU");
    for (const [wrong, reason] of [
      ["", "Enter an amount above zero in AUD"],
      ["0", "Enter an amount above zero in AUD"],
      ["1234.567", "This has more decimals than AUD has"],
      ["abc", "This cannot be read as an amount"],
    ] as const) {
      await page.locator("#amount").fill(wrong);
      await next();
      expect(await page.locator("#amount-error").textContent()).toContain(reason);
    }
    await expectUsable(page);
    await page.locator("#amount").fill("1,234.50");
    await payFrom("AU");
    await heading("How would you like to pay?");
    const summary = await page.locator(".summary").textContent();
    expect(summary).toMatch(/University of Sydney gets\s*AUD\s1,111\.05/);
    expect(summary).not.toMatch(/%|1,234\.50/);
  });

  test("an amount that can be read in two ways is asked about, and the answer is what is paid", async () => {
    const { page, heading, next } = await tier.open(await publishLink(tier.client(), {}, shareLinkBody()), {
      locale: "en-US",
    });
    const asked: unknown[] = [];
    await page.route("**/quote", async (route) => {
      asked.push(route.request().postDataJSON().amount);
      await route.continue();
    });
    await page.locator("#country").selectOption("AU");
    await page.locator("#amount").fill("1.000");
    await next();
    const choices = page.locator(".choices");
    await choices.waitFor();
    expect((await choices.allInnerTexts()).join().replace(/\s/g, " ")).toBe("AUD 1.00 AUD 1,000.00");
    await page.getByRole("button", { name: "AUD 1,000.00" }).click();
    expect(await page.locator("#amount").inputValue()).toBe("1,000.00");
    await page.locator(".field .notice").getByText("900.00").waitFor();
    await next();
    await heading("How would you like to pay?");
    expect(new Set(asked)).toEqual(new Set(["1000"]));
    await page.goBack();
    await heading("What you are paying");
    expect(await page.locator("#amount").inputValue()).toBe("1,000.00");
  });

  test("an amount that no way to pay takes is refused at its field", async () => {
    const { page, heading, payFrom } = await tier.open(await publishLink(tier.client(), {}, shareLinkBody()));
    await page.locator("#amount").fill("99999999");
    await payFrom("AU");
    await page.getByText(/Enter an amount from .+ to .+\./).waitFor();
    await heading("What you are paying");
  });

  test("the title tells the step, and that something in it is wrong", async () => {
    const { page, next, payFrom, choose } = await tier.open(await publishLink(tier.client()));
    const titled = (title: string) => expect.poll(() => page.title()).toBe(`${title} – Pay University of Sydney`);
    await titled("What you are paying");
    await next();
    await titled("Error: What you are paying");
    await payFrom("BR");
    await titled("How would you like to pay?");
    await next();
    await titled("Error: How would you like to pay?");
    await choose("dmt");
    await titled("Who is paying?");
  });

  test("on a phone, eyes and readers come to the summary before the step", async () => {
    const { page, payFrom } = await tier.open(await publishLink(tier.client()));
    await payFrom("BR");
    await page.locator(".method").first().waitFor();
    const cards = page.locator("main .card");
    expect(await cards.first().getAttribute("class")).toContain("summary");
    const [summary, step] = await Promise.all([cards.first().boundingBox(), cards.last().boundingBox()]);
    expect((summary?.y ?? 0) + (summary?.height ?? 0)).toBeLessThanOrEqual(step?.y ?? 0);
  });

  test("a locked corridor is shown and cannot be changed", async () => {
    const paymentLink = { payFromCountryCode: "BR", lockedFields: ["pay_from_country"] };
    const { page, heading, next } = await tier.open(await publishLink(tier.client(), paymentLink));
    expect(await page.locator("#country").count()).toBe(0);
    expect(await page.locator("form.step").textContent()).toContain("Brazil");
    await expectUsable(page);
    await next();
    await heading("How would you like to pay?");
    expect(await page.locator(".method").first().textContent()).toContain("BRL");
  });

  test("an upload that is refused is explained, and the next one taken", async () => {
    const { page, payFrom, choose } = await tier.open(await publishLink(tier.client()));
    await payFrom("BR");
    await choose("dmt");
    await page.setInputFiles("#document", { ...pdfFile, buffer: Buffer.from("plain text") });
    await page.locator("#document-error").getByText("is not a PDF, JPEG or PNG").waitFor();
    await expectUsable(page);
    await page.setInputFiles("#document", { ...pdfFile, buffer: Buffer.alloc(4 * 1024 * 1024 + 1, "%PDF-1.7 ") });
    await page.locator("#document-error").getByText("is larger than 4 MB").waitFor();
    await page.setInputFiles("#document", pdfFile);
    await page.getByRole("button", { name: "Remove passport.pdf" }).click();
    await page.locator("#document").waitFor();
  });

  test("the keyboard alone is enough, and the focus follows the steps", async () => {
    const { page, heading, holdStatus } = await tier.open(
      await publishLink(tier.client(), { payFromCountryCode: "BR" }),
    );
    await holdStatus();
    // The focus moves a moment after a view is shown.
    const headingFocused = () => page.waitForFunction(() => document.activeElement?.tagName === "H1");
    const tabTo = async (selector: string) => {
      for (let presses = 0; presses < 30; presses++) {
        await page.keyboard.press("Tab");
        if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
      }
      throw new Error(`The focus never comes to ${selector}`);
    };
    await tabTo("form.step [type=submit]");
    await page.keyboard.press("Enter");
    await heading("How would you like to pay?");
    await headingFocused();
    await tabTo(".method input");
    await page.keyboard.press("Space");
    await tabTo("form.step [type=submit]");
    await page.keyboard.press("Enter");
    await heading("Who is paying?");
    await headingFocused();
    for (const [id, text] of Object.entries({ firstName: "Ana", lastName: "Silva", email: newEmail() })) {
      await tabTo(`#${id}`);
      await page.keyboard.type(text);
    }
    await page.keyboard.press("Enter");
    await heading("Check and pay");
    await tabTo("form.step [type=submit]");
    await page.keyboard.press("Enter");
    await heading(/^Transfer BRL/);
    await tabTo("[aria-label='Copy: IBAN'], [aria-label='Copy: Account number']");
    await page.keyboard.press("Enter");
    await page.getByText("Copied: Account number").waitFor();
  });

  test("without a script, a page says what is to be paid and what is needed, and shows no form", async () => {
    const options = { javaScriptEnabled: false, locale: "de-DE" };
    const { page, heading } = await tier.open(await publishLink(tier.client()), options);
    await heading("Was Sie bezahlen");
    const text = (await page.locator("body").allInnerTexts()).join();
    expect(text).toContain("University of Sydney");
    expect(text).toMatch(/99,00\sAUD/);
    expect(text).toContain("Zum Bezahlen wird JavaScript gebraucht.");
    expect(await page.locator("input:visible, select:visible, button:visible").count()).toBe(0);
    const { page: withScript } = await tier.open(await publishLink(tier.client()));
    await withScript.locator("form.step button[type=submit]:enabled").waitFor();
    expect(await withScript.locator("body").allInnerTexts()).not.toContainEqual(expect.stringContaining("JavaScript"));
  });

  test("another language is one choice away, and stays on the way back from a checkout", async () => {
    const link = await publishLink(tier.client());
    const { page, heading } = await tier.open(link);
    await page.locator(".languages summary").click();
    await expectUsable(page);
    await page.getByRole("link", { name: "Español" }).click();
    await heading("Qué va a pagar");
    // The page's script, which comes after its words, is what keeps the language.
    await page.waitForLoadState();
    await page.goto(`${tier.client().url}/pay/plink_${link.token}?payment=${"7".repeat(24)}`);
    await heading("No encontramos este pago");
    await expectUsable(page);
  });
});
