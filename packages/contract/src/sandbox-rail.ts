import * as z from "zod";
import { integer } from "./parameters.ts";
import { defineRoutes, lazily } from "./route.ts";
import { money, plainText, timestamp } from "./shapes.ts";
import { CurrencyCode } from "./vocabulary.ts";

const SandboxLeg = lazily(() =>
  z
    .object({
      order: z.int().describe("The recipient's place"),
      payeeId: z.int().describe("Who is paid"),
      payeeName: plainText("The payee's name"),
      payerAmount: money("What the payer pays for it"),
      payeeAmount: money("What the payee receives"),
      payeeCurrency: CurrencyCode(),
      reference: plainText("What the payee's bank shows").exactOptional(),
      outcome: z.enum(["cleared", "failed"]).describe("How it ended, once it has").exactOptional(),
      reason: plainText("Why it failed").exactOptional(),
      delayedUntil: timestamp("Until when a tester keeps it from arriving").exactOptional(),
    })
    .meta({ id: "SandboxLeg", description: "One recipient's part of a simulated payment" }),
);

const SandboxPayment = lazily(() =>
  z
    .object({
      rail: z.string().meta({ description: "Which simulated rail holds it", examples: ["sandbox", "sandbox-bank"] }),
      executionId: plainText("The execution that it carries out"),
      railPaymentId: plainText("The rail's own id"),
      paymentIntentId: plainText("The intent that is paid"),
      connectorPaymentId: z.int().describe("The payment id, which the payer quotes as the bank reference"),
      settlementMethod: plainText("The payment method"),
      currency: CurrencyCode(),
      totalAmount: money("What the payer sends in all, in `currency`"),
      acceptedAt: timestamp("When the rail took it"),
      status: z.enum(["pending", "received", "settled", "cancelled"]).describe("How it stands with the rail"),
      checkoutUrl: plainText("Where it is paid, if on a page").exactOptional(),
      fundingReference: plainText("The deposit of the batch that it is part of").exactOptional(),
      legs: z.array(SandboxLeg()).describe("Its recipients"),
    })
    .meta({ id: "SandboxPayment", description: "A payment as a simulated rail holds it" }),
);
export const SandboxPayments = lazily(() =>
  z
    .object({ payments: z.array(SandboxPayment()).describe("The newest first") })
    .meta({ id: "SandboxPayments", description: "What the simulated rails hold for a tenant" }),
);

/** How many payments are listed at most. */
const PAYMENTS_MAX = 1000;

const PaymentsQuestion = lazily(() =>
  z.strictObject({
    executionId: plainText("Only the payment of this execution").exactOptional(),
    limit: integer(1, PAYMENTS_MAX).default(100).describe("At most so many"),
  }),
);

const CheckoutFields = lazily(() => z.object({ outcome: z.enum(["pay", "decline"]).describe("What the payer does") }));

const CheckoutParameters = lazily(() =>
  z.object({ lang: z.string().describe("The language of the page").exactOptional() }),
);

/** The simulated rails' own pages: local and sandbox stages only. */
export const sandboxRailRoutes = defineRoutes({
  listSandboxPayments: {
    on: "GET /sandbox/payments",
    group: "sandbox-rail",
    summary: "What the simulated rails hold for this tenant, newest first; `executionId` and `limit` narrow it",
    description: "For testers: what a real rail would know.",
    auth: "key",
    parameters: PaymentsQuestion,
    answers: { status: 200, data: SandboxPayments },
  },
  showCheckout: {
    on: "GET /sandbox/checkout/{token}",
    group: "sandbox-rail",
    summary: "The simulated rail's checkout page",
    description:
      "For browsers: where a card payment of the sandbox is paid or declined, in the language that they ask for or that `lang` names.",
    auth: "public",
    limit: "public_link",
    parameters: CheckoutParameters,
    answers: { status: 200, page: "text/html" },
    errors: ["not_found"],
  },
  finishCheckout: {
    on: "POST /sandbox/checkout/{token}",
    group: "sandbox-rail",
    summary: "Pay or decline: form field `outcome`",
    description: "What the buttons of the checkout page send.",
    auth: "public",
    limit: "public_link",
    parameters: CheckoutParameters,
    form: "urlencoded",
    fields: CheckoutFields,
    answers: { status: 200, page: "text/html" },
    errors: ["not_found"],
  },
});
