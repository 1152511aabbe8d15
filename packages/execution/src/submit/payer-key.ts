import { createHash } from "node:crypto";
import { payerKeyOf } from "@intents/domain/intents/payer-key.ts";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import type { PartyDetails } from "@intents/domain/parties/party.ts";

/** Who pays `intent`, as the rail is told: nobody reads a stranger's details off it. */
export const payerKeyFor = (intent: PaymentIntent, payer: PartyDetails): string => payerKeyOf(intent, payer, sha256);

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
