import { openApiRoutes } from "@intents/contract/openapi.ts";
import { ok } from "@intents/domain/result.ts";
import { endpoint } from "@intents/http/endpoint.ts";
import { remembered } from "@intents/http/limits/remembered.ts";
import { BASE_URL_PLACE } from "@intents/site/docs/places.ts";
import { readMaintenance } from "@intents/storage/operations/maintenance.ts";
import { settings, table } from "./runtime/environment.ts";
import { gate } from "./runtime/gate.ts";

const maintenanceAt = remembered(() => readMaintenance(table));

export const handler = endpoint(
  "openapi",
  openApiRoutes,
  {
    getHealth: async ({ nowMs }) => {
      const { on, until } = await maintenanceAt("", nowMs);
      if (!on) return ok({ status: "ok" as const });
      return ok({ status: "maintenance" as const, ...(until !== undefined && { until }) });
    },
    getOpenApi: async () => {
      const { openApiDocument } = await import("./runtime/openapi-document.ts");
      const text = openApiDocument.replace(BASE_URL_PLACE, () => settings.BASE_URL);
      return ok({ text, contentType: "application/json" });
    },
  },
  { gate },
);
