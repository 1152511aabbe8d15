import { openApiRoutes } from "@intents/contract/openapi.ts";
import { ok } from "@intents/domain/result.ts";
import { endpoint } from "@intents/http/endpoint.ts";
import { gate } from "./runtime/gate.ts";

export const handler = endpoint(
  "openapi",
  openApiRoutes,
  {
    getOpenApi: async () => {
      const { openApiDocument } = await import("./runtime/openapi-document.ts");
      return ok({ text: openApiDocument, contentType: "application/json" });
    },
  },
  { gate },
);
