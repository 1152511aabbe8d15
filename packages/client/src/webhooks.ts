import type { WebhookEvent, WebhookTestEvent } from "./schemas/webhooks.ts";

/** A delivery is not the service's, or is too old: answer it with a 400. */
export class WebhookError extends Error {
  override readonly name = "WebhookError";
}

/** The headers of a request, as a server has them: names in lower case. */
export type WebhookHeaders = Pick<Headers, "get"> | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Clocks may differ by so much, so that what somebody recorded cannot be sent again later. */
const TOLERANCE_MS = 5 * 60_000;
const PREFIX = "whsec_";

/**
 * The event of a delivery that the service made. `body` is what came, to the byte: verify it before anything parses it.
 * `secret` is the endpoint's, or several of which one must fit. Throws a WebhookError.
 */
async function verify(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
): Promise<WebhookEvent | WebhookTestEvent> {
  const read = (name: string): string => {
    const value = typeof headers.get === "function" ? headers.get(name) : (headers as Record<string, unknown>)[name];
    if (typeof value !== "string" || value === "") throw new WebhookError(`The header ${name} is missing`);
    return value;
  };
  const [id, timestamp] = [read("webhook-id"), read("webhook-timestamp")];
  const signatures = read("webhook-signature")
    .split(" ")
    .flatMap((one) => (one.startsWith("v1,") ? [one.slice(3)] : []));
  const sentMs = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) * 1000 : Number.NaN;
  if (!(Math.abs(Date.now() - sentMs) <= TOLERANCE_MS)) throw new WebhookError("The timestamp is too far from now");
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  const secrets = typeof secret === "string" ? [secret] : secret;
  for (const one of secrets) {
    const key = await crypto.subtle.importKey("raw", keyOf(one), { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
    for (const signature of signatures) {
      const bytes = fromBase64(signature);
      // The comparison takes the same time whatever differs.
      if (bytes !== undefined && (await crypto.subtle.verify("HMAC", key, bytes, signed)))
        return JSON.parse(text) as WebhookEvent | WebhookTestEvent;
    }
  }
  throw new WebhookError("No signature is by this secret");
}

function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const key = secret.startsWith(PREFIX) ? fromBase64(secret.slice(PREFIX.length)) : undefined;
  if (key === undefined || key.length === 0) throw new TypeError("A secret must be whsec_ and base64");
  return key;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** Functions for receivers of webhooks. */
export const webhooks = { verify };
