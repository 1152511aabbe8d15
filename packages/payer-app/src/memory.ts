import type { NextAction } from "./wire.ts";

// What survives a reload: in this window only, and gone when it is closed. Where a browser keeps nothing, or forbids it,
// the page works without.

const keyOf = (paymentIntentId: string): string => `payment:${paymentIntentId}`;

/** Keeps how a payment goes on. */
export const remember = (paymentIntentId: string, action: NextAction): void =>
  keep(keyOf(paymentIntentId), JSON.stringify(action));

/** How a payment goes on, if this window was told. */
export function recall(paymentIntentId: string): NextAction | undefined {
  const kept = read(keyOf(paymentIntentId));
  return kept === undefined ? undefined : (JSON.parse(kept) as NextAction);
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

function read(key: string): string | undefined {
  try {
    return sessionStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}
