import { payerPageRoutes } from "@intents/contract/payer-page.ts";
import { methodsFrom, paymentMethods } from "@intents/domain/quotes/payment-methods.ts";
import { countries } from "@intents/domain/reference/countries.ts";
import { currencyCodes, minorUnitsOf } from "@intents/domain/reference/currency.ts";
import { fail, ok } from "@intents/domain/result.ts";
import { findLinkPayment } from "@intents/execution/links/link-payment.ts";
import { findPublicLink } from "@intents/execution/links/published-link.ts";
import { endpoint } from "@intents/http/endpoint.ts";
import { pickSpeech } from "@intents/payer-app/messages/languages.ts";
import { openCountries, renderPage } from "@intents/payer-app/server/page.tsx";
import { payerPageHeaders } from "@intents/payer-app/server/page-head.ts";
import { table } from "./runtime/environment.ts";
import { gate, isSuspended } from "./runtime/gate.ts";
import { findImprint } from "./runtime/imprint.ts";
import { noticePage } from "./runtime/notice-page.ts";
import { pageNames } from "./runtime/page-names.ts";

const LINK_PREFIX = "plink_";

/** The data of every page that does not depend on its link. */
const facts = {
  minorUnits: Object.fromEntries(
    currencyCodes.map((code) => [code, minorUnitsOf(code) ?? 2] as const).filter(([, digits]) => digits !== 2),
  ),
  methodNames: Object.fromEntries(paymentMethods.map((method) => [method.settlementMethod, method.displayName])),
};

const countriesIn = openCountries(
  countries.map(({ countryCode }) => countryCode).filter((code) => methodsFrom(code).length > 0),
);

/** The link at an address and one payment by it, as payers see them; undefined if there is no such link. */
async function findShown(address: string, paymentId: string | undefined, nowMs: number) {
  if (!address.startsWith(LINK_PREFIX)) return undefined;
  const found = await findPublicLink({ table, isSuspended }, address.slice(LINK_PREFIX.length), nowMs);
  if (!found.ok) return undefined;
  const { stored, link } = found.value;
  const payment = paymentId === undefined ? undefined : await findLinkPayment(table, stored, paymentId);
  return { tenantId: stored.tenantId, shown: { link, ...(payment !== undefined && { payment }) } };
}

export const handler = endpoint(
  "payer-page",
  payerPageRoutes,
  {
    showPayerPage: async ({ params: { token: address }, parameters, acceptLanguage, sentPath, nowMs }) => {
      // The page's links are relative to its one address, which has no slash at its end.
      if (sentPath.endsWith("/")) {
        const query = new URLSearchParams(parameters);
        const location = `../${encodeURIComponent(address)}${query.size === 0 ? "" : `?${query}`}`;
        return ok({ html: "", headers: { location }, status: 308 as const });
      }
      const { lang, payment: paymentId } = parameters;
      const found = await findShown(address, paymentId, nowMs);
      const speech = pickSpeech(lang, acceptLanguage);
      const view = {
        ...facts,
        ...speech,
        countries: countriesIn(speech.language),
        token: address.slice(LINK_PREFIX.length),
        ...found?.shown,
        imprint: await findImprint(found?.tenantId, nowMs),
        ...(paymentId !== undefined && { paymentId }),
      };
      const html = await renderPage(view, pageNames.payer);
      return ok({ html, headers: payerPageHeaders, ...(found === undefined && { status: 404 as const }) });
    },

    getAsset: async ({ params }) => {
      const { pageAssets } = await import("./runtime/page-assets.ts");
      const found = pageAssets.find(({ name }) => name === params.file);
      return found === undefined ? fail({ kind: "not_found", resource: "asset" }) : ok(found);
    },
  },
  { gate, noticePage },
);
