import { checkoutPageHeaders, renderCheckoutPage } from "@intents/connectors/checkout-page.ts";
import { joinDesks } from "@intents/connectors/sandbox-desk.ts";
import { sandboxRailRoutes } from "@intents/contract/sandbox-rail.ts";
import { fail, ok } from "@intents/domain/result.ts";
import { endpoint } from "@intents/http/endpoint.ts";
import { bodyBytes } from "@intents/http/request-body.ts";
import { gate } from "./runtime/gate.ts";
import { sandboxes } from "./runtime/rail.ts";

const PAYMENTS_MAX = 1000;
const desk = joinDesks(sandboxes);
const noCheckout = fail({ kind: "not_found", resource: "checkout" } as const);

export const handler = endpoint(
  "sandbox-rail",
  sandboxRailRoutes,
  {
    listSandboxPayments: async ({ caller, event }) => {
      const { executionId, limit = "100" } = event.queryStringParameters ?? {};
      if (!/^\d{1,4}$/.test(limit) || Number(limit) < 1 || Number(limit) > PAYMENTS_MAX) {
        return fail({ kind: "shape", problems: [`limit must be an integer between 1 and ${PAYMENTS_MAX}`] });
      }
      const query = { limit: Number(limit), ...(executionId !== undefined && { executionId }) };
      return ok({ payments: await desk.listPayments(caller.tenantId, query) });
    },

    showCheckout: async ({ params }) => {
      const checkout = await desk.findCheckout(params["token"] ?? "");
      return checkout === undefined
        ? noCheckout
        : ok({ html: renderCheckoutPage(checkout), headers: checkoutPageHeaders });
    },

    finishCheckout: async ({ params, event }) => {
      const outcome = new URLSearchParams(bodyBytes(event).toString("utf8")).get("outcome");
      if (outcome !== "pay" && outcome !== "decline") {
        return fail({ kind: "shape", problems: ["outcome must be one of the following values: pay, decline"] });
      }
      const finished = await desk.finishCheckout(params["token"] ?? "", outcome);
      if (finished.ok) return ok({ html: renderCheckoutPage(finished.value), headers: checkoutPageHeaders });
      if (finished.failure.kind === "not_found") return noCheckout;
      const notice = "This payment had already ended.";
      return ok({ html: renderCheckoutPage(finished.failure.checkout, notice), headers: checkoutPageHeaders });
    },
  },
  { gate },
);
