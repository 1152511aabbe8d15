import { defineRoutes } from "./route.ts";

const DOCUMENT_CACHE_SECONDS = 300;

export const openApiRoutes = defineRoutes({
  getOpenApi: {
    on: "GET /v2/openapi.json",
    group: "openapi",
    summary: "This document",
    description: "The OpenAPI 3.1 document of the service that answers, for tools that read it. No key is needed.",
    auth: "public",
    limit: "global",
    cacheSeconds: DOCUMENT_CACHE_SECONDS,
    answers: { status: 200, asset: ["application/json"] },
  },
});
