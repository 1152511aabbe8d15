import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { canonicalOf, type PlannedWork, type Preview, previewOf } from "@intents/domain/previews/preview.ts";
import type { Facts } from "@intents/domain/requirements/finding.ts";
import { sha256 } from "./sha256.ts";

/** A preview as callers see it: the planned work, and the hash that holds a submit to it. */
export type HashedPreview = Readonly<{ hash: string }> & Preview;

/** The preview of `work`, which a submit of the intent would do. */
export function hashPreview(intent: PaymentIntent, work: PlannedWork, facts: Facts): HashedPreview {
  const preview = previewOf(intent, work, facts);
  return { hash: sha256(canonicalOf(preview)), ...preview };
}
