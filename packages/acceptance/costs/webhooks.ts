import { placeAt, readUnsettled, upToNow } from "@intents/storage/events/feed.ts";
import { putDelivery } from "@intents/storage/webhooks/deliveries.ts";
import { newDraft } from "../service/tuition.ts";
import { request } from "./request.ts";
import { type Stage, TENANT } from "./stage.ts";

const ENDPOINTS = "/v2/webhook-endpoints";
const body = { url: "https://example.com/hooks", types: ["paymentIntent"] };

/** The path of a new endpoint, or of something of it. A tenant has ten at most, so that the former one goes. */
const newEndpoint =
  (rest = "") =>
  async ({ client }: Stage) => {
    const { data } = (await client.call<{ data: { items: readonly { id: string }[] } }>("GET", ENDPOINTS)).body;
    for (const { id } of data.items) await client.call("DELETE", `${ENDPOINTS}/${id}`);
    const made = await client.call<{ data: { id: string } }>("POST", ENDPOINTS, { body });
    return `${ENDPOINTS}/${made.body.data.id}${rest}`;
  };

/** The path of a delivery to a new endpoint. */
async function newDelivery(stage: Stage): Promise<string> {
  const path = await newEndpoint("")(stage);
  const nowMs = Date.now();
  await newDraft(stage.client);
  const { events } = await readUnsettled(stage.table, TENANT, placeAt(nowMs), 1, upToNow(nowMs));
  const [placed] = events;
  if (placed === undefined) throw new Error("A new draft made no event");
  const attempts = [{ at: new Date(nowMs).toISOString(), tookMs: 20, status: 204 }];
  const key = { tenantId: TENANT, id: path.split("/").at(-1) ?? "" };
  await putDelivery(stage.table, key, { ...placed, status: "delivered", attempts });
  return `${path}/deliveries/${placed.event.id}`;
}

/** The endpoints of webhooks. Deliveries are counted where they are tested. */
export const webhookOperations = {
  "a webhook endpoint is added": request("createWebhookEndpoint", "POST", ENDPOINTS, () => ({ body })),
  "the webhook endpoints": request("listWebhookEndpoints", "GET", ENDPOINTS),
  "a webhook endpoint": request("getWebhookEndpoint", "GET", newEndpoint()),
  "a webhook endpoint is changed": request("updateWebhookEndpoint", "PATCH", newEndpoint(), () => ({
    body: { status: "disabled" },
  })),
  "a webhook endpoint is deleted": request("deleteWebhookEndpoint", "DELETE", newEndpoint()),
  "a webhook's secret is rotated": request("rotateWebhookSecret", "POST", newEndpoint("/rotate-secret")),
  "a test is sent to a webhook endpoint": request("testWebhookEndpoint", "POST", newEndpoint("/test")),
  "the deliveries of a webhook endpoint": request("listWebhookEndpointDeliveries", "GET", async (stage) =>
    (await newDelivery(stage)).replace(/\/[^/]+$/, ""),
  ),
  "a delivery is asked for again": request(
    "redeliverWebhookEndpointDelivery",
    "POST",
    async (stage) => `${await newDelivery(stage)}/redeliver`,
  ),
  "a replay is asked for": request("replayWebhookEndpoint", "POST", newEndpoint("/replay"), () => ({
    body: { from: new Date().toISOString() },
  })),
};
