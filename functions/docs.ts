import { docsRoutes } from "@intents/contract/docs.ts";
import { parseSettings } from "@intents/deployment/settings.ts";
import { ok } from "@intents/domain/result.ts";
import { endpoint } from "@intents/http/endpoint.ts";
import { pageHeaders } from "@intents/payer-app/server/page-head.ts";
import { fillPlaces, MISSING_PAGE, SETTINGS_PLACE } from "@intents/site/docs/places.ts";
import { noticePage } from "./runtime/notice-page.ts";
import { ungated } from "./runtime/ungated.ts";

const { STAGE, BASE_URL, PAYER_APP_URL, DEMO_KEYS } = parseSettings(process.env);

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

/** A key that everybody knows is one of a local service. */
const [demoKey] = STAGE === "local" ? DEMO_KEYS : [];
/** The API key in samples. */
const sampleKey = demoKey ?? "<CLIENT_ID>:<SECRET>";

/** The stage's settings for pages. */
const settings = escaped(
  JSON.stringify({
    canTry: STAGE !== "production",
    ...(PAYER_APP_URL !== BASE_URL && { payersUrl: PAYER_APP_URL }),
    ...(demoKey !== undefined && { demoKey }),
  }),
);

/** A page at its own address, which has no slash at its end: links are relative. Where there is none, a page says so. */
async function show(name: string, sentPath: string) {
  if (sentPath.endsWith("/")) {
    const location = `../${sentPath.split("/").at(-2)}`;
    return ok({ html: "", headers: { location }, status: 308 as const });
  }
  const { docsPages, docsTexts } = await import("./runtime/docs-pages.ts");
  const text = docsTexts.get(name);
  if (text !== undefined) return ok({ html: fillPlaces(text, BASE_URL, sampleKey), headers: headersOf(name) });
  const { clientPackage } = await import("./runtime/client-package.ts");
  if (name === clientPackage.name)
    return ok({ html: clientPackage.base64, isBase64: true as const, headers: packageHeaders });
  const page = (called: string) => {
    const html = docsPages.get(called)?.replace(SETTINGS_PLACE, settings);
    return html && fillPlaces(html, escaped(BASE_URL), escaped(sampleKey));
  };
  const html = name === MISSING_PAGE ? undefined : page(name);
  if (html !== undefined) return ok({ html, headers: pageHeaders });
  return ok({ html: page(MISSING_PAGE) ?? "", headers: pageHeaders, status: 404 as const });
}

/** Headers of texts for programs. */
const headersOf = (name: string) => ({
  "content-type": `text/${name.endsWith(".md") ? "markdown" : "plain"}; charset=utf-8`,
});
const packageHeaders = { "content-type": "application/gzip" };

export const handler = endpoint(
  "docs",
  docsRoutes,
  {
    showDocs: ({ sentPath }) => show("", sentPath),
    // The first page has an address of its own, and no name.
    showDocsPage: ({ params, sentPath }) => show(params.page || MISSING_PAGE, sentPath),
  },
  { gate: ungated, noticePage },
);
