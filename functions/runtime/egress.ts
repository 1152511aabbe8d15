import type { Egress } from "@intents/execution/webhooks/egress.ts";
import { settings } from "./environment.ts";

/** The addresses that webhooks may be sent to. */
export const egress: Egress = {
  isLocal: settings.STAGE === "local",
  own: [settings.BASE_URL, settings.PAYER_APP_URL].map((url) => new URL(url).hostname),
};
