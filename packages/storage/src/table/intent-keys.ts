import { digits } from "./digits.ts";

/** The keys of an intent's records. */
export function intentKeysOf(tenantId: string) {
  const own = (id: string, sort: string) => ({ PK: `T#${tenantId}#INTENT#${id}`, SK: sort });
  return {
    intent: (id: string) => own(id, "INTENT"),
    /** The exact answer of the submit that executed the intent (H6). */
    response: (id: string) => own(id, "RESPONSE"),
    leg: (id: string, order: number) => own(id, `LEG#${digits(order, 9)}`),
  };
}
