import { render } from "preact-render-to-string";
import { App } from "../app.tsx";
import { createI18n } from "../i18n.ts";
import type { Messages } from "../messages/en.ts";
import type { Language } from "../messages/languages.ts";
import { notices } from "../messages/notices.ts";
import type { PageView } from "../view.ts";
import { amountFormOf } from "./amount-form.ts";
import { guard } from "./guard.ts";
import { icon } from "./page-head.ts";

/** The texts of each language, loaded with the first page that is in it. */
const messagesOf: Readonly<Record<Language, () => Promise<Messages>>> = {
  en: async () => (await import("../messages/en.ts")).en,
  es: async () => (await import("../messages/es.ts")).es,
  pt: async () => (await import("../messages/pt.ts")).pt,
  fr: async () => (await import("../messages/fr.ts")).fr,
  de: async () => (await import("../messages/de.ts")).de,
  zh: async () => (await import("../messages/zh.ts")).zh,
  hi: async () => (await import("../messages/hi.ts")).hi,
  ar: async () => (await import("../messages/ar.ts")).ar,
};

/** The names of the script and the style sheet under `/assets/`. */
type AssetNames = Readonly<{ script: string; style: string }>;

/** The page as an HTML document, which can be read before its script has loaded, or without it. */
export async function renderPage(known: Omit<PageView, "amountForm">, { script, style }: AssetNames): Promise<string> {
  const { language, dir, locale, link, minorUnits } = known;
  const currency = link?.currency ?? "XXX";
  const view = { ...known, amountForm: amountFormOf(locale, currency, minorUnits[currency] ?? 2) };
  const messages = await messagesOf[language]();
  const { t } = createI18n(view, messages, view.minorUnits);
  const props = { view, messages };
  const title = link === undefined ? t("securePayment") : t("pageTitle", { recipient: link.recipientName });
  const isPayable = link?.status === "open" && view.paymentId === undefined;
  // A `<` could end the script block, or begin markup in it.
  const data = JSON.stringify(props).replaceAll("<", "\\u003c");
  return `<!doctype html>
<html lang="${language}" dir="${dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
${render(<title data-page={title}>{link === undefined ? t("missingTitle") : title}</title>)}
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="../assets/${style}">
<script>${guard}</script>
<script type="module" src="../assets/${script}"></script>
</head>
<body>
${render(<Unready {...notices[language].unready} />)}
${isPayable ? render(<NeedsScript text={t("needsScript")} />) : ""}
<div id="app">${render(<App {...props} />)}</div>
<script type="application/json" id="data">${data}</script>
</body>
</html>
`;
}

/**
 * The first thing that a payer without JavaScript reads. It is no part of what the script takes over: only where there
 * is no script do browsers see elements in it, by which the style sheet hides the form.
 */
const NeedsScript = ({ text }: Readonly<{ text: string }>) => (
  <noscript>
    <aside class="alert">{text}</aside>
  </noscript>
);

/**
 * A notice for a payer whose browser has not run the script: it did not arrive, or the browser could not read it. The
 * guard shows the notice, with or without a style sheet; the script removes it when it begins.
 */
const Unready = ({ late, reload, tooOld }: (typeof notices)["en"]["unready"]) => (
  <div class="alert" id="unready" role="alert" hidden>
    <p id="late" hidden>
      {late}{" "}
      <button type="button" id="reload">
        {reload}
      </button>
    </p>
    <p id="too-old" hidden>
      {tooOld}
    </p>
  </div>
);

/**
 * Countries by name, in the order of a language. The server names them, because a browser's names and order may differ,
 * and both must render the same page; once for each language, because it takes a third of a page's time.
 */
export function openCountries(codes: readonly string[]): (language: Language) => PageView["countries"] {
  const known = new Map<Language, PageView["countries"]>();
  const name = (language: Language): PageView["countries"] => {
    const names = new Intl.DisplayNames(language, { type: "region" });
    const { compare } = new Intl.Collator(language);
    return codes
      .map((code): [string, string] => [code, names.of(code) ?? code])
      .toSorted(([, one], [, other]) => compare(one, other));
  };
  return (language) => {
    const countries = known.get(language) ?? name(language);
    known.set(language, countries);
    return countries;
  };
}
