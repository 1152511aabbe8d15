import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { WebhookError, webhooks } from "./webhooks.ts";

const secretOf = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString("base64")}`;
const [former, present, foreign] = [1, 2, 3].map(secretOf) as [string, string, string];
const body = JSON.stringify({ type: "webhook.test", timestamp: "2026-11-25T00:00:00Z", data: { id: "ü" } });

/** A delivery's headers, signed by these secrets. */
function deliveryOf(secrets: readonly string[], at = new Date()) {
  const signatures = secrets.map((secret) => new Webhook(secret).sign("m1", at, body));
  const seconds = String(Math.floor(at.getTime() / 1000));
  return { "webhook-id": "m1", "webhook-timestamp": seconds, "webhook-signature": signatures.join(" ") };
}

test("a delivery is taken by each secret that signed it, from any kind of headers and body", async () => {
  const headers = deliveryOf([present, former]);
  for (const secret of [former, present, [foreign, present]])
    for (const sent of [headers, new Headers(headers), { ...headers, accept: ["a", "b"] }])
      for (const text of [body, new TextEncoder().encode(body)])
        expect(await webhooks.verify(text, sent, secret)).toEqual(JSON.parse(body));
});

test.each([
  ["a foreign secret", {}, foreign],
  ["no secret", {}, []],
  ["an id of another", { "webhook-id": "m2" }, present],
  ["a missing header", { "webhook-signature": undefined }, present],
  ["a signature of another version", { "webhook-signature": "v1a,AAAA" }, present],
  ["a signature that is none", { "webhook-signature": "v1,!" }, present],
  ["no timestamp", { "webhook-timestamp": "now" }, present],
])("one with %s is refused", async (_, changes, secret) => {
  await expect(webhooks.verify(body, { ...deliveryOf([present]), ...changes }, secret)).rejects.toThrow(WebhookError);
});

test("one that is six minutes off is refused, and so is a secret of another form", async () => {
  for (const ms of [-360_000, 360_000]) {
    const headers = deliveryOf([present], new Date(Date.now() + ms));
    await expect(webhooks.verify(body, headers, present)).rejects.toThrow("The timestamp is too far from now");
  }
  for (const secret of ["", "whsec_", "whsec_!", present.slice(6)])
    await expect(webhooks.verify(body, deliveryOf([present]), secret)).rejects.toThrow(TypeError);
});

test("a body that differs in any character is refused", async () => {
  const places = fc.integer({ min: 0, max: body.length - 1 });
  await fc.assert(
    fc.asyncProperty(places, async (place) => {
      const changed = `${body.slice(0, place)}~${body.slice(place + 1)}`;
      await expect(webhooks.verify(changed, deliveryOf([present]), present)).rejects.toThrow(WebhookError);
    }),
    { numRuns: 20 },
  );
});
