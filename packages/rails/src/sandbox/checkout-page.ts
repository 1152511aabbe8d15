import { createHash } from "node:crypto";
import { checkoutTexts } from "./checkout-texts.ts";
import type { SandboxCheckout } from "./shown.ts";

const style = `
body { font: 1.125rem/1.5 system-ui, sans-serif; color: #1b1b1b; background: #fff; margin: 0; }
main { max-width: 32rem; margin: 0 auto; padding: 1.5rem 1rem; }
.test { background: #ffe9a8; color: #1b1b1b; border: 2px solid #6b4e00; padding: 0.5rem 1rem; }
dt { font-weight: 600; }
dd { margin: 0; margin-block-end: 0.75rem; overflow-wrap: anywhere; }
button { font: inherit; min-height: 2.75rem; padding: 0.5rem 1.25rem; margin-block-end: 0.75rem; margin-inline-end: 0.75rem; }
button { border: 2px solid #14532d; }
button[value="pay"] { color: #fff; background: #14532d; }
button[value="decline"] { color: #14532d; background: #fff; }
:focus-visible { outline: 3px solid #1d4ed8; outline-offset: 2px; }
`;

/**
 * Headers that the checkout page needs. It runs no script and loads nothing; its one style is allowed by hash, and its
 * form may only be sent back to where it came from.
 */
export const checkoutPageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": [
    "default-src 'none'",
    `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  // The address must not leak by a referrer: whoever knows the token in it can pay.
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
} as const;

/** The language of a visitor, its direction, and the locale that amounts are written for. */
type Speech = Readonly<{ language: keyof typeof checkoutTexts; dir: "ltr" | "rtl"; locale: string }>;

/**
 * The sandbox's checkout page, which posts the field `outcome` (`pay` or `decline`) to its own address. `notice` tells
 * that the payer's last choice was not carried out, because the payment had `ended` before.
 */
export function renderCheckoutPage(
  checkout: SandboxCheckout,
  { language, dir, locale }: Speech,
  notice?: "ended",
): string {
  const texts = checkoutTexts[language];
  const [title, text] = texts[checkout.state];
  const form = `<form method="post" aria-label="${texts.outcome}">
<button type="submit" name="outcome" value="pay">${texts.pay}</button>
<button type="submit" name="outcome" value="decline">${texts.decline}</button>
</form>`;
  const wayBack =
    checkout.returnUrl === undefined ? "" : `<p><a href="${toHtml(checkout.returnUrl)}">${texts.back}</a></p>`;
  return `<!doctype html>
<html lang="${language}" dir="${dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} - Sandbox</title>
<style>${style}</style>
</head>
<body>
<main>
<p class="test"><strong>${texts.testOnly}</strong> ${texts.simulated}</p>
<h1>${title}</h1>
${notice === undefined ? "" : `<p role="alert">${texts[notice]}</p>`}
<p>${text}</p>
<dl>
<dt>${texts.amount}</dt><dd>${toHtml(money(checkout, locale))}</dd>
<dt>${texts.reference}</dt><dd>${toHtml(checkout.reference)}</dd>
</dl>
${checkout.state === "open" ? form : wayBack}
</main>
</body>
</html>
`;
}

/** The amount as the locale writes it, with the decimals that it has. */
function money({ amount, currency }: SandboxCheckout, locale: string): string {
  const decimals = amount.split(".")[1]?.length ?? 0;
  const format = new Intl.NumberFormat(locale, {
    style: "currency",
    currency,
    currencyDisplay: "code",
    useGrouping: "always",
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  return format.format(amount as Intl.StringNumericLiteral);
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const toHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? "");
