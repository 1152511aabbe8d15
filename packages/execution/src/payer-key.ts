import { createHash } from "node:crypto";
import type { PartyDetails } from "@intents/domain/party.ts";
import { payerKeyOf } from "@intents/domain/payer-key.ts";
import type { PaymentIntent } from "@intents/domain/payment-intent.ts";

/** Who pays `intent`, as the rail is told: nobody reads a stranger's details off it. */
export const payerKeyFor = (intent: PaymentIntent, payer: PartyDetails): string => payerKeyOf(intent, payer, sha256);

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
