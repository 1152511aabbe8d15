import type { Failure } from "@intents/domain/failure.ts";
import { fail } from "@intents/domain/result.ts";
import { releaseLink } from "../links/hold.ts";
import type { Run } from "../run.ts";
import { findOperated, type Operated, type Operation, operatorOf, SUBMITTING } from "./operation.ts";

/** Opens a held single-use link again, if the rail calls off the payment that holds it. */
export async function releaseLinkByHand(run: Run, operation: Operation): Promise<Operated> {
  const found = await findOperated(run, operation);
  if (!found.ok) return found;
  const wish = { actor: operatorOf(operation), cause: operation.reason };
  const released = await releaseLink(run, found.value, wish);
  return released.ok ? released : fail(sentenceOf(released.failure));
}

function sentenceOf(failure: Failure): string {
  switch (failure.kind) {
    case "wrong_status":
      return `The intent is ${failure.status}: only a published link can be released`;
    case "link_closed":
      return "The link has been paid and is closed";
    case "money_received":
      return "The payer's money came in: the payment that holds the link is delivered, or fails, by its rail alone";
    case "in_flight":
      return SUBMITTING;
    default:
      return "The rail did not call the payment off: it may be paid at any moment";
  }
}
