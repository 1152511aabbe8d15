import * as z from "zod";
import { defineRoutes, lazily } from "./route.ts";
import { payeeId, plainText } from "./shapes.ts";
import { CountryCode, CurrencyCode, PaymentType } from "./vocabulary.ts";

/** SPEC, "Server-side caches": countries and purposes 60 minutes, payment methods 5. */
const LOOKUP_CACHE_SECONDS = 3600;
export const METHODS_CACHE_SECONDS = 300;

const TypeParam = lazily(() => z.object({ type: PaymentType() }));
const PayeeParam = lazily(() => z.object({ payeeId: payeeId() }));

/** A lookup's answer: one list under its own name. */
const listing = <const Name extends string, Item extends z.ZodType>(
  id: string,
  name: Name,
  description: string,
  item: () => Item,
) =>
  lazily(() => {
    const list = { [name]: z.array(item()).describe(description) } as Record<Name, z.ZodArray<Item>>;
    return z.object(list).meta({ id, description });
  });

const Choice = lazily(() =>
  z
    .object({ id: plainText("What a field takes"), name: plainText("How to show it, in English") })
    .meta({ id: "Choice", description: "One of the words that a field takes" }),
);
const Countries = listing("CountryList", "countries", "All countries of ISO 3166-1", () =>
  z
    .object({
      countryCode: CountryCode(),
      name: plainText("Its English name"),
      currencies: z
        .array(CurrencyCode())
        .describe("Its currencies, the one that payments from there are made in first"),
    })
    .meta({ id: "Country", description: "A country with its currencies" }),
);
const PaymentMethods = listing("PaymentMethodList", "paymentMethods", "The ways in which a payee can be paid", () =>
  z
    .object({ settlementMethod: plainText("The method, as quotes name it"), displayName: plainText("How to show it") })
    .meta({ id: "PaymentMethod", description: "A way to pay" }),
);
const Purposes = listing("PurposeList", "purposes", "What a payment of the type may be for", Choice);
const PayerTypes = listing("PayerTypeList", "payerTypes", "Who may pay a payment of the type", Choice);

const common = { group: "lookup", auth: "key" } as const;

export const lookupRoutes = defineRoutes({
  listCountries: {
    ...common,
    on: "GET /v2/lookup/countries",
    summary: "All countries with their currencies",
    description: "By ISO 3166-1.",
    cacheSeconds: LOOKUP_CACHE_SECONDS,
    answers: { status: 200, listed: "countries", data: Countries },
  },
  listPaymentMethods: {
    on: "GET /v2/lookup/payment-methods/{payeeId}",
    params: PayeeParam,
    group: "lookup",
    summary: "The ways in which a payee can be paid",
    description: "For a payee that the caller can see.",
    auth: "key",
    cacheSeconds: METHODS_CACHE_SECONDS,
    answers: { status: 200, listed: "paymentMethods", data: PaymentMethods },
    errors: ["not_found"],
  },
  listPurposes: {
    ...common,
    on: "GET /v2/lookup/purposes/{type}",
    summary: "The purposes that a payment of this type may have",
    description: "What `purpose` can be when a payee of this type is paid.",
    cacheSeconds: LOOKUP_CACHE_SECONDS,
    params: TypeParam,
    answers: { status: 200, listed: "purposes", data: Purposes },
  },
  listPayerTypes: {
    ...common,
    on: "GET /v2/lookup/payer-types/{type}",
    summary: "The payer types of payments of this type",
    description: "What `payerType` can be when a payee of this type is paid.",
    params: TypeParam,
    answers: { status: 200, listed: "payerTypes", data: PayerTypes },
  },
});
