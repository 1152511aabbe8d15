import type { NextAction, PaymentTerms, Session } from "./wire.ts";

// What survives a reload: in this window only, and gone when it is closed. Where a browser keeps nothing, or forbids it,
// the page works without.

const keyOf = (paymentIntentId: string): string => `payment:${paymentIntentId}`;
const termsKeyOf = (paymentIntentId: string): string => `terms:${paymentIntentId}`;

/** What a window knows of a payment: how it goes on, and what was agreed. */
export type Remembered = Readonly<{ nextAction: NextAction; payment: PaymentTerms | undefined }>;

export function remember({ paymentIntentId, nextAction, payment }: Session): void {
  keep(keyOf(paymentIntentId), JSON.stringify(nextAction));
  keep(termsKeyOf(paymentIntentId), JSON.stringify(payment));
}

/** What this window was told of a payment, if it was. */
export function recall(paymentIntentId: string): Remembered | undefined {
  const nextAction = readJson<NextAction>(keyOf(paymentIntentId));
  return nextAction && { nextAction, payment: readJson<PaymentTerms>(termsKeyOf(paymentIntentId)) };
}

/**
 * Keeps the language that the address names. Where it names none, as on the way back from a checkout, returns the one
 * that was kept.
 */
export function keepLanguage(search: string): string | undefined {
  const asked = new URLSearchParams(search).get("lang");
  if (asked === null) return read("lang");
  keep("lang", asked);
  return undefined;
}

function keep(key: string, value: string): void {
  try {
    sessionStorage.setItem(key, value);
  } catch {
    // Switched off, or full.
  }
}

function readJson<Value>(key: string): Value | undefined {
  const kept = read(key);
  return kept === undefined ? undefined : (JSON.parse(kept) as Value);
}

function read(key: string): string | undefined {
  try {
    return sessionStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}
