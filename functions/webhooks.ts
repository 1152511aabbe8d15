import { DELIVERIES_MAX, webhookEndpointRoutes } from "@intents/contract/webhooks.ts";
import { newRecordId, newUuid } from "@intents/domain/ids.ts";
import type { Caller } from "@intents/domain/parties/caller.ts";
import { fail, ok } from "@intents/domain/result.ts";
import {
  changed,
  ENDPOINTS_MAX,
  FORMER_SECRET_MS,
  freeSlots,
  toEndpointAnswer,
  type WebhookEndpoint,
} from "@intents/domain/webhooks/endpoint.ts";
import { NEW } from "@intents/domain/webhooks/endpoint-health.ts";
import { urlProblem } from "@intents/execution/webhooks/egress.ts";
import { redeliver, replay, toReplayAnswer } from "@intents/execution/webhooks/redelivery.ts";
import { newSecret } from "@intents/execution/webhooks/signature.ts";
import { endpoint as serveGroup } from "@intents/http/endpoint.ts";
import type { Request } from "@intents/http/request/request.ts";
import { oldestAt, placeAt } from "@intents/storage/events/feed.ts";
import { openQueue } from "@intents/storage/queue/queue.ts";
import { type Delivery, listDeliveries } from "@intents/storage/webhooks/deliveries.ts";
import {
  addEndpoint,
  deleteEndpoint,
  type Followed,
  listEndpoints,
  type Progress,
  replaceEndpoint,
  replaceSecret,
} from "@intents/storage/webhooks/endpoints.ts";
import { postWebhooks } from "@intents/storage/webhooks/messages.ts";
import { egress } from "./runtime/egress.ts";
import { now, random, settings, table } from "./runtime/environment.ts";
import { gate } from "./runtime/gate.ts";

const queues = settings.WEBHOOK_QUEUE_URLS.map(openQueue);

type Named = Pick<Request<typeof webhookEndpointRoutes.getWebhookEndpoint>, "caller" | "params">;
type Changes = Request<typeof webhookEndpointRoutes.updateWebhookEndpoint>["body"];

const gone = fail({ kind: "not_found" as const, resource: "webhook endpoint" });
const wrongUrl = (url: string | undefined) => {
  const problem = url === undefined ? undefined : urlProblem(url, egress);
  return problem === undefined ? undefined : fail({ kind: "shape" as const, problems: [problem] });
};

const find = async ({ caller: { tenantId }, params: { id } }: Named): Promise<Followed | undefined> =>
  (await listEndpoints(table, tenantId)).find(({ endpoint }) => endpoint.id === id);

/** An entry of the operators' audit about a change that a tenant makes by one of its keys. */
const entry = ({ userId, clientId }: Caller, action: string, endpointId: string) => ({
  operator: `tenant:${userId}`,
  atMs: now(),
  action: `webhooks.${action}`,
  reason: "by the tenant",
  data: { endpointId, clientId },
});

/** The endpoint as its tenant sees it, with how it takes what it is sent. */
function toAnswer({ endpoint, progress }: Followed) {
  const { failedSinceMs, probe } = progress.standing;
  const failing = failedSinceMs !== undefined && {
    failing: {
      since: new Date(failedSinceMs).toISOString(),
      ...(probe !== undefined && { nextAttemptAt: new Date(probe.atMs).toISOString() }),
    },
  };
  return {
    ...toEndpointAnswer(endpoint),
    ...failing,
    ...(progress.replay && { replay: toReplayAnswer(progress.replay) }),
  };
}

/** The delivery as its tenant sees it. */
const toDeliveryAnswer = ({ event, attempts, status, nextAttemptAt, answer }: Delivery) => ({
  id: event.id,
  type: event.type,
  time: event.time,
  resource: event.resource,
  status,
  attempts: [...attempts],
  ...(nextAttemptAt !== undefined && { nextAttemptAt }),
  ...(answer !== undefined && { answer }),
});

/** The endpoint with a tenant's changes. */
function merge(before: WebhookEndpoint, body: Changes, nowMs: number): WebhookEndpoint {
  const { types, description, status, url } = body;
  const { types: formerTypes, description: formerDescription, ...rest } = changed(before, nowMs);
  const named = {
    ...(types === undefined ? formerTypes && { types: formerTypes } : types && { types }),
    ...(description === undefined
      ? formerDescription && { description: formerDescription }
      : description && { description }),
  };
  const merged = { ...rest, ...named, ...(url !== undefined && { url }) };
  if (status === undefined || status === before.status) return merged;
  if (status === "disabled") return { ...merged, status, disabledReason: "asked" };
  const { disabledReason: _over, ...enabled } = merged;
  return { ...enabled, status };
}

/**
 * Where an endpoint goes on: where it was, with a fresh standing if it is enabled again, or with the next event. Then what
 * waits is given up, and nothing is sent again.
 */
function goOn(before: Progress, isEnabled: boolean, isFromNow: boolean, nowMs: number): Progress | undefined {
  if (!isEnabled && !isFromNow) return undefined;
  const { leasedUntilMs: _, replay: running, ...rest } = before;
  const now = placeAt(nowMs);
  const from = isFromNow ? { cursor: now, skipped: now } : running && { replay: running };
  return { ...rest, ...from, ...(isEnabled && { standing: { ...NEW, wellSinceMs: nowMs } }), atMs: nowMs };
}

