import * as z from "zod";
import { integer } from "./parameters.ts";
import { defineRoutes, lazily } from "./route.ts";

const SandboxLeg = () =>
  z.looseObject({
    order: z.int(),
    payeeId: z.int(),
    payeeName: z.string(),
    payerAmount: z.string(),
    payeeAmount: z.string(),
    payeeCurrency: z.string(),
    reference: z.string().exactOptional(),
  });

const SandboxPayment = lazily(() =>
  z
    .looseObject({
      rail: z.string().meta({ description: "Which simulated rail holds it", examples: ["sandbox", "sandbox-bank"] }),
      executionId: z.string(),
      railPaymentId: z.string(),
      paymentIntentId: z.string(),
      connectorPaymentId: z.int(),
      settlementMethod: z.string(),
      currency: z.string(),
      totalAmount: z.string().meta({ description: "What the payer sends in all, in `currency`" }),
      acceptedAt: z.iso.datetime(),
      status: z.enum(["pending", "settled", "cancelled"]),
      checkoutUrl: z.string().exactOptional(),
      fundingReference: z.string().exactOptional().meta({ description: "The deposit of the batch that it is part of" }),
      legs: z.array(SandboxLeg()),
    })
    .meta({ id: "SandboxPayment" }),
);

/** How many payments are listed at most. */
const PAYMENTS_MAX = 1000;

const PaymentsQuestion = lazily(() =>
  z.object({
    executionId: z.string().exactOptional(),
    limit: integer(1, PAYMENTS_MAX).default(100),
  }),
);

const CheckoutFields = lazily(() => z.object({ outcome: z.enum(["pay", "decline"]) }));

/** The simulated rails' own pages: local and sandbox stages only. */
export const sandboxRailRoutes = defineRoutes({
  listSandboxPayments: {
    on: "GET /sandbox/payments",
    group: "sandbox-rail",
    summary: "What the simulated rails hold for this tenant, newest first; `executionId` and `limit` narrow it",
    auth: "key",
    parameters: PaymentsQuestion,
    answers: { status: 200, data: lazily(() => z.looseObject({ payments: z.array(SandboxPayment()) })) },
  },
  showCheckout: {
    on: "GET /sandbox/checkout/{token}",
    group: "sandbox-rail",
    summary: "The simulated rail's checkout page",
    auth: "public",
    limit: "public_link",
    answers: { status: 200, page: "text/html" },
    errors: ["not_found"],
  },
  finishCheckout: {
    on: "POST /sandbox/checkout/{token}",
    group: "sandbox-rail",
    summary: "Pay or decline: form field `outcome`",
    auth: "public",
    limit: "public_link",
    form: "urlencoded",
    fields: CheckoutFields,
    answers: { status: 200, page: "text/html" },
    errors: ["not_found"],
  },
});
