// Written from docs/openapi.json by `pnpm openapi`, and never by hand.

import type { CommissionsMethods } from "./commissions.ts";
import type { DocumentsMethods } from "./documents.ts";
import type { LookupMethods } from "./lookup.ts";
import type { DocumentReadsMethods, PayersMethods, StudentsMethods } from "./parties.ts";
import type { PayeesMethods, UsersMethods } from "./payees.ts";
import type { EventsMethods, PaymentIntentsMethods } from "./payment-intents.ts";
import type { FxRateMethods, QuotesMethods } from "./rates.ts";
import type { SandboxMethods } from "./sandbox-rail.ts";
import type { WebhookEndpointsMethods } from "./webhooks.ts";

/** Every resource with its methods. `routes` has the rows that they are made from. */
export type Resources = {
  readonly payees: PayeesMethods;
  readonly users: UsersMethods;
  readonly students: StudentsMethods;
  readonly payers: PayersMethods;
  readonly documentReads: DocumentReadsMethods;
  readonly documents: DocumentsMethods;
  readonly fxRate: FxRateMethods;
  readonly quotes: QuotesMethods;
  readonly lookup: LookupMethods;
  readonly paymentIntents: PaymentIntentsMethods;
  readonly events: EventsMethods;
  readonly webhookEndpoints: WebhookEndpointsMethods;
  readonly commissions: CommissionsMethods;
  readonly sandbox: SandboxMethods;
};
