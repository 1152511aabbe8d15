import type { Page } from "playwright-core";
import { expect, inject, test } from "vitest";
import { childrenOf, publishLink } from "../service/links.ts";
import { shareLinkBody, withRecipient } from "../service/scenarios-fixture.ts";
import { expectUsable } from "./browser.ts";
import { readPdf } from "./pdf.ts";
import { inBrowser } from "./tier.ts";

/** The languages that the receipt is read back in: one for each script, with how the script is called in Unicode. */
const scripts = [
  { locale: "en", script: "Latin" },
  { locale: "ar", script: "Arabic" },
  { locale: "zh", script: "Han" },
  { locale: "hi", script: "Devanagari" },
] as const;
const sheets = ["A4", "Letter"] as const;
const SCHOOL = "University of Sydney";
/** The settings that name the company which takes the money, and its contact for questions. */
const imprint = { LEGAL_NAME: "Payments Pty Ltd", SUPPORT_CONTACT: "help@pay.example" };

type Paid = Readonly<{
  connectorPayment: Readonly<{ amount: string; currency: string; reference: string | number; dueDate: string }>;
  recipients: readonly Readonly<{ amount: Readonly<{ payeeAmount: string }> }>[];
  executions: readonly Readonly<{ fee: string; legs: readonly Readonly<{ payerAmount: string; fxRate?: string }>[] }>[];
}>;

/** Figures as digits alone, because languages write separators differently. */
const figuresIn = (text: string): string => text.replace(/(?<=\d)[.,\u00a0\u202f](?=\d)/g, "");
/** The amounts of a text, whole: some digits of a fee may stand by chance in an address or a number. */
const amountsIn = (text: string): readonly string[] =>
  [...text.matchAll(/\d[\d.,\u00a0\u202f]*[.,]\d\d(?!\d)/g)].map(([amount]) => figuresIn(amount));
const squeezed = (text: string): string => text.replace(/\s+/g, " ");
const digitsOf = (amount: string | number): string => Number(amount).toFixed(2).replace(".", "");

/** How many letters of a script are in a text; Arabic letters are found in all their shapes. */
const lettersIn = (text: string, script: string): number =>
  text.normalize("NFKC").match(new RegExp(`(?=\\p{L})\\p{Script=${script}}`, "gu"))?.length ?? 0;

inBrowser(
  "a receipt and a bank sheet on paper",
  (tier) => {
    /** Pays a link of a split, and tells what the tenant knows of the payment. */
    async function pay(locale: string) {
      const reference = `Semester 1 ${locale}`;
      const body = withRecipient(
        withRecipient(shareLinkBody(), 0, {}, { portionBps: 8765 }),
        1,
        {},
        { portionBps: 1235 },
      );
      const link = await publishLink(tier.client(), { reference }, body);
      const payer = await tier.open(link, { locale });
      await payer.holdStatus();
      await payer.page.locator("#amount").fill("1234");
      await payer.goToReview();
      await payer.next();
      await payer.page.locator(".copyable").waitFor();
      const { children } = await childrenOf(tier.client(), link.id);
      const paid = await tier.client().must<Paid>("GET", `/v2/payment-intents/${children[0]?.id}`);
      return { ...payer, paid, reference, id: children[0]?.id ?? "" };
    }

    /**
     * How many letters of these lines are read back from paper, where nothing else is. Joined letters, as in Hindi, are read
     * back as the font of this machine has them, so that the page is held against its own words in the same font.
     */
    async function lettersOnPaper(page: Page, lines: string, script: string): Promise<number> {
      const { lang, family } = await page.evaluate(() => ({
        lang: document.documentElement.lang,
        family: getComputedStyle(document.body).fontFamily,
      }));
      const bare = await page.context().newPage();
      await bare.evaluate(
        (given) => {
          document.documentElement.lang = given.lang;
          document.body.style.fontFamily = given.family;
          document.body.style.whiteSpace = "pre-wrap";
          document.body.textContent = given.lines;
        },
        { lang, family, lines },
      );
      const { text } = await readPdf(await bare.pdf());
      await bare.close();
      return lettersIn(text, script);
    }

    /** The texts of the page as it prints on each kind of paper; it must be one sheet. */
    async function print(page: Page, script: string): Promise<readonly string[]> {
      await page.emulateMedia({ media: "print" });
      const lines = (await page.locator("body").allInnerTexts()).join("\n");
      expect(lettersIn(lines, script)).toBeGreaterThan(50);
      const readable = await lettersOnPaper(page, lines, script);
      // A machine without a font for the script would read back nothing.
      expect(readable).toBeGreaterThan(0);
      const texts: string[] = [];
      for (const format of sheets) {
        const { pages, text } = await readPdf(await page.pdf({ format }));
        expect({ format, pages }).toEqual({ format, pages: 1 });
        expect(lettersIn(text, script)).toBeGreaterThanOrEqual(readable);
        texts.push(text);
      }
      await page.emulateMedia({ media: null });
      return texts;
    }

    test.for(scripts)("in $locale it says all that was agreed and paid, on one sheet", async (language, { skip }) => {
      const { locale, script } = language;
      const font = inject("fonts")[locale];
      if ("missing" in font) return skip(font.missing);
      const { page, paid, reference, id, releaseStatus } = await pay(locale);
      const { amount, currency, reference: quoted, dueDate } = paid.connectorPayment;
      const day = new Intl.DateTimeFormat("en", { day: "numeric", timeZone: "UTC" }).format(new Date(dueDate));
      const secret = await page.evaluate(() => location.hash.slice(1));
      for (const text of await print(page, script)) {
        // The secret would let the sheet's finder cancel an unpaid payment.
        expect(text.replace(/\s/g, "")).not.toContain(secret);
        expect(Object.values(imprint).filter((part) => !squeezed(text).includes(part))).toEqual([]);
        const words = [String(quoted), digitsOf(amount), currency, day];
        expect(words.filter((word) => !figuresIn(text).includes(word))).toEqual([]);
      }

      releaseStatus();
      await page.locator(".sign.good").waitFor();
      await expectUsable(page);
      const { fee, legs } = paid.executions[0] ?? { fee: "0", legs: [] };
      const charges = Number(fee) + Number(legs[1]?.payerAmount);
      const figures = [amount, paid.recipients[0]?.amount.payeeAmount ?? "", charges].map(digitsOf);
      const words = [currency, "AUD", SCHOOL, "Ana Silva", reference, id, String(quoted)];
      const address = await page.evaluate(() => location.origin + location.pathname + location.hash);
      for (const text of await print(page, script)) {
        expect(words.filter((word) => !figuresIn(text).includes(word))).toEqual([]);
        expect(Object.values(imprint).filter((part) => !squeezed(text).includes(part))).toEqual([]);
        expect(text.replace(/\s/g, "")).toContain(address);
        expect(amountsIn(text)).toEqual(expect.arrayContaining(figures));
        expect(amountsIn(text)).not.toContain(digitsOf(fee));
      }
    });
  },
  imprint,
);
