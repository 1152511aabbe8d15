import type { PartyDetails } from "../parties/party.ts";
import type { PaymentIntent } from "./payment-intent.ts";

/**
 * The payer's key in the rail's duplicate check: the saved party, else the lower-cased email, else the tenant where the
 * tenant pays, else a digest of the payer's details, so that two strangers without an email are not taken for one.
 * `digestOf` hashes a text.
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
