import { openGate } from "@intents/http/limits/gate.ts";
import { openKeyUses } from "@intents/http/limits/key-uses.ts";
import { openRateLimiter } from "@intents/http/limits/rate-limiter.ts";
import { remembered } from "@intents/http/limits/remembered.ts";
import { type SourceOf, sourceAddressOf } from "@intents/http/limits/source-address.ts";
import { writeKeyUse } from "@intents/storage/parties/key-uses.ts";
import { findSuspension } from "@intents/storage/parties/suspensions.ts";
import { findApiKey } from "@intents/storage/parties/tenants.ts";
import { settings, table, windows } from "./environment.ts";

const limiterSettings = { limits: { global: settings.RATE_LIMIT_PER_SECOND }, budgetMs: settings.RATE_LIMIT_BUDGET_MS };

/** The address that a request of this stage comes from. */
export const sourceOf: SourceOf = (event) => sourceAddressOf(event, settings.ORIGIN_SECRET);

const noteUse = openKeyUses((clientId, day) => writeKeyUse(windows, clientId, day));

/** Whether a tenant is suspended, as it was ten seconds ago at most. */
export const isSuspended = remembered(async (tenantId) => (await findSuspension(table, tenantId)) !== undefined);

/** Whether a key was revoked, as of ten seconds ago at most. */
const isRevoked = remembered(async (clientId) => (await findApiKey(table, clientId))?.revokedAt !== undefined);

/** The gate before every handler of this container: limits of keys, revocations, suspensions, maintenance and the rate limits. */
export const gate = openGate({
  table,
  limiter: openRateLimiter(windows, limiterSettings),
  sourceOf,
  noteUse,
  isSuspended,
  isRevoked,
});
