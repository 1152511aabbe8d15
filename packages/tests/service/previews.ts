import type { Client, ErrorBody } from "./client.ts";
import type { Evaluation } from "./tuition.ts";

export type Money = Readonly<{ currency: string; amount: string }>;
export type Leg = Readonly<Record<string, unknown>>;
export type Preview = Readonly<{
  hash: string;
  validUntil?: string;
  debited: readonly Money[];
  charged: readonly Money[];
  delivered: readonly Money[];
  commission?: Money & Readonly<{ spread: string }>;
  legs: readonly Leg[];
}>;

const dryRun = (client: Client, id: string) =>
  client.must<Evaluation & Readonly<{ preview?: Preview }>>("POST", `/v2/payment-intents/${id}/dry-run`);

/** The preview of a draft that lacks nothing. */
export async function previewOf(client: Client, id: string): Promise<Preview> {
  const { preview, requirements } = await dryRun(client, id);
  if (preview === undefined) throw new Error(`${id} has no preview: ${JSON.stringify(requirements)}`);
  return preview;
}

/** Submits a draft with a `Preview-Hash`. */
export const submitHeld = <Body = ErrorBody>(client: Client, id: string, hash: string, key: string) =>
  client.call<Body>("POST", `/v2/payment-intents/${id}/submit`, {
    headers: { "Idempotency-Key": key, "Preview-Hash": hash },
  });
