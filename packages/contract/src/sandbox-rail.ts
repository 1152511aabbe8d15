import * as z from "zod";
import { defineRoutes, lazily } from "./route.ts";

/** The simulated rail's own pages: local and sandbox stages only. */
export const sandboxRailRoutes = defineRoutes({
  listSandboxPayments: {
    on: "GET /sandbox/payments",
    group: "sandbox-rail",
    summary: "What the simulated rail holds for this tenant; `executionId` and `limit` narrow it",
    auth: "key",
    answers: { status: 200, data: lazily(() => z.looseObject({ payments: z.array(z.looseObject({})) })) },
  },
  showCheckout: {
    on: "GET /sandbox/checkout/{token}",
    group: "sandbox-rail",
    summary: "The simulated rail's checkout page",
    auth: "public",
    limit: "public_link",
    answers: { status: 200, page: "text/html" },
    errors: ["not_found"],
  },
  finishCheckout: {
    on: "POST /sandbox/checkout/{token}",
    group: "sandbox-rail",
    summary: "Pay or decline: form field `outcome`",
    auth: "public",
    limit: "public_link",
    form: "urlencoded",
    answers: { status: 200, page: "text/html" },
    errors: ["not_found"],
  },
});