export const handler = serveGroup(
  "webhooks",
  webhookEndpointRoutes,
  {
    createWebhookEndpoint: async ({ caller, body, nowMs }) => {
      const wrong = wrongUrl(body.url);
      if (wrong !== undefined) return wrong;
      const createdAt = new Date(nowMs).toISOString();
      const id = newRecordId(nowMs, random);
      const secret = newSecret(random);
      // Each slot that another request takes meanwhile is one less.
      for (let tries = 0; tries <= ENDPOINTS_MAX; tries++) {
        const known = await listEndpoints(table, caller.tenantId);
        const [slot] = freeSlots(known.map(({ endpoint }) => endpoint));
        if (slot === undefined) return fail({ kind: "endpoint_limit", limit: ENDPOINTS_MAX } as const);
        const made = {
          endpoint: { id, ...body, status: "enabled", createdAt, updatedAt: createdAt, changes: 0, slot },
          progress: { cursor: placeAt(nowMs), standing: NEW, atMs: nowMs },
        } as const;
        const isAdded = await addEndpoint(table, caller.tenantId, { ...made, secret }, entry(caller, "create", id));
        if (isAdded) return ok({ ...toAnswer(made), secret });
      }
      return fail({ kind: "busy", retryAfterSeconds: 1 } as const);
    },

    listWebhookEndpoints: async ({ caller }) =>
      ok({ items: (await listEndpoints(table, caller.tenantId)).map(toAnswer) }),

    getWebhookEndpoint: async (request) => {
      const found = await find(request);
      return found === undefined ? gone : ok(toAnswer(found));
    },

    updateWebhookEndpoint: async (request) => {
      const { caller, body, nowMs } = request;
      const wrong = wrongUrl(body.url);
      if (wrong !== undefined) return wrong;
      const found = await find(request);
      if (found === undefined) return gone;
      const { endpoint: before, progress } = found;
      const isEnabled = before.status === "disabled" && body.status === "enabled";
      const next = goOn(progress, isEnabled, body.from === "now", nowMs);
      const { place } = oldestAt(nowMs);
      const missed = isEnabled &&
        next !== undefined &&
        next.cursor.place < place && { missedUntil: new Date(Number.parseInt(place, 10)).toISOString() };
      const after = { ...merge(before, body, nowMs), ...missed };
      const change = entry(caller, "update", before.id);
      const moved = next === undefined ? undefined : ([progress, next] as const);
      const isDone = await replaceEndpoint(table, caller.tenantId, [before, after], moved, change);
      if (!isDone) return fail({ kind: "busy", retryAfterSeconds: 1 } as const);
      await wake(caller.tenantId);
      return ok(toAnswer({ endpoint: after, progress: next ?? progress }));
    },

    deleteWebhookEndpoint: async (request) => {
      const { tenantId } = request.caller;
      const found = await find(request);
      if (found === undefined) return gone;
      const { id, slot } = found.endpoint;
      const key = { tenantId, id, ...(slot !== undefined && { slot }) };
      await deleteEndpoint(table, key, entry(request.caller, "delete", id));
      return ok({ id });
    },

    rotateWebhookSecret: async (request) => {
      const { caller, params, nowMs } = request;
      const [key, secret] = [{ tenantId: caller.tenantId, id: params.id }, newSecret(random)];
      const formerUntilMs = nowMs + FORMER_SECRET_MS;
      const change = entry(caller, "rotate-secret", params.id);
      if ((await find(request)) === undefined) return gone;
      if (!(await replaceSecret(table, key, { secret, formerUntilMs }, change))) return gone;
      return ok({ id: params.id, secret, formerUntil: new Date(formerUntilMs).toISOString() });
    },

    testWebhookEndpoint: async (request) => {
      const { caller, params } = request;
      if ((await find(request)) === undefined) return gone;
      const testId = newUuid(random);
      const [, apart] = queues;
      if (apart !== undefined)
        await postWebhooks(apart, [{ kind: "test", tenantId: caller.tenantId, id: params.id, testId }]);
      return ok({ id: testId });
    },

    listWebhookEndpointDeliveries: async (request) => {
      const { caller, params, parameters, nowMs } = request;
      if ((await find(request)) === undefined) return gone;
      const key = { tenantId: caller.tenantId, id: params.id };
      const page = await listDeliveries(table, key, { limit: DELIVERIES_MAX, ...parameters }, nowMs);
      if (page === undefined)
        return fail({ kind: "shape", problems: ["after must be the id of a delivery, or a nextCursor of this list"] });
      return ok({ ...page, items: page.items.map(toDeliveryAnswer) });
    },

    redeliverWebhookEndpointDelivery: async (request) => {
      const { caller, params, nowMs } = request;
      if ((await find(request)) === undefined) return gone;
      const key = { tenantId: caller.tenantId, id: params.id };
      const asked = await redeliver(table, key, params.deliveryId, nowMs);
      if (!asked.ok) return asked;
      await wake(caller.tenantId);
      return ok(toDeliveryAnswer(asked.value));
    },

    replayWebhookEndpoint: async (request) => {
      const { caller, params, body, nowMs } = request;
      if ((await find(request)) === undefined) return gone;
      const asked = await replay(table, { tenantId: caller.tenantId, id: params.id }, body.from, nowMs);
      if (asked.ok) await wake(caller.tenantId);
      return asked;
    },
  },
  { gate },
);

async function wake(tenantId: string): Promise<void> {
  const [quick] = queues;
  if (quick !== undefined) await postWebhooks(quick, [{ kind: "tenant", tenantId }]);
}
