import { openApiRoutes } from "@intents/contract/openapi.ts";
import { ok } from "@intents/domain/result.ts";
import { endpoint } from "@intents/http/endpoint.ts";
import { gate } from "./runtime/gate.ts";

/** The text of docs/openapi.json, put in by the bundling step (infra/bundle.ts): it always is that of the deployment. */
declare const OPENAPI_DOCUMENT: string;

export const handler = endpoint(
  "openapi",
  openApiRoutes,
  { getOpenApi: async () => ok({ text: OPENAPI_DOCUMENT, contentType: "application/json" }) },
  { gate },
);
