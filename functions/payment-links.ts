import { createHash } from "node:crypto";
import { paymentLinkRoutes } from "@intents/contract/payment-links.ts";
import { type Failure, toPublicFailure } from "@intents/domain/failure.ts";
import { takesItsQuote } from "@intents/domain/links/link-payment.ts";
import { lockedCountryOf, planPayouts, statusOf, toLinkQuoteAnswer } from "@intents/domain/links/payment-link.ts";
import { corridorOf, payeesAbroad } from "@intents/domain/rails/description.ts";
import { fail, ok, type Result } from "@intents/domain/result.ts";
import { storePayerUpload } from "@intents/execution/documents/upload.ts";
import { findLinkPayment } from "@intents/execution/links/link-payment.ts";
import { findPayerPayment, giveBack, keepHold } from "@intents/execution/links/payer-payment.ts";
import { findPublicLink, findPublishedLink, type PublishedLink } from "@intents/execution/links/published-link.ts";
import { openPayerSession } from "@intents/execution/links/session.ts";
import { issueQuote } from "@intents/execution/quotes/issue.ts";
import { railFor } from "@intents/execution/rails/ask.ts";
import { endpoint } from "@intents/http/endpoint.ts";
import { findLink as findStoredLink } from "@intents/storage/intents/payment-links.ts";
import { findPayeesOf } from "@intents/storage/parties/payees.ts";
import { getTenant } from "@intents/storage/parties/tenants.ts";
import { settings, table } from "./runtime/environment.ts";
import { gate, isSuspended, sourceOf } from "./runtime/gate.ts";
import { run } from "./runtime/run.ts";
import { uploadBudget } from "./runtime/upload-budget.ts";

type Params = Readonly<{ token: string }>;

const findLink = ({ token }: Params) => findPublishedLink(table, token);

/** Whether a link can be paid now: nobody pays it while a payment by it is under review. */
async function stateOf({ intent, stored }: PublishedLink, nowMs: number): Promise<"open" | "closed"> {
  const isStopped = stored.underReview !== undefined || (await isSuspended(intent.tenantId, nowMs));
  return isStopped ? "closed" : statusOf(intent);
}

/** A link that can be paid now. */
async function findOpenLink(params: Params, nowMs: number): Promise<Result<PublishedLink, Failure>> {
  const link = await findLink(params);
  return link.ok && (await stateOf(link.value, nowMs)) === "closed" ? fail({ kind: "link_closed" }) : link;
}

/** The digest under which the unpaid payments by a link from one address are counted: no record holds the address. */
const digestOf = (source = ""): string => createHash("sha256").update(source).digest("base64url").slice(0, 22);

export const handler = endpoint(
  "payment-links",
  paymentLinkRoutes,
  {
    getPaymentLink: async ({ params: { token }, nowMs }) => {
      const found = await findPublicLink({ table, isSuspended }, token, nowMs);
      return found.ok ? ok(found.value.link) : found;
    },

    quotePaymentLink: async ({ params, body, nowMs }) => {
      const link = await findOpenLink(params, nowMs);
      if (!link.ok) return link;
      const { intent } = link.value;
      const { payerCountryCode: countryCode, amount } = body;
      const locked = lockedCountryOf(intent) ?? countryCode;
      if (countryCode !== locked) {
        return fail({ kind: "shape", problems: [`payerCountryCode must be ${locked}, from where the link is paid`] });
      }
      const [payees, tenant] = await Promise.all([findPayeesOf(table, intent), getTenant(table, intent.tenantId)]);
      const payouts = planPayouts(intent, amount, payees);
      if (!payouts.ok) return payouts;
      const { rail } = railFor(run, corridorOf(countryCode, payeesAbroad(intent.recipients, payees)));
      const issued = await issueQuote(
        run,
        {
          payouts: payouts.value,
          countryCode,
          paymentType: "provider",
          rail,
          tenantId: intent.tenantId,
          commissionSpread: tenant.commissionSpread,
        },
        {
          nowMs,
          ttlMs: settings.QUOTE_TTL_SECONDS * 1000,
          linkId: intent.id,
          // The payer alone chose this amount, and can enter another one.
          whyNot: ({ variants }) =>
            amount !== undefined && !variants.some(takesItsQuote) ? ("outside_limits" as const) : undefined,
        },
      );
      if (!issued.ok) return fail(toLinkFailure(issued.failure));
      return ok(toLinkQuoteAnswer(intent, issued.value, payees));
    },

    uploadPayerDocument: async ({ params, form: { file }, nowMs }) => {
      const link = await findOpenLink(params, nowMs);
      if (!link.ok) return link;
      const { tenantId, id: linkId } = link.value.intent;
      return storePayerUpload(run, { tenantId, linkId }, file, nowMs);
    },

    openPayerSession: async ({ params, body, secretHash, source }) => {
      const link = await findStoredLink(table, params.token);
      if (link === undefined) return fail({ kind: "link_not_found" });
      const opened = await openPayerSession(run, link, { ...body, secretHash, source: digestOf(source) });
      return opened.ok ? opened : fail(toPublicFailure(opened.failure));
    },

    findPayerSession: ({ params: { token }, secretHash }) => findPayerPayment(run, { token, secretHash }),

    keepPayerSession: ({ params: { token }, secretHash, body: { willTransfer = false } }) =>
      keepHold(run, { token, secretHash }, willTransfer),

    releasePayerSession: ({ params: { token }, secretHash }) => giveBack(run, { token, secretHash }),

    getPaymentLinkStatus: async ({ params, parameters: { paymentIntentId: childId }, nowMs }) => {
      const link = await findLink(params);
      if (!link.ok) return link;
      const { stored } = link.value;
      const status = await stateOf(link.value, nowMs);
      if (childId === undefined) return ok({ status });
      const payment = await findLinkPayment(table, stored, childId);
      return payment === undefined
        ? fail({ kind: "not_found", resource: "payment intent" })
        : ok({ status, ...payment });
    },
  },
  { gate, sourceOf, uploadBudget },
);

function toLinkFailure(failure: Failure | "outside_limits"): Failure {
  if (failure === "outside_limits") return outsideLimits;
  return failure.kind === "shape" ? tooLarge : toPublicFailure(failure);
}

const tooLarge = { kind: "shape", problems: ["amount is too large to be carried exactly"] } as const;
const outsideLimits = {
  kind: "shape",
  problems: ["amount is outside the limits of every way to pay from this country"],
} as const;
