import type { Failure } from "@intents/domain/failure.ts";
import { fail } from "@intents/domain/result.ts";
import { releaseLink } from "../payer-sessions/hold.ts";
import type { Run } from "../run.ts";
import type { Obstacle } from "./obstacle.ts";
import { findOperated, type Operated, type Operation, operatorOf } from "./operation.ts";

/** Opens a held single-use link again, if the rail calls off the payment that holds it. */
export async function releaseLinkByHand(run: Run, operation: Operation): Promise<Operated> {
  const found = await findOperated(run, operation);
  if (!found.ok) return found;
  const wish = { actor: operatorOf(operation), cause: operation.reason };
  const released = await releaseLink(run, found.value, wish);
  return released.ok ? released : fail(obstacleIn(released.failure));
}

function obstacleIn(failure: Failure): Obstacle {
  switch (failure.kind) {
    case "wrong_status":
      return { kind: "not_published", status: failure.status };
    case "link_closed":
      return { kind: "link_closed" };
    case "money_received":
      return { kind: "link_money_received" };
    case "in_flight":
      return { kind: "submitting" };
    default:
      return { kind: "not_called_off" };
  }
}
