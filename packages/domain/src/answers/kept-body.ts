import type { PaymentIntent } from "../intents/payment-intent.ts";
import type { Metadata } from "../metadata.ts";
import { toIntentAnswer } from "./intent-answer.ts";

/** The body of a submit's answer as text: the key that submitted gets these very bytes for 24 hours (H6). */
export const toKeptBody = (intent: PaymentIntent, metadata: Metadata | undefined): string =>
  JSON.stringify({ data: toIntentAnswer(intent, { metadata }) });

/** A kept body with its data changed. */
export function changeKeptBody(body: string, change: (data: object) => object): string {
  const { data } = JSON.parse(body) as { data: object };
  return JSON.stringify({ data: change(data) });
}
