import type { Gate } from "@intents/http/limits/gate.ts";

/** The gate of pages that are the same for everybody and touch no store: they stay readable during maintenance. */
export const ungated: Gate = () => ({ headers: {} });
