import type { PaymentIntent } from "@intents/domain/payment-intent.ts";
import { toPublicPayment } from "@intents/domain/payment-link-submission.ts";
import { findIntent } from "@intents/storage/intents.ts";
import { table } from "./environment.ts";

/** No id that we issue is longer, and longer ones could not be keys. */
const ID_LENGTH_MAX = 128;

/** How a payment by `link` stands, for whoever knows its id; undefined where there is none of that link. */
export async function findLinkPayment(link: PaymentIntent, childId: string) {
  const child = childId.length > ID_LENGTH_MAX ? undefined : await findIntent(table, link.tenantId, childId);
  return child?.ok && child.value.createdFrom?.paymentIntentId === link.id ? toPublicPayment(child.value) : undefined;
}
