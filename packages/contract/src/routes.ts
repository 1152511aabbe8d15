import { commissionRoutes } from "./commissions.ts";
import { docsRoutes } from "./docs.ts";
import { documentReadRoutes } from "./document-reads.ts";
import { documentRoutes } from "./documents.ts";
import { eventRoutes } from "./events.ts";
import { homeRoutes } from "./home.ts";
import { lookupRoutes } from "./lookup.ts";
import { openApiRoutes } from "./openapi.ts";
import { partyRoutes } from "./parties.ts";
import { payeeRoutes } from "./payees.ts";
import { payerPageRoutes } from "./payer-page.ts";
import { paymentIntentRoutes } from "./payment-intents.ts";
import { paymentLinkRoutes } from "./payment-links.ts";
import { rateRoutes } from "./rates.ts";
import { reservedRoutes } from "./reserved.ts";
import type { Route } from "./route.ts";
import { sandboxRailRoutes } from "./sandbox-rail.ts";
import { sandboxTestingRoutes } from "./sandbox-testing.ts";
import { timelineRoutes } from "./timeline.ts";
import { webhookEndpointRoutes } from "./webhooks.ts";

/** Every endpoint of the service. */
export const routes: Readonly<Record<string, Route>> = {
  ...payeeRoutes,
  ...partyRoutes,
  ...documentReadRoutes,
  ...documentRoutes,
  ...rateRoutes,
  ...lookupRoutes,
  ...paymentIntentRoutes,
  ...timelineRoutes,
  ...eventRoutes,
  ...webhookEndpointRoutes,
  ...paymentLinkRoutes,
  ...payerPageRoutes,
  ...homeRoutes,
  ...docsRoutes,
  ...commissionRoutes,
  ...openApiRoutes,
  ...reservedRoutes,
  ...sandboxRailRoutes,
  ...sandboxTestingRoutes,
};
