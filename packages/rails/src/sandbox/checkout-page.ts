import { createHash } from "node:crypto";
import type { SandboxCheckout } from "./sandbox.ts";

const style = `
body { font: 1.125rem/1.5 system-ui, sans-serif; color: #1b1b1b; background: #fff; margin: 0; }
main { max-width: 32rem; margin: 0 auto; padding: 1.5rem 1rem; }
.test { background: #ffe9a8; color: #1b1b1b; border: 2px solid #6b4e00; padding: 0.5rem 1rem; }
dt { font-weight: 600; }
dd { margin: 0 0 0.75rem; overflow-wrap: anywhere; }
button { font: inherit; min-height: 2.75rem; padding: 0.5rem 1.25rem; margin: 0 0.75rem 0.75rem 0; }
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
  "x-content-type-options": "nosniff",
} as const;

const texts: Record<SandboxCheckout["state"], Readonly<{ title: string; text: string }>> = {
  open: { title: "Pay this test payment", text: "Choose how this payment ends. No money moves." },
  paid: { title: "Test payment paid", text: "You may close this page and go back to where you came from." },
  declined: { title: "Test payment declined", text: "Nothing was paid. You may close this page." },
  expired: {
    title: "This checkout has expired",
    text: "It was open for 30 minutes and was not paid. Nothing was paid.",
  },
  cancelled: { title: "This payment was called off", text: "Nothing was paid. You may close this page." },
};

/**
 * The sandbox's checkout page, which posts the field `outcome` (`pay` or `decline`) to its own address. `notice` says
 * why the payer's last choice was not carried out.
 */
export function renderCheckoutPage(checkout: SandboxCheckout, notice?: string): string {
  const { title, text } = texts[checkout.state];
  const form = `<form method="post" aria-label="Test outcome">
<button type="submit" name="outcome" value="pay">Pay</button>
<button type="submit" name="outcome" value="decline">Decline</button>
</form>`;
  const wayBack =
    checkout.returnUrl === undefined
      ? ""
      : `<p><a href="${toHtml(checkout.returnUrl)}">Back to the payment page</a></p>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} - Sandbox</title>
<style>${style}</style>
</head>
<body>
<main>
<p class="test"><strong>Test only.</strong> This is the sandbox's simulated checkout.</p>
<h1>${title}</h1>
${notice === undefined ? "" : `<p role="alert">${toHtml(notice)}</p>`}
<p>${text}</p>
<dl>
<dt>Amount</dt><dd>${toHtml(checkout.amount)} ${toHtml(checkout.currency)}</dd>
<dt>Reference</dt><dd>${toHtml(checkout.reference)}</dd>
</dl>
${checkout.state === "open" ? form : wayBack}
</main>
</body>
</html>
`;
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const toHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? "");
