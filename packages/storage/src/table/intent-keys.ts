import { digits } from "./digits.ts";

/** The keys of an intent's records. Code that writes them has names of its own, because many only read (Decision 023). */
export function intentKeysOf(tenantId: string) {
  const own = (id: string, sort: string) => ({ PK: `T#${tenantId}#INTENT#${id}`, SK: sort });
  const legOf = (id: string, order: number) => own(id, `LEG#${digits(order, 9)}`);
  return {
    intent: (id: string) => own(id, "INTENT"),
    writtenIntent: (id: string) => own(id, "INTENT"),
    /** The same for code that gives it the timer or watch that it lacks, and nothing else. */
    awaitedIntent: (id: string) => own(id, "INTENT"),
    /** The exact answer of the submit that executed the intent (H6). */
    response: (id: string) => own(id, "RESPONSE"),
    leg: legOf,
    writtenLeg: legOf,
  };
}
