import type { PartyDetails } from "./party.ts";
import type { PaymentIntent } from "./payment-intent.ts";

/**
 * Who pays, for the rail's duplicate check: the saved party, else the lower-cased email, else the tenant where the tenant
 * pays, else a digest of what is known of the payer, so that two strangers without an address are not taken for one.
 * `digestOf` makes a text unreadable, the same one always in the same way.
 */
export function payerKeyOf(
  { payer, tenantId }: Pick<PaymentIntent, "payer" | "tenantId">,
  details: PartyDetails,
  digestOf: (text: string) => string,
): string {
  return (
    payer.partyId ??
    details.email?.toLowerCase() ??
    (payer.role === "tenant" ? tenantId : `details:${digestOf(canonicalOf(details))}`)
  );
}

/** The same text for the same details, whatever their order and case. */
const canonicalOf = (details: PartyDetails): string =>
  JSON.stringify(
    Object.entries(details)
      .map(([field, value]) => [field, value.normalize("NFC").toLowerCase()])
      .toSorted(([left = ""], [right = ""]) => (left < right ? -1 : 1)),
  );
