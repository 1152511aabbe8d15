import { expect, test } from "vitest";
import { childrenOf, publishLink } from "../service/links.ts";
import { expectUsable, newEmail, pdfFile, WIDE } from "./browser.ts";
import { inBrowser } from "./tier.ts";

inBrowser("payments on the payer page", (tier) => {
  test("a bank transfer: every step, the account to copy, a reload, and its completion by itself", async () => {
    const link = await publishLink(tier.client(), { reference: "Semester 1" });
    const { page, heading, next, payFrom, choose, holdStatus, releaseStatus } = await tier.open(link);
    await heading("What you are paying");
    await expectUsable(page);
    await next();
    expect(await page.getByText("Choose the country you pay from.").isVisible()).toBe(true);
    await page.locator("#country:focus").waitFor();
    await payFrom("BR");
    await heading("How would you like to pay?");
    await next();
    await page.getByText("Choose how you would like to pay.").waitFor();
    await page.locator('.method input[value="dmt"]').check();
    await expectUsable(page);
    await choose("dmt");

    await heading("Who is paying?");
    await next();
    await page.getByText("Enter an email address").waitFor();
    await page.locator("#firstName:focus").waitFor();
    await expectUsable(page);
    for (const [id, text] of Object.entries({ firstName: "Ana", lastName: "Silva", email: newEmail() }))
      await page.locator(`#${id}`).fill(text);
    await page.setInputFiles("#document", pdfFile);
    await page.locator(".file").getByText("passport.pdf was uploaded.").waitFor();
    await next();

    await heading("Check and pay");
    await expectUsable(page);
    const total = (await page.locator(".summary .total dd").textContent()) ?? "";
    expect(total).toMatch(/^BRL\s[\d,]+\.\d\d$/);
    await holdStatus();
    await next();
    await heading(`Transfer ${total}`);
    await page.reload();
    await heading(`Transfer ${total}`);
    await page.getByRole("button", { name: "Copy: Payment reference" }).click();
    await page.getByText("Copied: Payment reference").waitFor();
    const { children } = await childrenOf(tier.client(), link.id);
    const payment = children[0]?.["connectorPayment"] as { reference: string };
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(payment.reference);
    await expectUsable(page);
    expect(new URL(page.url()).searchParams.get("payment")).toBe(children[0]?.id);
    releaseStatus();
    await heading("Payment complete");
    await expectUsable(page);
    expect((await tier.client().getIntent(children[0]?.id ?? "")).status).toBe("completed");
  });

  test("a card leads to the checkout, is paid there, and leads back to a page that says so", async () => {
    const payer = await tier.open(await publishLink(tier.client()), WIDE);
    const { page, heading, next, payFrom, choose, introduce, holdStatus, releaseStatus } = payer;
    await payFrom("AU");
    await choose("card");
    await introduce();
    await holdStatus();
    await next();
    await page.getByRole("button", { name: "Pay", exact: true }).click();
    await page.getByRole("link", { name: "Back to the payment page" }).click();
    await heading("Your payment is being processed");
    await expectUsable(page);
    releaseStatus();
    await heading("Payment complete");
  });
});
