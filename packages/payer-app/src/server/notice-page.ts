import { createHash } from "node:crypto";
import type { Speech } from "../messages/languages.ts";
import { notices } from "../messages/notices.ts";

const style = `
:root { color-scheme: light dark; --ink: #16242b; --ground: #f2f6f7; --card: #fff; --line: #cfd9dd; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8eff1; --ground: #10191d; --card: #182429; --line: #34454d; }
}
body { margin: 0; padding: 1rem; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { max-inline-size: 34rem; margin: 2rem auto; padding: 1.5rem; }
main { border: 1px solid var(--line); border-radius: 0.875rem; background: var(--card); }
h1 { margin: 0; font-size: 1.5rem; line-height: 1.25; }
p { margin: 0.875rem 0 0; }
`;

/** Headers of a notice page: it runs nothing and loads nothing, and its one style is allowed by hash. */
const headers = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": [
    "default-src 'none'",
    `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
} as const;

/**
 * The page for a browser that a page cannot be shown to. It depends on nothing that may be missing: no link, script or
 * asset, whatever its address is. `retryAfterSeconds` is when it is worth another try.
 */
export function renderNoticePage(
  statusCode: number,
  retryAfterSeconds: number | undefined,
  { language, dir, locale }: Speech,
): Readonly<{ html: string; headers: Readonly<Record<string, string>> }> {
  const { again, ...texts } = notices[language];
  const { title, text } = texts[noticeFor(statusCode)];
  const retry =
    retryAfterSeconds === undefined ? "" : ` ${again.replace("{again}", fromNow(retryAfterSeconds, locale))}`;
  const html = `<!doctype html>
<html lang="${language}" dir="${dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${text}${retry}</p>
</main>
</body>
</html>
`;
  return { html, headers };
}

function noticeFor(statusCode: number) {
  if (statusCode === 404) return "missing";
  if (statusCode === 429) return "tooMany";
  if (statusCode === 503) return "paused";
  return statusCode >= 500 ? "fault" : "refused";
}

/** "in 5 minutes" */
function fromNow(seconds: number, locale: string): string {
  const format = new Intl.RelativeTimeFormat(locale, { numeric: "always" });
  return seconds < 60 ? format.format(seconds, "second") : format.format(Math.ceil(seconds / 60), "minute");
}
