import { permissions } from "@intents/domain/parties/caller.ts";
import * as z from "zod";
import { defineRoutes, lazily } from "./route.ts";
import { countryCode, currencyCode, NAME_MAX, payeeId, text, timestamp } from "./shapes.ts";

const PayeeBody = lazily(() =>
  z.strictObject({ name: text(NAME_MAX), countryCode: countryCode(), currencyCode: currencyCode() }),
);
const Payee = lazily(() =>
  z
    .looseObject({
      id: z.int(),
      name: z.string(),
      countryCode: z.string(),
      currencyCode: z.string(),
      createdAt: timestamp(),
    })
    .meta({ id: "Payee" }),
);
const PayeeParams = lazily(() => z.object({ id: payeeId() }));
const Me = lazily(() =>
  z
    .looseObject({
      id: z.string(),
      name: z.string(),
      clientId: z.string(),
      permissions: z.array(z.enum(permissions)),
      tenant: z.looseObject({ name: z.string(), countryCode: z.string(), currencyCode: z.string() }),
      paymentAccess: z.looseObject({ tenantId: z.int() }),
    })
    .meta({ id: "Me" }),
);

export const payeeRoutes = defineRoutes({
  createPayee: {
    on: "POST /v2/payees",
    group: "payees",
    summary: "Register a payee of one's own",
    auth: "key",
    body: PayeeBody,
    answers: { status: 201, data: Payee, location: "payees/{id}" },
    example: { name: "Harbour Supplies Ltd", countryCode: "GB", currencyCode: "GBP" },
  },
  listPayees: {
    on: "GET /v2/payees",
    group: "payees",
    summary: "List one's own payees, newest first",
    auth: "key",
    query: { list: "PAYEE" },
    answers: { status: 200, list: "payees", item: Payee },
  },
  getPayee: {
    on: "GET /v2/payees/{id}",
    params: PayeeParams,
    group: "payees",
    summary: "Get a payee of one's own, or one of the public directory",
    auth: "key",
    answers: { status: 200, data: Payee },
    errors: ["not_found"],
  },
  getMe: {
    on: "GET /v2/users/me",
    group: "payees",
    summary: "Who the key belongs to, and the tenant id to use as the tenant's payee",
    auth: "key",
    answers: { status: 200, data: Me },
  },
});
