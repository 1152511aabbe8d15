import { methodsOf } from "@intents/contract/route.ts";
import { routes } from "@intents/contract/routes.ts";
import { toRefusal } from "@intents/http/answers.ts";
import { atEdge } from "@intents/http/endpoint.ts";

/** The methods that each resource takes. */
const methods = Map.groupBy(Object.values(routes), ({ on }) => on.slice(on.indexOf(" ") + 1));

/** Answers requests that no route takes: 405 with `Allow` on a path that exists, 404 on any other (H38). */
export const handler = atEdge("fallback", async (event) => {
  const allow = (methods.get(event.resource) ?? []).flatMap(methodsOf);
  return toRefusal(
    allow.length > 0 ? { kind: "method_not_allowed", allow } : { kind: "not_found", resource: "path" },
    Date.now(),
  );
});
