import { isServedIn, methodsOf } from "@intents/contract/route.ts";
import { routes } from "@intents/contract/routes.ts";
import { parseSettings } from "@intents/deployment/settings.ts";
import { toRefusal } from "@intents/http/answers.ts";
import { atEdge } from "@intents/http/endpoint.ts";
import { isReading } from "@intents/http/representation.ts";
import type { APIGatewayProxyEvent } from "aws-lambda";
import { noticePage } from "./runtime/notice-page.ts";

const { STAGE } = parseSettings(process.env);
const served = Object.values(routes).filter((route) => isServedIn(STAGE, route));

/** The methods that each resource takes. */
const methods = Map.groupBy(served, ({ on }) => on.slice(on.indexOf(" ") + 1));

/** The paths below which pages are: `/pay` of `GET /pay/{token}`. */
const pageRoots = served
  .filter(({ answers }) => "page" in answers)
  .map(({ on }) => on.replace(/^\S+ /, "").replace(/\/\{.*$/, ""));

/** Whether a browser may have asked, for a page that is not there. */
const isPage = (event: APIGatewayProxyEvent): boolean =>
  isReading(event) && pageRoots.some((root) => `${event.path}/`.startsWith(`${root}/`));

/** Answers requests that no route takes: 405 with `Allow` on a path that exists, 404 on any other (H38). */
export const handler = atEdge(
  "fallback",
  async (event) => {
    const allow = (methods.get(event.resource) ?? []).flatMap(methodsOf);
    return toRefusal(
      allow.length > 0 ? { kind: "method_not_allowed", allow } : { kind: "not_found", resource: "path" },
      Date.now(),
    );
  },
  { isPage, noticePage },
);
