import * as z from "zod";
import { defineRoutes, lazily } from "./route.ts";
import { name, payeeId, timestamp } from "./shapes.ts";
import { CountryCode, CurrencyCode, PayeeKind, Permission } from "./vocabulary.ts";

const payeeFields = () => ({
  name: name("The name of the account's holder"),
  countryCode: CountryCode(),
  currencyCode: CurrencyCode(),
  kind: PayeeKind().optional(),
});

const PayeeBody = lazily(() =>
  z.strictObject(payeeFields()).meta({ id: "PayeeInput", description: "A payee of the tenant's own" }),
);
const Payee = lazily(() =>
  z
    .object({
      id: z.int().describe("Names the payee in quotes and recipients"),
      ...payeeFields(),
      createdAt: timestamp("When the payee was registered"),
    })
    .meta({ id: "Payee", description: "Somebody who can be paid, in one currency" }),
);
const PayeeItem = lazily(() =>
  Payee()
    .extend({ _id: z.int().describe("The same as `id`") })
    .meta({ id: "PayeeItem", description: "A payee in a list" }),
);
const PayeeParams = lazily(() => z.object({ id: payeeId() }));
const Me = lazily(() =>
  z
    .object({
      id: z.string().describe("The user of the key"),
      name: z.string().describe("The name of that user"),
      clientId: z.string().describe("The part of the key before its colon"),
      permissions: z.array(Permission()).describe("What the key may do beyond what every key may"),
      tenant: z
        .object({
          name: z.string().describe("The tenant's name"),
          countryCode: CountryCode(),
          currencyCode: CurrencyCode(),
        })
        .describe("Who the key belongs to"),
      paymentAccess: z
        .object({ tenantId: z.int().describe("The `connectorPayeeId` of recipients whose role is `tenant`") })
        .describe("The tenant as a payee"),
    })
    .meta({ id: "Me", description: "Who calls" }),
);

const common = { group: "payees", auth: "key" } as const;

export const payeeRoutes = defineRoutes({
  createPayee: {
    ...common,
    on: "POST /v2/payees",
    summary: "Register a payee of one's own",
    description:
      "Only the tenant sees it. Education providers are in a public directory, under ids that everybody uses.",
    body: PayeeBody,
    answers: { status: 201, data: Payee, location: "payees/{id}" },
    example: { name: "Harbour Supplies Ltd", countryCode: "GB", currencyCode: "GBP", kind: "company" },
  },
  listPayees: {
    ...common,
    on: "GET /v2/payees",
    summary: "List one's own payees, newest first",
    description: "The tenant's own payees, without the public directory.",
    query: { list: "PAYEE" },
    answers: { status: 200, list: "payees", item: PayeeItem },
  },
  getPayee: {
    on: "GET /v2/payees/{id}",
    params: PayeeParams,
    group: "payees",
    summary: "Get a payee of one's own, or one of the public directory",
    description: "By its numeric id. A payee of another tenant does not exist for the caller.",
    auth: "key",
    answers: { status: 200, data: Payee },
    errors: ["not_found"],
  },
  getMe: {
    ...common,
    on: "GET /v2/users/me",
    summary: "Who the key belongs to, and the tenant id to use as the tenant's payee",
    description: "Good for a first request with a new key.",
    answers: { status: 200, data: Me },
  },
});
