import { kept, notPersonal, type Privacy } from "../privacy/erasure.ts";
import { orderPrivacy } from "../privacy/order.ts";
import type { BatchLeg } from "./batch.ts";

export const legPrivacy: Privacy<BatchLeg> = {
  ...notPersonal("order", "executionId", "status", "attempt", "leaseUntilMs", "fxRate", "triedAtMs"),
  ...notPersonal("claimedAtMs", "waiting", "held", "toldAtMs", "railPaymentId", "acceptedAtMs", "receivedAtMs"),
  ...notPersonal("deposited", "isOwedBack", "expectedSettlementMs", "ended"),
  payment: orderPrivacy,
  reason: kept.cause,
  trouble: kept.cause,
};
