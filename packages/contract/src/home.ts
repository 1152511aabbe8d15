import { defineRoutes } from "./route.ts";

/** The route of the page that tells a developer what the service is. */
export const homeRoutes = defineRoutes({
  showHome: {
    on: "GET /",
    group: "home",
    summary: "What this service is and where to begin; a payment to try, except in production",
    description: "For browsers.",
    auth: "public",
    // It is the same for everybody until another version is deployed.
    cacheSeconds: 0,
    answers: { status: 200, page: "text/html" },
  },
});
