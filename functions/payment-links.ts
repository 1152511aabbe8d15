import { paymentLinkRoutes } from "@intents/contract/payment-links.ts";
import { referenceRates } from "@intents/domain/exchange-rates.ts";
import type { Failure } from "@intents/domain/failure.ts";
import { newUuid, numericIds } from "@intents/domain/ids.ts";
import {
  lockedCountryOf,
  planPayouts,
  statusOf,
  toLinkQuoteAnswer,
  toPublicFailure,
  toPublicLink,
} from "@intents/domain/payment-link.ts";
import { takesItsQuote } from "@intents/domain/payment-link-submission.ts";
import { priceQuote } from "@intents/domain/pricing.ts";
import type { Quote } from "@intents/domain/quote.ts";
import { corridorOf, payeesAbroad } from "@intents/domain/rails.ts";
import { fail, ok, type Result } from "@intents/domain/result.ts";
import { railFor } from "@intents/execution/ask-rail.ts";
import { findPublishedLink, openPayerSession, type PublishedLink } from "@intents/execution/payer-session.ts";
import { endpoint } from "@intents/http/endpoint.ts";
import { openFiles } from "@intents/storage/files.ts";
import { findPayees } from "@intents/storage/payees.ts";
import { addQuote } from "@intents/storage/quotes.ts";
import { getTenant } from "@intents/storage/tenants.ts";
import { random, settings, table } from "./runtime/environment.ts";
import { gate } from "./runtime/gate.ts";
import { findLinkPayment } from "./runtime/link-payment.ts";
import { run } from "./runtime/rail.ts";
import { storeUpload } from "./runtime/upload.ts";

const files = openFiles(settings.BUCKET_NAME);

type Params = Readonly<Record<string, string>>;

const findLink = (params: Params) => findPublishedLink(table, params["token"] ?? "");

/** A link that can still be paid. */
async function findOpenLink(params: Params): Promise<Result<PublishedLink, Failure>> {
  const link = await findLink(params);
  return link.ok && statusOf(link.value.intent) === "closed" ? fail({ kind: "link_closed" }) : link;
}

const payeesOf = ({ intent }: PublishedLink) =>
  findPayees(
    table,
    intent.recipients.flatMap(({ connectorPayeeId }) => connectorPayeeId ?? []),
  );

export const handler = endpoint(
  "payment-links",
  paymentLinkRoutes,
  {
    getPaymentLink: async ({ params }) => {
      const link = await findLink(params);
      return link.ok ? ok(toPublicLink(link.value.intent, await payeesOf(link.value))) : link;
    },

    quotePaymentLink: async ({ params, body, nowMs }) => {
      const link = await findOpenLink(params);
      if (!link.ok) return link;
      const { intent } = link.value;
      const { payerCountryCode: countryCode, amount } = body;
      const locked = lockedCountryOf(intent) ?? countryCode;
      if (countryCode !== locked) {
        return fail({ kind: "shape", problems: [`payerCountryCode must be ${locked}, from where the link is paid`] });
      }
      const [payees, tenant] = await Promise.all([payeesOf(link.value), getTenant(table, intent.tenantId)]);
      const payouts = planPayouts(intent, amount, payees);
      if (!payouts.ok) return payouts;
      const { rail } = railFor(run, corridorOf(countryCode, payeesAbroad(intent.recipients, payees)));
      const priced = priceQuote(
        {
          payouts: payouts.value,
          countryCode,
          paymentType: "provider",
          rail,
          tenantId: intent.tenantId,
          commissionSpread: tenant.commissionSpread,
        },
        referenceRates,
        numericIds(nowMs, random),
      );
      if (!priced.ok) return fail(priced.failure.kind === "shape" ? tooLarge : toPublicFailure(priced.failure));
      if (amount !== undefined && !priced.value.variants.some(takesItsQuote)) return fail(outsideLimits);
      const quote: Quote = {
        quoteId: newUuid(random),
        ...priced.value,
        createdAt: new Date(nowMs).toISOString(),
        expiresOn: new Date(nowMs + settings.QUOTE_TTL_SECONDS * 1000).toISOString(),
      };
      await addQuote(table, intent.tenantId, quote, intent.id);
      return ok(toLinkQuoteAnswer(intent, quote, payees));
    },

    uploadPayerDocument: async ({ params, event, nowMs }) => {
      const link = await findOpenLink(params);
      if (!link.ok) return link;
      const { tenantId, id: linkId } = link.value.intent;
      return storeUpload(files, { tenantId, linkId }, event, nowMs, ({ fields }) =>
        fields.get("documentType") === "identity" ? [] : ["documentType must be one of the following values: identity"],
      );
    },

    openPayerSession: async ({ params, body }) => {
      const link = await findLink(params);
      if (!link.ok) return link;
      const opened = await openPayerSession(run, link.value, body);
      return opened.ok ? opened : fail(toPublicFailure(opened.failure));
    },

    getPaymentLinkStatus: async ({ params, parameters: { paymentIntentId: childId } }) => {
      const link = await findLink(params);
      if (!link.ok) return link;
      const { intent } = link.value;
      const status = statusOf(intent);
      if (childId === undefined) return ok({ status });
      const payment = await findLinkPayment(intent, childId);
      return payment === undefined
        ? fail({ kind: "not_found", resource: "payment intent" })
        : ok({ status, ...payment });
    },
  },
  { gate },
);

const tooLarge = { kind: "shape", problems: ["amount is too large to be carried exactly"] } as const;
const outsideLimits = {
  kind: "shape",
  problems: ["amount is outside the limits of every way to pay from this country"],
} as const;
