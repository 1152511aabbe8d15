import { lookupRoutes, METHODS_CACHE_SECONDS } from "@intents/contract/lookup.ts";
import { isVisible, type Payee } from "@intents/domain/parties/payee.ts";
import { payerTypesByType, purposesByType } from "@intents/domain/quotes/lookup.ts";
import { paymentMethods } from "@intents/domain/quotes/payment-methods.ts";
import { countries } from "@intents/domain/reference/countries.ts";
import { fail, ok } from "@intents/domain/result.ts";
import { endpoint } from "@intents/http/endpoint.ts";
import { findPayee } from "@intents/storage/parties/payees.ts";
import { now, table } from "./runtime/environment.ts";
import { gate } from "./runtime/gate.ts";

/** Countries, purposes and payer types are built into the function: no cache of them can be older than the function. */
const allCountries = {
  countries: countries.map(({ countryCode, name, currencies }) => ({ countryCode, name, currencies })),
};

const allMethods = {
  paymentMethods: paymentMethods.map(({ settlementMethod, displayName }) => ({ settlementMethod, displayName })),
};

/** Payees by their ids, for as long as payment methods are cached; bounded, since ids come from callers. */
const knownPayees = new Map<number, Readonly<{ payee: Payee; untilMs: number }>>();
const KNOWN_PAYEES_MAX = 10_000;

export const handler = endpoint(
  "lookup",
  lookupRoutes,
  {
    listCountries: async () => ok(allCountries),

    listPaymentMethods: async ({ caller, params }) => {
      const payee = await findKnownPayee(params.payeeId);
      return payee !== undefined && isVisible(payee, caller.tenantId)
        ? ok(allMethods)
        : fail({ kind: "not_found", resource: "payee" });
    },

    listPurposes: async ({ params }) => ok({ purposes: purposesByType[params.type] }),

    listPayerTypes: async ({ params }) => ok({ payerTypes: payerTypesByType[params.type] }),
  },
  { gate },
);

async function findKnownPayee(payeeId: number): Promise<Payee | undefined> {
  const known = knownPayees.get(payeeId);
  if (known !== undefined && known.untilMs > now()) return known.payee;
  const payee = await findPayee(table, payeeId);
  if (payee === undefined) return undefined;
  if (knownPayees.size >= KNOWN_PAYEES_MAX) knownPayees.clear();
  knownPayees.set(payeeId, { payee, untilMs: now() + METHODS_CACHE_SECONDS * 1000 });
  return payee;
}
