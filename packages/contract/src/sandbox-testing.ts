import * as z from "zod";
import { Intent } from "./intent-answers.ts";
import { integer } from "./parameters.ts";
import { Quote } from "./rates.ts";
import { defineRoutes, lazily } from "./route.ts";
import { SandboxPayments } from "./sandbox-rail.ts";
import { count, money, ORDER_MAX, paymentId, plainText } from "./shapes.ts";
import { CountryCode } from "./vocabulary.ts";

const TestReference = lazily(() =>
  z
    .object({
      reference: plainText("The `reference` of a recipient, or of a link for all of its recipients"),
      effect: plainText("What it makes happen to a payment"),
      inBatch: plainText("What it makes happen to one recipient of a batch, who is a payment of its own"),
      answers: z
        .enum(["unreachable", "duplicate", "unknown"])
        .describe("What the rail answers to the order; after `unknown` it has taken it all the same")
        .exactOptional(),
      settlementTimes: z.number().describe("How many times the usual time the money takes").exactOptional(),
      fails: z
        .object({
          legs: z.enum(["all", "marked"]).describe("All recipients, or those with the reference"),
          reason: plainText("Why, as the intent tells it"),
        })
        .describe("Whom the money does not reach")
        .exactOptional(),
    })
    .meta({ id: "TestReference", description: "A reference by which a tester chooses what happens" }),
);

const CheckoutOutcome = lazily(() =>
  z
    .object({
      outcome: z.enum(["pay", "decline"]).describe("The field `outcome` that the page sends"),
      end: z.enum(["paid", "declined"]).describe("How the checkout ends"),
      effect: plainText("What it makes happen"),
    })
    .meta({ id: "CheckoutOutcome", description: "What a payer may do on the simulated checkout page" }),
);

const countries = (description: string) => z.array(CountryCode()).describe(description);

const SimulatedRail = lazily(() =>
  z
    .object({
      name: plainText("As `connector.provider` of a dry-run"),
      corridors: z
        .array(
          z.object({
            from: countries("Paid from one of these countries"),
            to: countries("To payees in these countries alone"),
          }),
        )
        .describe("The countries that it serves; without any it serves what the rails before it do not")
        .exactOptional(),
      maxUsd: money("The most that a payment takes, worth in US dollars"),
      maxRecipients: z
        .object({ manual: count("Of a manual payment"), link: count("Of a link"), bulk: count("Of a batch") })
        .describe("How many recipients an intent may have"),
      settleSeconds: z.number().describe("How long its transfers take, unless a tester asks for something else"),
      remembersDays: z.number().describe("How long it remembers a payment"),
    })
    .meta({ id: "SimulatedRail", description: "A simulated rail, and what it serves" }),
);

const SimulatedMethod = lazily(() =>
  z
    .object({
      settlementMethod: plainText("The method, as quotes name it"),
      settlementChannel: plainText("How the payer hands the money over"),
      uiFlow: z.enum(["bank-details", "redirect"]).describe("Whether a payer gets bank details, or a checkout page"),
      countries: countries("From where it can be paid so; without any from every country").exactOptional(),
      minUsd: money("The least that a payer sends, worth in US dollars"),
      maxUsd: money("The most that a payer sends, worth in US dollars, where the rail takes no less"),
    })
    .meta({ id: "SimulatedMethod", description: "A way to pay, from where, and how much" }),
);

const SandboxScenarios = lazily(() =>
  z
    .object({
      references: z.array(TestReference()).describe("What the reference of a recipient makes happen"),
      checkoutOutcomes: z.array(CheckoutOutcome()).describe("What a payer may do on a checkout page"),
      checkoutOpenSeconds: count("How long a checkout waits for its payer, before it ends unpaid"),
      duplicateWindowSeconds: z.number().describe("How long an equal payment is refused as a duplicate"),
      rails: z.array(SimulatedRail()).describe("The rails, in the order in which a payment's countries are looked for"),
      countriesWithoutRail: countries("No quote is made from or to these countries: [QOT0003]"),
      paymentMethods: z.array(SimulatedMethod()).describe("The ways to pay, with their countries and amounts"),
    })
    .meta({ id: "SandboxScenarios", description: "Every way to make something happen in a sandbox" }),
);

const PaymentParam = lazily(() => z.object({ connectorPaymentId: paymentId() }));

/** The length of a delay: some months. */
const DELAY_MAX_S = 9_999_999;

const legFields = () => ({
  order: integer(0, ORDER_MAX)
    .describe("Only to the recipient in this place; without it to all to whom it can still happen")
    .exactOptional(),
});
const Leg = lazily(() => z.strictObject(legFields()));
const Whole = lazily(() => z.strictObject({}));
const Delay = lazily(() =>
  z.strictObject({ seconds: integer(1, DELAY_MAX_S).describe("How long from now it does not arrive"), ...legFields() }),
);

