import { payerKeyOf } from "@intents/domain/intents/payer-key.ts";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import type { PartyDetails } from "@intents/domain/parties/party.ts";
import { sha256 } from "./sha256.ts";

/** The payer of `intent` as the rail is told: a key that reveals none of the payer's details. */
export const payerKeyFor = (intent: PaymentIntent, payer: PartyDetails): string => payerKeyOf(intent, payer, sha256);
