import { sandboxRailRoutes } from "@intents/contract/sandbox-rail.ts";
import { fail, ok } from "@intents/domain/result.ts";
import { endpoint } from "@intents/http/endpoint.ts";
import { pickSpeech } from "@intents/payer-app/messages/languages.ts";
import { openRails } from "@intents/rails/open-rails.ts";
import { checkoutPageHeaders, renderCheckoutPage } from "@intents/rails/sandbox/checkout-page.ts";
import { joinDesks } from "@intents/rails/sandbox/desk.ts";
import { now, random, settings, table } from "./runtime/environment.ts";
import { gate } from "./runtime/gate.ts";
import { noticePage } from "./runtime/notice-page.ts";

const desk = joinDesks(openRails(settings, { db: table.db, now, random }).sandboxes);
const noCheckout = fail({ kind: "not_found", resource: "checkout" } as const);

const page = (...shown: Parameters<typeof renderCheckoutPage>) =>
  ok({ html: renderCheckoutPage(...shown), headers: checkoutPageHeaders });

export const handler = endpoint(
  "sandbox-rail",
  sandboxRailRoutes,
  {
    listSandboxPayments: async ({ caller, parameters }) =>
      ok({ payments: await desk.listPayments(caller.tenantId, parameters) }),

    showCheckout: async ({ params, parameters, acceptLanguage }) => {
      const checkout = await desk.findCheckout(params.token);
      return checkout === undefined ? noCheckout : page(checkout, pickSpeech(parameters.lang, acceptLanguage));
    },

    finishCheckout: async ({ params, parameters, acceptLanguage, form: { outcome } }) => {
      const speech = pickSpeech(parameters.lang, acceptLanguage);
      const finished = await desk.finishCheckout(params.token, outcome);
      if (finished.ok) return page(finished.value, speech);
      if (finished.failure.kind === "not_found") return noCheckout;
      return page(finished.failure.checkout, speech, "ended");
    },
  },
  { gate, noticePage },
);
