import { eventRoutes } from "@intents/contract/events.ts";
import { paymentIntentRoutes } from "@intents/contract/payment-intents.ts";
import { timelineRoutes } from "@intents/contract/timeline.ts";
import { toIntentAnswer } from "@intents/domain/answers/intent-answer.ts";
import { toCorrectionNews, toTimelineEntry, withNews } from "@intents/domain/events/timeline.ts";
import { newLinkToken, newRecordId } from "@intents/domain/ids.ts";
import { callerActor } from "@intents/domain/intents/audit-event.ts";
import { planDraft } from "@intents/domain/intents/plan-draft.ts";
import { previewRequirements } from "@intents/domain/requirements/evaluate.ts";
import { fail, ok } from "@intents/domain/result.ts";
import { compileIntent } from "@intents/execution/drafts/compile.ts";
import { createIntent } from "@intents/execution/drafts/create.ts";
import { tryIntent } from "@intents/execution/drafts/dry-run.ts";
import { withReissued } from "@intents/execution/drafts/reissue.ts";
import { changeMetadata } from "@intents/execution/metadata/change.ts";
import { readAnswer } from "@intents/execution/metadata/read-answer.ts";
import { releaseLink } from "@intents/execution/payer-sessions/hold.ts";
import { railFor } from "@intents/execution/rails/ask.ts";
import { submitIntent } from "@intents/execution/submit/submit.ts";
import { endpoint } from "@intents/http/endpoint.ts";
import { openIdempotency } from "@intents/http/idempotency/idempotency.ts";
import { parseListQuery } from "@intents/http/lists/query.ts";
import { readAudit } from "@intents/storage/audit/intents.ts";
import { readFeed } from "@intents/storage/events/feed.ts";
import { findIntent } from "@intents/storage/intents/intents.ts";
import { findDraftMetadata, findMetadata } from "@intents/storage/intents/metadata.ts";
import { readStart } from "@intents/storage/intents/submissions.ts";
import { findReconciliations, reviewNews } from "@intents/storage/reviews/reconciliation.ts";
import { findReviewState } from "@intents/storage/reviews/reviews.ts";
import { batching } from "@intents/storage/table/batching.ts";
import { readLoosely } from "@intents/storage/table/table.ts";
import { table } from "./runtime/environment.ts";
import { gate, sourceOf } from "./runtime/gate.ts";
import { listPage } from "./runtime/list-page.ts";
import { run } from "./runtime/run.ts";

/** The most events of a page, and entries of a timeline, where the caller does not say. */
const FEED_LIMIT_DEFAULT = 100;

export const handler = endpoint(
  "payment-intents",
  { ...paymentIntentRoutes, ...timelineRoutes, ...eventRoutes },
  {
    createPaymentIntent: async ({ caller, body: { metadata, ...body }, nowMs }) => {
      const id = newRecordId(nowMs, run.random);
      const draft = await withReissued(table, caller.tenantId, body);
      const intent = planDraft(draft, caller, { id, publicLinkId: newLinkToken(run.random) });
      return ok(toIntentAnswer(await createIntent(run, intent, caller, metadata), { metadata }));
    },

    listPaymentIntents: (request) => listPage("INTENT", request),

    getPaymentIntent: async ({ caller: { tenantId }, params: { id } }) => {
      const found = await readAnswer(run, { tenantId, id });
      return found.ok ? ok(found.value.tell(found.value.metadata)) : found;
    },

    updatePaymentIntent: ({ caller: { tenantId }, params: { id }, body: { metadata: changes }, isCurrent }) =>
      changeMetadata(run, { tenantId, id }, { changes, isCurrent }),

    getPaymentIntentTimeline: async ({ caller: { tenantId }, params, parameters }) => {
      const { after = 0, limit = FEED_LIMIT_DEFAULT } = parameters;
      const reads = batching(table);
      const [found, { entries, nextAt }, records, { corrections = [] }] = await Promise.all([
        findIntent(reads, tenantId, params.id),
        readAudit(table, { tenantId, id: params.id }, { after, limit }),
        findReconciliations(table, tenantId, params.id),
        findReviewState(reads, { tenantId, id: params.id }),
      ]);
      if (!found.ok) return found;
      const { version } = found.value;
      if (after > version)
        return fail({ kind: "shape", problems: [`after is behind the newest entry: go on with after=${version}`] });
      const reports = [...records.flatMap(reviewNews), ...corrections.map(toCorrectionNews)];
      const news = reports.toSorted((one, other) => (one.at < other.at ? -1 : 1));
      const items = withNews(entries.map(toTimelineEntry), news, { isFirst: after === 0, nextAt });
      return ok({ items, hasMore: nextAt !== undefined, nextCursor: String(entries.at(-1)?.version ?? after) });
    },

    listEvents: ({ caller, parameters: { limit = FEED_LIMIT_DEFAULT, ...asked }, nowMs }) =>
      readFeed(table, caller.tenantId, { limit, ...asked }, nowMs),

    previewRequirements: async ({ caller, body }) => ok(previewRequirements(body, caller.permissions, railFor(run))),

    dryRunPaymentIntent: async ({ caller, params }) => {
      const tried = await tryIntent({ ...run, table: readLoosely(table) }, caller, params.id);
      const isClean = tried.ok && tried.value.rule.missingRequirements.length === 0;
      // The loose read may have missed a recent write.
      return isClean ? tried : tryIntent(run, caller, params.id);
    },

    compilePaymentIntent: async ({ caller, params }) => {
      const compiled = await compileIntent(run, caller, params.id);
      if (!compiled.ok) return compiled;
      const { intent, preview } = compiled.value;
      const metadata = await findDraftMetadata(table, intent);
      return ok({ ...toIntentAnswer(intent, { metadata }), preview });
    },

    releasePaymentLink: async ({ caller, params }) => {
      const found = await findIntent(table, caller.tenantId, params.id);
      if (!found.ok) return found;
      const wish = { actor: callerActor(caller), cause: "released" };
      const released = await releaseLink(run, found.value, wish);
      if (!released.ok) return released;
      return ok(toIntentAnswer(released.value, { metadata: await findMetadata(table, released.value) }));
    },

    submitPaymentIntent: async ({ caller, params, keyHash, previewHash, preloaded }) => {
      const intent = (await preloaded)?.intent;
      const intentId = params.id;
      const submitted = await submitIntent(run, {
        caller,
        intentId,
        ...(intent !== undefined && { intent }),
        ...(keyHash !== undefined && { keyHash }),
        ...(previewHash !== undefined && { previewHash }),
      });
      if (!submitted.ok) return submitted;
      const { body, replayed, isKept = false } = submitted.value;
      return ok({ body, intentId, replayed, isKept });
    },
  },
  {
    gate,
    sourceOf,
    parseList: parseListQuery,
    idempotency: openIdempotency(table),
    preload: ({ caller: { tenantId, clientId }, params }, keyHash) => {
      const [intentId = ""] = Object.values(params);
      return readStart(table, { tenantId, clientId, intentId, keyHash });
    },
  },
);
