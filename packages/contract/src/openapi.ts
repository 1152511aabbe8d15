import * as z from "zod";
import { defineRoutes, lazily } from "./route.ts";
import { timestamp } from "./shapes.ts";

const DOCUMENT_CACHE_SECONDS = 300;
/** How long the edge keeps the answer to a probe. */
const HEALTH_SECONDS = 5;

const Health = lazily(() =>
  z
    .object({
      status: z.enum(["ok", "maintenance"]).describe("`maintenance`: callers are turned away with 503"),
      until: timestamp("When the maintenance is meant to end, where its operators have said so").exactOptional(),
    })
    .meta({ id: "Health", description: "Whether the service takes requests" }),
);

/** Routes that programs read before they call the service. */
export const openApiRoutes = defineRoutes({
  getHealth: {
    on: "GET /health",
    group: "openapi",
    summary: "Whether the service takes requests",
    description:
      "For probes: `ok`, or `maintenance` by the switch as it was read within the last 10 seconds. 503 where that cannot " +
      "be read. It says nothing of rails, and is counted by the address that asks. No key is needed.",
    auth: "public",
    limit: "global",
    shared: { seconds: HEALTH_SECONDS },
    inMaintenance: true,
    answers: { status: 200, data: Health },
  },
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
