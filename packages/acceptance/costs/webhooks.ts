import { request } from "./request.ts";
import type { Stage } from "./stage.ts";

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
};
