import { MINUTE_MS } from "@intents/domain/durations.ts";
import type { WebhookEndpoint } from "@intents/domain/webhooks/endpoint.ts";
import { NEW } from "@intents/domain/webhooks/endpoint-health.ts";
import { eventActions } from "@intents/storage/events/events.ts";
import { placeAt } from "@intents/storage/events/feed.ts";
import type { Table } from "@intents/storage/table/table.ts";
import { transact } from "@intents/storage/table/transact.ts";
import { addEndpoint } from "@intents/storage/webhooks/endpoints.ts";
import { deliverTo } from "../src/webhooks/deliver.ts";
import type { Answer, Outgoing } from "../src/webhooks/send.ts";
import { newSecret } from "../src/webhooks/signature.ts";

export const AT_MS = Date.UTC(2026, 10, 21, 9);
export const change = { operator: "tenant:user", atMs: AT_MS, action: "webhooks.create", reason: "by the tenant" };
let tenants = 8000;
export const FINE: Answer = { status: 200, body: "", retryAfterMs: 0 };
export const BROKEN: Answer = { status: 500, body: "broken", retryAfterMs: 0 };

/** A tenant with one endpoint in a table, whose receiver answers what `answer` says. */
export async function newHookOn(table: Table, more: Partial<WebhookEndpoint> = {}) {
  const tenantId = String(tenants++);
  const key = { tenantId, id: "e1" };
  const secret = newSecret((count) => new Uint8Array(count).fill(tenants % 256));
  const created = new Date(AT_MS).toISOString();
  const named = { id: "e1", url: "https://example.com/hook", createdAt: created, updatedAt: created };
  const endpoint = { ...named, status: "enabled", changes: 0, ...more } as const;
  const progress = { cursor: placeAt(AT_MS), standing: NEW, atMs: AT_MS };
  await addEndpoint(table, tenantId, { endpoint, progress, secret }, change);
  const sent: Outgoing[] = [];
  const hook = {
    ...{ tenantId, key, secret, sent },
    answer: (_sent: Outgoing): Answer | Promise<Answer> => FINE,
    bodies: () =>
      sent.map(
        ({ body }) =>
          JSON.parse(body) as { type: string; data: { id: string; resource: { id: string }; externalId?: string } },
      ),
    happen: (about: string, atMs: number, step = 1, status: "draft" | "executing" = "draft", externalId?: string) =>
      transact({ ...table, now: () => atMs }, () =>
        eventActions(table, { tenantId, about, atMs, step, externalId }, [{ of: "paymentIntent", id: about, status }]),
      ),
    means: (atMs: number, on = table) => ({
      table: on,
      send: async (outgoing: Outgoing) => {
        sent.push(outgoing);
        return hook.answer(outgoing);
      },
      now: () => atMs,
      random: () => 0.5,
      pace: <Done>(_host: string, work: () => Promise<Done>) => work(),
    }),
    run: (atMs: number, on = table) => deliverTo(hook.means(atMs, on), key, atMs + 10 * MINUTE_MS),
  };
  return hook;
}