const QuotePlace = lazily(() =>
  z.strictObject({
    token: plainText(
      "The link whose payer asked for it, by its `publicLinkId`; without it, a quote of the tenant's own",
    ).exactOptional(),
  }),
);

const payment = {
  group: "sandbox-testing",
  auth: "key",
  params: PaymentParam,
  parameters: Leg,
  answers: { status: 200, data: SandboxPayments },
  errors: ["not_found", "in_flight", "not_simulated", "cannot_happen"],
} as const;

const expiry = { group: "sandbox-testing", auth: "key" } as const;

/** The common description of all actions of testers on a payment. */
const NOW =
  "Sandbox only. The intent tells an end within a second or two after its last recipient's, and a batch each of them. A batch, by its own payment id, has it happen to all of its recipients. Asked again, the same happens once.";

/** Routes for testers: local and sandbox stages only. */
export const sandboxTestingRoutes = defineRoutes({
  listSandboxScenarios: {
    on: "GET /sandbox/scenarios",
    group: "sandbox-testing",
    summary: "Every way to make something happen: references, checkout outcomes, countries, amounts",
    description: "Sandbox only. These are the tables by which the simulated rails act.",
    auth: "key",
    answers: { status: 200, data: SandboxScenarios },
    errors: ["not_simulated"],
  },
  settleSandboxPayment: {
    ...payment,
    on: "POST /sandbox/payments/{connectorPaymentId}/settle",
    summary: "Have a payment arrive now",
    description: `${NOW} What still is open clears, whatever the recipients' references ask for. An open checkout counts as paid then, even if one recipient alone is named.`,
  },
  receiveSandboxPayment: {
    ...payment,
    on: "POST /sandbox/payments/{connectorPaymentId}/receive",
    summary: "Have the payer's money come in now, before it is delivered",
    description:
      "Sandbox only. A transfer, or the one deposit of a batch, by its own payment id, is `received`: the rail tells that the money came in, and delivers it when it would. A checkout counts as paid. The intent tells `receivedAt` within a second or two. Asked again, the same happens once.",
    parameters: Whole,
  },
  failSandboxPayment: {
    ...payment,
    on: "POST /sandbox/payments/{connectorPaymentId}/fail",
    summary: "Have a payment fail now",
    description: `${NOW} What still is open fails: one of several recipients leaves the others as they are, and a checkout that nobody has paid is declined. A recipient of a batch whom no rail has taken fails as well, though no rail has a payment of it to answer with.`,
  },
  delaySandboxPayment: {
    ...payment,
    on: "POST /sandbox/payments/{connectorPaymentId}/delay",
    summary: "Keep a payment from arriving for so many seconds from now",
    description: `${NOW} It can still be settled or failed earlier. An intent whose payment is late for long enough becomes \`requires_recovery\`.`,
    parameters: Delay,
  },
  returnSandboxPayment: {
    ...payment,
    on: "POST /sandbox/payments/{connectorPaymentId}/return",
    summary: "Have the money of a completed payment come back",
    description: `${NOW} What is final stays final: the intent keeps its status, and an operator gets a record to settle by hand.`,
  },
  expireSandboxQuote: {
    ...expiry,
    on: "POST /sandbox/quotes/{id}/expire",
    summary: "Let a quote expire now",
    description:
      "Sandbox only. A submit with it is refused from now on, as half an hour later. A quote that a payer of a link asked for is named with the link's `token`: the payer's page then asks for another.",
    parameters: QuotePlace,
    answers: { status: 200, data: Quote },
    errors: ["quote_not_found", "link_not_found"],
  },
  expireSandboxDraft: {
    ...expiry,
    on: "POST /sandbox/payment-intents/{id}/expire",
    summary: "Let a draft expire now",
    description: "Sandbox only. It is cancelled within a second or two, as after two weeks in which nobody submits it.",
    answers: { status: 200, data: Intent },
    errors: ["not_found", "wrong_status", "in_flight"],
  },
  expireSandboxHold: {
    ...expiry,
    on: "POST /sandbox/payment-links/{token}/expire-hold",
    summary: "End the time for which a payment keeps others from a single-use link",
    description:
      "Sandbox only. The rail is asked to call the payment off, as it would be later, and the link opens again within a second or two if nobody has paid. Answers with the link; one that nobody holds stays open.",
    answers: { status: 200, data: Intent },
    errors: ["link_not_found", "link_closed"],
  },
});
