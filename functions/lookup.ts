import { lookupRoutes, METHODS_CACHE_SECONDS } from "@intents/contract/lookup.ts";
import { countries } from "@intents/domain/countries.ts";
import { payerTypesByType, purposesByType } from "@intents/domain/lookup.ts";
import { paymentMethods } from "@intents/domain/payment-methods.ts";
import { fail, ok } from "@intents/domain/result.ts";
import { endpoint } from "@intents/http/endpoint.ts";
import { findPayee } from "@intents/storage/payees.ts";
import { now, table } from "./runtime/environment.ts";
import { gate } from "./runtime/gate.ts";
import { toPayeeId } from "./runtime/payee-id.ts";

/** Countries, purposes and payer types are built into the function: no cache of theirs can be older than it. */
const allCountries = {
  countries: countries.map(({ countryCode, name, currencies }) => ({ countryCode, name, currencies })),
};

const allMethods = {
  paymentMethods: paymentMethods.map(({ settlementMethod, displayName }) => ({ settlementMethod, displayName })),
};

/** Which payees exist, for as long as payment methods are cached; bounded, since ids come from callers. */
const knownPayees = new Map<number, number>();
const KNOWN_PAYEES_MAX = 10_000;

export const handler = endpoint(
  "lookup",
  lookupRoutes,
  {
    listCountries: async () => ok(allCountries),

    listPaymentMethods: async ({ params }) => {
      const payeeId = toPayeeId(params["payeeId"]);
      return (await payeeExists(payeeId)) ? ok(allMethods) : fail({ kind: "not_found", resource: "payee" });
    },

    listPurposes: async ({ params }) => ok({ purposes: purposesByType[params["type"] as keyof typeof purposesByType] }),

    listPayerTypes: async ({ params }) =>
      ok({ payerTypes: payerTypesByType[params["type"] as keyof typeof payerTypesByType] }),
  },
  { gate },
);

async function payeeExists(payeeId: number): Promise<boolean> {
  const knownUntilMs = knownPayees.get(payeeId);
  if (knownUntilMs !== undefined && knownUntilMs > now()) return true;
  if ((await findPayee(table, payeeId)) === undefined) return false;
  if (knownPayees.size >= KNOWN_PAYEES_MAX) knownPayees.clear();
  knownPayees.set(payeeId, now() + METHODS_CACHE_SECONDS * 1000);
  return true;
}
