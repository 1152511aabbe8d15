import { createHash } from "node:crypto";
import { paymentLinkRoutes } from "@intents/contract/payment-links.ts";
import { type Failure, toPublicFailure } from "@intents/domain/failure.ts";
import { isStopped } from "@intents/domain/links/link-state.ts";
import { fail, ok, type Result } from "@intents/domain/result.ts";
import { storePayerUpload } from "@intents/execution/documents/upload.ts";
import { findLinkPayment } from "@intents/execution/links/link-payment.ts";
import { issueLinkQuote } from "@intents/execution/links/link-quote.ts";
import { findPublicLink, findPublishedLink, type PublishedLink } from "@intents/execution/links/published-link.ts";
import { findPayerPayment, giveBack, keepHold } from "@intents/execution/payer-sessions/payer-payment.ts";
import { openPayerSession } from "@intents/execution/payer-sessions/session.ts";
import { endpoint } from "@intents/http/endpoint.ts";
import { findIntent } from "@intents/storage/intents/intents.ts";
import { findLink as findStoredLink, type StoredLink } from "@intents/storage/links/links.ts";
import { batching } from "@intents/storage/table/batching.ts";
import { settings, table } from "./runtime/environment.ts";
import { gate, isSuspended, sourceOf } from "./runtime/gate.ts";
import { run } from "./runtime/run.ts";
import { uploadBudget } from "./runtime/upload-budget.ts";

type Params = Readonly<{ token: string }>;

const findLink = ({ token }: Params) => findPublishedLink(table, token);

/** Whether a link can be paid now. */
const statusOf = async ({ state, tenantId }: StoredLink, nowMs: number): Promise<"open" | "closed"> =>
  isStopped(state, await isSuspended(tenantId, nowMs)) ? "closed" : "open";

/** A link that can be paid now. */
async function findOpenLink(params: Params, nowMs: number): Promise<Result<PublishedLink, Failure>> {
  const link = await findLink(params);
  return link.ok && (await statusOf(link.value.stored, nowMs)) === "closed" ? fail({ kind: "link_closed" }) : link;
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
      return issueLinkQuote(run, link.value.intent, body, { nowMs, ttlMs: settings.QUOTE_TTL_SECONDS * 1000 });
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
      const stored = await findStoredLink(table, params.token);
      if (stored === undefined) return fail({ kind: "link_not_found" });
      const reads = batching(table);
      const [link, payment] = await Promise.all([
        findIntent(reads, stored.tenantId, stored.intentId),
        childId === undefined ? undefined : findLinkPayment(reads, stored, childId),
      ]);
      if (!link.ok) return fail({ kind: "link_not_found" });
      const status = await statusOf(stored, nowMs);
      if (childId !== undefined && payment === undefined)
        return fail({ kind: "not_found", resource: "payment intent" });
      return ok({ status, ...payment });
    },
  },
  { gate, sourceOf, uploadBudget },
);
