import { payeeRoutes } from "@intents/contract/payees.ts";
import { newNumericId } from "@intents/domain/ids.ts";
import { isVisible, toPayeeAnswer } from "@intents/domain/parties/payee.ts";
import { tenantPayeeId } from "@intents/domain/parties/tenant.ts";
import { fail, ok } from "@intents/domain/result.ts";
import { endpoint } from "@intents/http/endpoint.ts";
import { parseListQuery } from "@intents/http/lists/query.ts";
import { addPayee, findPayee } from "@intents/storage/parties/payees.ts";
import { findApiKey, getTenant } from "@intents/storage/parties/tenants.ts";
import { random, table } from "./runtime/environment.ts";
import { gate } from "./runtime/gate.ts";
import { listPage } from "./runtime/list-page.ts";

/** The draws of a new payee's id: it is drawn again if it is taken, which hardly ever happens. */
const ID_TRIES_MAX = 5;

export const handler = endpoint(
  "payees",
  payeeRoutes,
  {
    createPayee: async ({ caller, body, nowMs }) => {
      for (let tries = 0; tries < ID_TRIES_MAX; tries++) {
        const createdAt = new Date(nowMs).toISOString();
        const { kind, ...fields } = body;
        const stated = { ...fields, ...(kind !== undefined && { kind }) };
        const payee = { id: newNumericId(nowMs, random), ...stated, tenantId: caller.tenantId, createdAt };
        if (await addPayee(table, payee, true)) return ok(toPayeeAnswer(payee));
      }
      throw new Error("No free payee id found");
    },

    listPayees: (request) => listPage("PAYEE", request),

    getPayee: async ({ caller, params }) => {
      const payee = await findPayee(table, params.id);
      if (payee === undefined || !isVisible(payee, caller.tenantId))
        return fail({ kind: "not_found", resource: "payee" });
      return ok(toPayeeAnswer(payee));
    },

    getMe: async ({ caller }) => {
      const [key, tenant] = await Promise.all([findApiKey(table, caller.clientId), getTenant(table, caller.tenantId)]);
      if (key === undefined) return fail({ kind: "unauthorized" });
      const { name, countryCode, currencyCode } = tenant;
      return ok({
        id: key.userId,
        name: key.userName,
        clientId: key.clientId,
        permissions: key.permissions,
        tenant: { name, countryCode, currencyCode },
        paymentAccess: { tenantId: tenantPayeeId(caller.tenantId) },
      });
    },
  },
  { gate, parseList: parseListQuery },
);
