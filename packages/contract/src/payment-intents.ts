import { fitsMinorUnits, isDecimal } from "@intents/domain/amounts/money.ts";
import { intentStatuses } from "@intents/domain/intents/statuses.ts";
import { isCurrency } from "@intents/domain/reference/currency.ts";
import {
  amountModes,
  deliveryModes,
  payerRoles,
  purposes,
  recipientRoles,
  splitRoles,
  useCases,
} from "@intents/domain/scenarios/scenario.ts";
import * as z from "zod";
import { partyDetails } from "./parties.ts";
import { defineRoutes, lazily } from "./route.ts";
import { amount, countryCode, currencyCode, id, text, timestamp, variantId } from "./shapes.ts";

/** A caller may ask about `payment_link_submission`, but create none: only a payer's session makes such intents. */
const callersDeliveryModes = deliveryModes.filter((mode) => mode !== "payment_link_submission");

const ScenarioQuestion = lazily(() =>
  z.strictObject({
    useCase: z.enum(useCases),
    deliveryMode: z.enum(deliveryModes),
    amountMode: z.enum(amountModes),
    payer: z.strictObject({ role: z.enum(payerRoles) }),
  }),
);

const party = () =>
  z.strictObject({
    role: z.enum(payerRoles),
    partyId: id().exactOptional(),
    details: partyDetails().exactOptional(),
  });

/** The payer of an intent. A party contradicts the role of a link's payer, whom nobody knows yet. */
const payer = () =>
  party()
    .refine((value) => value.partyId === undefined, namesNobody("partyId"))
    .refine((value) => value.details === undefined, namesNobody("details"));

const namesNobody = (field: string) => ({
  path: [field],
  message: "must not be given for the role unknown_link_payer",
  when: ({ value }: { value: unknown }) => isObject(value) && value["role"] === "unknown_link_payer",
});

const recipientAmount = () =>
  z
    .strictObject({
      payerAmount: amount().exactOptional(),
      payeeAmount: amount().exactOptional(),
      currency: currencyCode().exactOptional(),
      portionBps: z.int().min(1, "must be at least 1").max(10_000, "must be at most 10000").exactOptional(),
    })
    .refine(fitsItsCurrency("payerAmount", "payeeAmount"), tooManyDecimals("payerAmount"))
    .refine(fitsItsCurrency("payeeAmount", "payerAmount"), tooManyDecimals("payeeAmount"));

/** Checks an amount's decimals where it stands alone. Of two amounts only the rule knows which is in `currency`. */
function fitsItsCurrency(field: "payerAmount" | "payeeAmount", other: "payerAmount" | "payeeAmount") {
  return (value: { payerAmount?: string; payeeAmount?: string; currency?: string }): boolean => {
    const { [field]: stated = "", [other]: beside, currency = "" } = value;
    if (beside !== undefined || !isDecimal(stated) || !isCurrency(currency)) return true;
    return fitsMinorUnits(stated, currency);
  };
}

const tooManyDecimals = (field: string) => ({
  path: [field],
  message: "has more decimals than its currency",
  when: ({ value }: { value: unknown }) =>
    isObject(value) && typeof value[field] === "string" && typeof value["currency"] === "string",
});

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

const recipient = () =>
  z.strictObject({
    role: z.enum(recipientRoles).exactOptional(),
    order: z.int().min(0, "must be at least 0").exactOptional(),
    connectorPayeeId: z.int().exactOptional(),
    splitRole: z.enum(splitRoles).exactOptional(),
    purposeProofDocumentId: id().exactOptional(),
    reference: text(140).exactOptional(),
    purpose: z.enum(purposes).exactOptional(),
    amount: recipientAmount().exactOptional(),
  });

const manualPayment = () =>
  z.strictObject({
    quoteId: id().exactOptional(),
    selectedQuoteVariantId: variantId().exactOptional(),
    purpose: z.enum(purposes).exactOptional(),
    countryCode: countryCode().exactOptional(),
    payerIdentityDocumentId: id().exactOptional(),
    quotePayoutOrderConfirmed: z.boolean().exactOptional(),
  });

const paymentLink = () =>
  z.strictObject({
    reference: text(140).exactOptional(),
    payFromCountryCode: countryCode().exactOptional(),
    lockedFields: z.array(z.enum(["pay_from_country"])).exactOptional(),
    isSingleUse: z.boolean().exactOptional(),
  });

const IntentBody = lazily(() =>
  z.strictObject({
    useCase: z.enum(useCases),
    deliveryMode: z.enum(callersDeliveryModes),
    amountMode: z.enum(amountModes),
    name: text(120).exactOptional(),
    payer: payer(),
    subject: party().exactOptional(),
    recipients: z.array(recipient()).max(RECIPIENTS_MAX, `must have at most ${RECIPIENTS_MAX} entries`).exactOptional(),
    instructions: z
      .strictObject({
        manualPayment: manualPayment().exactOptional(),
        paymentLink: paymentLink().exactOptional(),
        reissue: z.strictObject({ paymentIntentId: id().exactOptional() }).exactOptional(),
      })
      .exactOptional(),
    termsAccepted: z.literal(true),
  }),
);

