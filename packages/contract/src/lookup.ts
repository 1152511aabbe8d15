import { paymentTypes } from "@intents/domain/quotes/quote.ts";
import * as z from "zod";
import { defineRoutes, lazily } from "./route.ts";
import { payeeId } from "./shapes.ts";

/** SPEC, "Server-side caches": countries and purposes 60 minutes, payment methods 5. */
const LOOKUP_CACHE_SECONDS = 3600;
export const METHODS_CACHE_SECONDS = 300;

const TypeParam = lazily(() => z.object({ type: z.enum(paymentTypes) }));
const PayeeParam = lazily(() => z.object({ payeeId: payeeId() }));
const named = () => z.array(z.looseObject({ id: z.string(), name: z.string() }));

export const lookupRoutes = defineRoutes({
  listCountries: {
    on: "GET /v2/lookup/countries",
    group: "lookup",
    summary: "All countries with their currencies",
    auth: "key",
    cacheSeconds: LOOKUP_CACHE_SECONDS,
    answers: {
      status: 200,
      listed: "countries",
      data: lazily(() =>
        z.looseObject({
          countries: z.array(
            z.looseObject({ countryCode: z.string(), name: z.string(), currencies: z.array(z.string()) }),
          ),
        }),
      ),
    },
  },
  listPaymentMethods: {
    on: "GET /v2/lookup/payment-methods/{payeeId}",
    params: PayeeParam,
    group: "lookup",
    summary: "The ways in which a payee can be paid",
    auth: "key",
    cacheSeconds: METHODS_CACHE_SECONDS,
    answers: {
      status: 200,
      listed: "paymentMethods",
      data: lazily(() =>
        z.looseObject({
          paymentMethods: z.array(z.looseObject({ settlementMethod: z.string(), displayName: z.string() })),
        }),
      ),
    },
    errors: ["not_found"],
  },
  listPurposes: {
    on: "GET /v2/lookup/purposes/{type}",
    group: "lookup",
    summary: "The purposes that a payment of this type may have",
    auth: "key",
    cacheSeconds: LOOKUP_CACHE_SECONDS,
    params: TypeParam,
    answers: { status: 200, listed: "purposes", data: lazily(() => z.looseObject({ purposes: named() })) },
  },
  listPayerTypes: {
    on: "GET /v2/lookup/payer-types/{type}",
    group: "lookup",
    summary: "The payer types of payments of this type",
    auth: "key",
    params: TypeParam,
    answers: { status: 200, listed: "payerTypes", data: lazily(() => z.looseObject({ payerTypes: named() })) },
  },
});
