import { sandboxTestingRoutes } from "@intents/contract/sandbox-testing.ts";
import { toIntentAnswer } from "@intents/domain/answers/intent-answer.ts";
import type { Caller } from "@intents/domain/parties/caller.ts";
import { toQuoteAnswer } from "@intents/domain/quotes/answer.ts";
import { fail, ok } from "@intents/domain/result.ts";
import { findHold } from "@intents/execution/payer-sessions/hold.ts";
import { openPost } from "@intents/execution/polling/lanes.ts";
import { expireDraft, expireHold, expireQuote } from "@intents/execution/testing/expiry.ts";
import { decidePayment } from "@intents/execution/testing/payments.ts";
import { endpoint } from "@intents/http/endpoint.ts";
import { openRails } from "@intents/rails/open-rails.ts";
import { railRows } from "@intents/rails/rail-rows.ts";
import { describeScenarios } from "@intents/rails/sandbox/describe-scenarios.ts";
import type { TestWish } from "@intents/rails/sandbox/fates.ts";
import { openQueue } from "@intents/storage/queue/queue.ts";
import { now, random, settings, table } from "./runtime/environment.ts";
import { gate } from "./runtime/gate.ts";
import { run } from "./runtime/run.ts";

const { CONNECTOR, SANDBOX_SETTLE_SECONDS: settleSeconds, SANDBOX_DEDUP_SECONDS: dedupSeconds } = settings;
const { sandboxes } = openRails(settings, { db: table.db, now, random });
const post = openPost(run, openQueue(settings.QUEUE_URL), settings.QUESTION_QUEUE_URLS.map(openQueue));

type Wanted = Readonly<{ caller: Caller; params: Readonly<{ connectorPaymentId: number }> }>;

const decide = ({ caller: { tenantId }, params: { connectorPaymentId: paymentId } }: Wanted, wish: TestWish) =>
  decidePayment(run, { sandboxes, post }, { tenantId, paymentId }, wish);

export const handler = endpoint(
  "sandbox-testing",
  sandboxTestingRoutes,
  {
    listSandboxScenarios: async () =>
      CONNECTOR === "sandbox"
        ? ok(describeScenarios(railRows.sandbox, { settleSeconds, dedupSeconds }))
        : fail({ kind: "not_simulated" }),

    settleSandboxPayment: (request) => decide(request, { how: "settle", ...request.parameters }),
    receiveSandboxPayment: (request) => decide(request, { how: "receive" }),
    failSandboxPayment: (request) => decide(request, { how: "fail", ...request.parameters }),
    delaySandboxPayment: (request) => decide(request, { how: "delay", ...request.parameters }),
    expireSandboxQuote: async ({ caller, params, parameters }) => {
      const expired = await expireQuote(run, caller.tenantId, { quoteId: params.id, ...parameters });
      return expired.ok ? ok(toQuoteAnswer(expired.value)) : expired;
    },

    expireSandboxDraft: async ({ caller: { tenantId }, params }) => {
      const expired = await expireDraft(run, post, { tenantId, id: params.id });
      return expired.ok ? ok(toIntentAnswer(expired.value)) : expired;
    },

    expireSandboxHold: async ({ caller, params }) => {
      const expired = await expireHold(run, post, caller.tenantId, params.token);
      return expired.ok ? ok({ ...toIntentAnswer(expired.value), ...(await findHold(run, expired.value)) }) : expired;
    },

    returnSandboxPayment: (request) => decide(request, { how: "return", ...request.parameters }),
  },
  { gate },
);