/** The most recipients that a draft may hold. How many of them a rail takes is checked as a requirement. */
const RECIPIENTS_MAX = 500;

const Intent = lazily(() =>
  z
    .looseObject({
      id: z.string(),
      status: z.enum(intentStatuses),
      useCase: z.enum(useCases),
      deliveryMode: z.enum(deliveryModes),
      amountMode: z.enum(amountModes),
      payer: z.looseObject({ role: z.enum(payerRoles) }),
      recipients: z.array(z.looseObject({})),
      executions: z.array(z.looseObject({ connectorPaymentIds: z.array(z.int()) })),
      statusHistory: z.array(z.looseObject({ status: z.enum(intentStatuses), at: timestamp() })),
      createdAt: timestamp(),
      updatedAt: timestamp(),
    })
    .meta({ id: "PaymentIntent" }),
);
const Evaluation = lazily(() =>
  z
    .looseObject({
      rule: z.looseObject({
        status: z.enum(["enabled", "blocked", "contract_gated"]),
        missingRequirements: z.array(z.string()),
      }),
      connector: z.looseObject({ provider: z.string(), action: z.string(), version: z.string() }),
      limits: z.looseObject({ maxRecipients: z.int() }),
      controls: z.looseObject({
        acceptedLimitations: z.array(z.string()),
        allowedRecipientRoles: z.array(z.string()),
        allowedSplitRoles: z.array(z.string()),
        ignored: z.array(z.string()).meta({ description: "Dotted paths of what is stated and has no effect" }),
      }),
      requirements: z.array(z.looseObject({ path: z.string(), reason: z.string(), satisfiedBy: z.string() })),
    })
    .meta({ id: "Evaluation" }),
);

const exampleIntent = {
  useCase: "education_provider_tuition",
  deliveryMode: "manual",
  amountMode: "payer_fixed",
  payer: { role: "student", details: { firstName: "Ana", lastName: "Silva", email: "ana.silva@example.com" } },
  recipients: [{ role: "education_provider", connectorPayeeId: 5001, amount: { payerAmount: "5000.00" } }],
  instructions: { manualPayment: { purpose: "undergraduate", countryCode: "BR" } },
  termsAccepted: true,
};

export const paymentIntentRoutes = defineRoutes({
  createPaymentIntent: {
    on: "POST /v2/payment-intents",
    group: "payment-intents",
    summary: "Create a draft; every call makes another one",
    auth: "key",
    body: IntentBody,
    answers: { status: 201, data: Intent, location: "payment-intents/{id}" },
    example: exampleIntent,
  },
  listPaymentIntents: {
    on: "GET /v2/payment-intents",
    group: "payment-intents",
    summary: "List payment intents, newest first",
    auth: "key",
    query: { list: "INTENT" },
    answers: { status: 200, list: "paymentIntents", item: Intent },
  },
  getPaymentIntent: {
    on: "GET /v2/payment-intents/{id}",
    group: "payment-intents",
    summary: "Get a payment intent",
    auth: "key",
    answers: { status: 200, data: Intent },
    errors: ["not_found"],
  },
  previewRequirements: {
    on: "POST /v2/payment-intents/requirements",
    group: "payment-intents",
    summary: "What a scenario will need; stores nothing",
    auth: "key",
    body: ScenarioQuestion,
    answers: { status: 200, data: Evaluation },
    example: {
      useCase: "education_provider_tuition",
      deliveryMode: "manual",
      amountMode: "payer_fixed",
      payer: { role: "student" },
    },
  },
  dryRunPaymentIntent: {
    on: "POST /v2/payment-intents/{id}/dry-run",
    group: "payment-intents",
    summary: "Judge an intent as submit would, without changing it",
    auth: "key",
    answers: { status: 200, data: Evaluation },
    errors: ["not_found"],
  },
  compilePaymentIntent: {
    on: "POST /v2/payment-intents/{id}/draft",
    group: "payment-intents",
    summary: "Compile the execution plan of a draft and store it",
    auth: "key",
    answers: { status: 200, data: Intent },
    errors: ["not_found", "requirements", "permission", "wrong_status", "in_flight"],
  },
  submitPaymentIntent: {
    on: "POST /v2/payment-intents/{id}/submit",
    group: "payment-intents",
    summary: "Pay: exactly once, however often it is called",
    auth: "key",
    idempotency: "by_key",
    answers: { status: 200, data: Intent },
    errors: [
      "not_found",
      "requirements",
      "permission",
      "wrong_status",
      "in_flight",
      "in_recovery",
      "duplicate_transaction",
      "key_reused",
      "quote_expired",
      "outcome_unknown",
      "rail_refused",
      "rail_unavailable",
      "busy",
    ],
  },
});
