import type { NextAction } from "../api/wire.ts";
import type { Language } from "../messages/languages.ts";

/**
 * The address of a payment's checkout, if it has one; only web pages may become a link. An address of this very service,
 * as the sandbox's are, is told the language of the page; a rail's own address stays as the rail gave it.
 */
export function checkoutAddress(next: NextAction | undefined, language: Language): string | undefined {
  if (next?.type !== "redirect" || !/^https?:\/\//i.test(next.url)) return undefined;
  if (!next.url.startsWith(`${location.origin}/`)) return next.url;
  const address = new URL(next.url);
  address.searchParams.set("lang", language);
  return address.href;
}
