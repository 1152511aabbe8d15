// The memory of this window survives a reload and the way to a checkout; that of the browser survives the window. The
// page also works in a browser that keeps nothing or forbids it: the address alone leads back to a payment.

/**
 * The secret of a payment, and when the page first asked for the payment with it, milliseconds since 1970. `cameBack`:
 * its payer has come back from its checkout.
 */
export type Kept = Readonly<{ secret: string; askedAtMs?: number; cameBack?: boolean }>;

type Where = "window" | "browser";

const keyOf = (token: string): string => `payment:${token}`;

/** Remembers the payment of a link. */
export const remember = (token: string, kept: Kept, where: Where): void =>
  void use(where, (storage) => storage.setItem(keyOf(token), JSON.stringify(kept)));

/** The payment of a link that is remembered, if any is. */
export const recall = (token: string, where: Where): Kept | undefined =>
  use(where, (storage) => JSON.parse(storage.getItem(keyOf(token)) ?? "null") as Kept | null) ?? undefined;

export function forget(token: string): void {
  for (const where of ["window", "browser"] as const) use(where, (storage) => storage.removeItem(keyOf(token)));
}

/** The values of the form that survive a reload in this window: none of a person. `amount` is a decimal string. */
export type KeptEntry = Readonly<{ amount?: string; country?: string; method?: string | undefined }>;

export const keepEntry = (token: string, entry: KeptEntry): void =>
  void use("window", (storage) => storage.setItem(`entry:${token}`, JSON.stringify(entry)));

export const recallEntry = (token: string): KeptEntry =>
  use("window", (storage) => JSON.parse(storage.getItem(`entry:${token}`) ?? "null") as KeptEntry | null) ?? {};

/**
 * Keeps the language that the address names. Where it names none, as on the way back from a checkout, returns the one
 * that was kept.
 */
export function keepLanguage(search: string): string | undefined {
  const asked = new URLSearchParams(search).get("lang");
  if (asked === null) return use("window", (storage) => storage.getItem("lang")) ?? undefined;
  use("window", (storage) => storage.setItem("lang", asked));
  return undefined;
}

function use<Value>(where: Where, action: (storage: Storage) => Value): Value | undefined {
  try {
    return action(where === "window" ? sessionStorage : localStorage);
  } catch {
    // The browser's storage is switched off, full, or was written to by somebody else.
    return undefined;
  }
}
