import { createHmac } from "node:crypto";
import type { RandomBytes } from "@intents/domain/ids.ts";

const PREFIX = "whsec_";
const SECRET_BYTES = 32;

/** A new secret, as Standard Webhooks 1.0 writes secrets. */
export const newSecret = (random: RandomBytes): string => PREFIX + Buffer.from(random(SECRET_BYTES)).toString("base64");

/**
 * The headers of a delivery by Standard Webhooks 1.0. It is signed by each of the secrets, so that a receiver who has one
 * of them can verify it. `id` is the same at every attempt.
 */
export function signedHeaders(
  id: string,
  body: string,
  secrets: readonly string[],
  nowMs: number,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(nowMs / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}
