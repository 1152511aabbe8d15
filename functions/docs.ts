import { docsRoutes } from "@intents/contract/docs.ts";
import { parseSettings } from "@intents/deployment/settings.ts";
import { ok } from "@intents/domain/result.ts";
import { endpoint } from "@intents/http/endpoint.ts";
import { pageHeaders } from "@intents/payer-app/server/page-head.ts";
import { MISSING_PAGE, SETTINGS_PLACE } from "@intents/site/docs/settings-place.ts";
import { noticePage } from "./runtime/notice-page.ts";
import { ungated } from "./runtime/ungated.ts";

const { STAGE, BASE_URL, PAYER_APP_URL, DEMO_KEYS } = parseSettings(process.env);

/** What pages are told of the stage; a key that everybody knows is one of a local service. */
const settings = JSON.stringify({
  canTry: STAGE !== "production",
  ...(PAYER_APP_URL !== BASE_URL && { payersUrl: PAYER_APP_URL }),
  ...(STAGE === "local" && { demoKey: DEMO_KEYS[0] }),
}).replaceAll('"', "&quot;");

/** A page at its own address, which has no slash at its end: links are relative. Where there is none, a page says so. */
async function show(name: string, sentPath: string) {
  if (sentPath.endsWith("/")) {
    const location = `../${sentPath.split("/").at(-2)}`;
    return ok({ html: "", headers: { location }, status: 308 as const });
  }
  const { docsPages } = await import("./runtime/docs-pages.ts");
  const page = (called: string) => docsPages.get(called)?.replace(SETTINGS_PLACE, settings);
  const html = name === MISSING_PAGE ? undefined : page(name);
  if (html !== undefined) return ok({ html, headers: pageHeaders });
  return ok({ html: page(MISSING_PAGE) ?? "", headers: pageHeaders, status: 404 as const });
}

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
