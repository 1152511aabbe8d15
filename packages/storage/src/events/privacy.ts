import type { StatusChange } from "@intents/domain/events/status-change.ts";
import { notPersonal, type Privacy } from "@intents/domain/privacy/erasure.ts";
import type { Changed } from "./events.ts";

export const eventPrivacy: Privacy<Changed & Readonly<{ changes: readonly StatusChange[] }>> = {
  ...notPersonal("tenantId", "about", "atMs", "step"),
  externalId: "removed",
  changes: notPersonal("of", "id", "status", "orders", "news"),
};
