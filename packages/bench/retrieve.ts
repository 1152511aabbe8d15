import { paymentIntentRoutes } from "@intents/contract/payment-intents.ts";
import { toIntentAnswer } from "@intents/domain/answers/intent-answer.ts";
import { ok } from "@intents/domain/result.ts";
import { table } from "@intents/functions/runtime/environment.ts";
import { endpoint } from "@intents/http/endpoint.ts";
import type { Gate } from "@intents/http/limits/gate.ts";
import { findIntent } from "@intents/storage/intents/intents.ts";

const { getPaymentIntent } = paymentIntentRoutes;

/** The retrieve of the function for payment intents, behind a given gate. */
export const retrieveBehind = (gate: Gate) =>
  endpoint(
    "payment-intents",
    { getPaymentIntent },
    {
      getPaymentIntent: async ({ caller, params }) => {
        const found = await findIntent(table, caller.tenantId, params["id"] ?? "");
        return found.ok ? ok(toIntentAnswer(found.value)) : found;
      },
    },
    { gate },
  );
