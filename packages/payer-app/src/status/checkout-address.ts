import type { Language } from "../messages/languages.ts";

/**
 * The address of a checkout. One of this very service, as the sandbox's are, is told the language of the page; a rail's
 * own address stays as the rail gave it.
 */
export function checkoutAddress(url: string, language: Language): string {
  if (!url.startsWith(`${location.origin}/`)) return url;
  const address = new URL(url);
  address.searchParams.set("lang", language);
  return address.href;
}
