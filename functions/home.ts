import { homeRoutes } from "@intents/contract/home.ts";
import { parseSettings } from "@intents/deployment/settings.ts";
import { ok } from "@intents/domain/result.ts";
import { endpoint } from "@intents/http/endpoint.ts";
import { pageHeaders } from "@intents/payer-app/server/page-head.ts";
import { renderHome } from "@intents/site/home/page.tsx";
import { noticePage } from "./runtime/notice-page.ts";
import { pageNames } from "./runtime/page-names.ts";
import { ungated } from "./runtime/ungated.ts";

const { STAGE, BASE_URL, PAYER_APP_URL, DEMO_KEYS, DOCS } = parseSettings(process.env);

/** The same page for everybody. Keys that everybody knows are those of a local service, whatever the settings say. */
const html = renderHome(
  {
    stage: STAGE,
    apiUrl: BASE_URL,
    ...(PAYER_APP_URL !== BASE_URL && { payersUrl: PAYER_APP_URL }),
    hasDocs: DOCS === "on",
    demoKeys: STAGE === "local" ? DEMO_KEYS : [],
  },
  pageNames.home,
);

export const handler = endpoint(
  "home",
  homeRoutes,
  {
    // The page's links are relative, and a stage's address without a slash at its end is not the folder they start from.
    showHome: async ({ sentPath }) =>
      sentPath.endsWith("/")
        ? ok({ html, headers: pageHeaders })
        : ok({ html: "", headers: { location: `${sentPath.split("/").at(-1)}/` }, status: 308 as const }),
  },
  { gate: ungated, noticePage },
);
