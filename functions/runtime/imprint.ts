import { type Imprint, imprintOf, type ShownImprint } from "@intents/domain/parties/imprint.ts";
import { remembered } from "@intents/http/limits/remembered.ts";
import { findTenant } from "@intents/storage/parties/tenants.ts";
import { settings, table } from "./environment.ts";

const stage: Imprint = {
  ...(settings.LEGAL_NAME !== undefined && { legalName: settings.LEGAL_NAME }),
  ...(settings.LICENCE !== undefined && { licence: settings.LICENCE }),
  ...(settings.SUPPORT_CONTACT !== undefined && { supportContact: settings.SUPPORT_CONTACT }),
  ...(settings.PRIVACY_URL !== undefined && { privacyUrl: settings.PRIVACY_URL }),
  ...(settings.TERMS_URL !== undefined && { termsUrl: settings.TERMS_URL }),
  ...(settings.COMPLAINTS_URL !== undefined && { complaintsUrl: settings.COMPLAINTS_URL }),
};

const known = remembered(async (tenantId) => imprintOf(stage, await findTenant(table, tenantId)));

/** The imprint for payers of a tenant's links, as it was ten seconds ago at most; without a tenant the stage's alone. */
export const findImprint = (tenantId: string | undefined, nowMs: number): ShownImprint | Promise<ShownImprint> =>
  tenantId === undefined ? imprintOf(stage) : known(tenantId, nowMs);
