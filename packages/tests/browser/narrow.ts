import type { BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";
import { expectUsable } from "./browser.ts";

/** The narrowest window that pages are made for: 1280 pixels, enlarged four times. */
export const NARROW: BrowserContextOptions = { viewport: { width: 320, height: 640 } };
/** Twice the text that browsers begin with, in pixels. */
const TEXT_PX = 32;

/** Sets the reader's own size of text to twice the usual one, and opens the page anew, since a page keeps its own. */
export async function enlargeText(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Page.setFontSizes", { fontSizes: { standard: TEXT_PX } });
  await page.reload();
  expect(await page.evaluate(() => getComputedStyle(document.body).fontSize)).toBe(`${TEXT_PX}px`);
}

/** Checks a view in large text: nothing is wider than the window, and no amount or reference is on two lines. */
export async function expectWhole(page: Page): Promise<void> {
  expect(await page.evaluate(findBroken)).toEqual([]);
  await expectUsable(page);
}

/**
 * The amounts, times and numbers of payments and accounts that are broken into lines, as the page writes them: words with
 * at least three digits, and what a space that does not break joins to them. E-mail addresses and names may break.
 */
function findBroken(): string[] {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const broken: string[] = [];
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    if (node.parentElement?.closest("script, style, noscript, option, .line, .printed")) continue;
    for (const { 0: word, index } of (node.textContent ?? "").matchAll(/[^ \n\t\u3000-\uffff]+/g)) {
      if (/[@/]/.test(word) || (word.match(/\p{Nd}/gu) ?? []).length < 3) continue;
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const boxes = [...range.getClientRects()].filter(({ width }) => width > 0);
      const lines = new Set(boxes.map(({ top }) => Math.round(top / 8)));
      if (lines.size > 1) broken.push(word);
    }
  }
  return broken;
}
