import type { NextAction, PaymentTerms, Session } from "../api/wire.ts";

// This memory survives a reload. It is this window's own, and is gone when the window is closed. The page also works in
// a browser that keeps nothing or forbids it.

const keyOf = (paymentIntentId: string): string => `payment:${paymentIntentId}`;
const termsKeyOf = (paymentIntentId: string): string => `terms:${paymentIntentId}`;

/** A window's memory of a payment: the payer's next action, and the agreed amounts. */
export type Remembered = Readonly<{ nextAction: NextAction; payment: PaymentTerms | undefined }>;

export function remember({ paymentIntentId, nextAction, payment }: Session): void {
  keep(keyOf(paymentIntentId), JSON.stringify(nextAction));
  keep(termsKeyOf(paymentIntentId), JSON.stringify(payment));
}

/** This window's memory of a payment; undefined where it has none. */
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
    // The browser's storage is switched off or full.
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
