import { sandboxRailRoutes } from "@intents/contract/sandbox-rail.ts";
import { fail, ok } from "@intents/domain/result.ts";
import { endpoint } from "@intents/http/endpoint.ts";
import { openRails } from "@intents/rails/open-rails.ts";
import { checkoutPageHeaders, renderCheckoutPage } from "@intents/rails/sandbox/checkout-page.ts";
import { joinDesks } from "@intents/rails/sandbox/desk.ts";
import { now, random, settings, table } from "./runtime/environment.ts";
import { gate } from "./runtime/gate.ts";

const desk = joinDesks(openRails(settings, { db: table.db, now, random }).sandboxes);
const noCheckout = fail({ kind: "not_found", resource: "checkout" } as const);

export const handler = endpoint(
  "sandbox-rail",
  sandboxRailRoutes,
  {
    listSandboxPayments: async ({ caller, parameters }) =>
      ok({ payments: await desk.listPayments(caller.tenantId, parameters) }),

    showCheckout: async ({ params }) => {
      const checkout = await desk.findCheckout(params.token);
      return checkout === undefined
        ? noCheckout
        : ok({ html: renderCheckoutPage(checkout), headers: checkoutPageHeaders });
    },

    finishCheckout: async ({ params, form: { outcome } }) => {
      const finished = await desk.finishCheckout(params.token, outcome);
      if (finished.ok) return ok({ html: renderCheckoutPage(finished.value), headers: checkoutPageHeaders });
      if (finished.failure.kind === "not_found") return noCheckout;
      const notice = "This payment had already ended.";
      return ok({ html: renderCheckoutPage(finished.failure.checkout, notice), headers: checkoutPageHeaders });
    },
  },
  { gate },
);
