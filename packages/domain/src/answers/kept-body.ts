import type { PaymentIntent } from "../intents/payment-intent.ts";
import type { Metadata } from "../metadata.ts";
import { type IntentAnswer, toIntentAnswer } from "./intent-answer.ts";

/** The body of a submit's answer as text: the key that submitted gets these very bytes for 24 hours (H6). */
export const toKeptBody = (intent: PaymentIntent, metadata: Metadata | undefined): string =>
  JSON.stringify({ data: toIntentAnswer(intent, { metadata }) });

/** A kept body with its data changed. */
export function changeKeptBody(body: string, change: (data: IntentAnswer) => IntentAnswer): string {
  const { data } = JSON.parse(body) as { data: IntentAnswer };
  return JSON.stringify({ data: change(data) });
}
