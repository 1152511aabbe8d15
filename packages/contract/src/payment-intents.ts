import { Evaluation, ScenarioQuestion } from "./evaluation.ts";
import { Intent, IntentItem } from "./intent-answers.ts";
import { IntentBody, IntentChanges } from "./intent-bodies.ts";
import { CompiledIntent, DryRun } from "./previews.ts";
import { defineRoutes } from "./route.ts";

const exampleIntent = {
  useCase: "education_provider_tuition",
  deliveryMode: "manual",
  amountMode: "payer_fixed",
  payer: { role: "student", details: { firstName: "Ana", lastName: "Silva", email: "ana.silva@example.com" } },
  recipients: [{ role: "education_provider", connectorPayeeId: 5001, amount: { payerAmount: "5000.00" } }],
  instructions: { manualPayment: { purpose: "undergraduate", countryCode: "BR" } },
  termsAccepted: true,
};

const common = { group: "payment-intents", auth: "key" } as const;

export const paymentIntentRoutes = defineRoutes({
  createPaymentIntent: {
    ...common,
    on: "POST /v2/payment-intents",
    summary: "Create a draft; every call makes another one",
    description:
      "Nothing is paid, and nothing has to be complete: a dry-run tells what submit still needs. A retry makes a second draft. Drafts that are left alone are cancelled after a while.",
    body: IntentBody,
    answers: { status: 201, data: Intent, location: "payment-intents/{id}" },
    example: exampleIntent,
  },
  listPaymentIntents: {
    ...common,
    on: "GET /v2/payment-intents",
    summary: "List payment intents, newest first",
    description:
      "The tenant's intents, links and the payments by them included. To follow many payments, list what changed, as it is said at the top.",
    query: { list: "INTENT" },
    answers: { status: 200, list: "paymentIntents", item: IntentItem },
  },
  getPaymentIntent: {
    ...common,
    on: "GET /v2/payment-intents/{id}",
    summary: "Get a payment intent",
    description:
      "Poll it until its status is final: `Retry-After` says when to ask again. Of a batch it shows every recipient.",
    answers: { status: 200, data: Intent, polled: true },
    errors: ["not_found"],
  },
  updatePaymentIntent: {
    ...common,
    on: "PATCH /v2/payment-intents/{id}",
    summary: "Change the metadata of a payment intent",
    description:
      "At any time, whatever its status. Metadata stand beside the payment: neither its `updatedAt` nor its timeline changes, and no event tells of it. Keys that are left out stay; null removes one.",
    body: IntentChanges,
    answers: { status: 200, data: Intent },
    errors: ["not_found", "stale"],
    example: { metadata: { costCentre: "4711", approvedBy: null } },
  },
  previewRequirements: {
    ...common,
    on: "POST /v2/payment-intents/requirements",
    summary: "What a scenario will need; stores nothing",
    description:
      "The judgement of an intent with nothing filled in: which rule matches, what the rail takes, and what will have to be stated.",
    scope: "read",
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
    ...common,
    on: "POST /v2/payment-intents/{id}/dry-run",
    summary: "Judge an intent as submit would, without changing it",
    description:
      "Says everything that keeps the intent from being submitted, with a value that would meet it. An empty list of requirements means that a submit at this moment would pay: `preview` says what.",
    scope: "read",
    answers: { status: 200, data: DryRun },
    errors: ["not_found"],
  },
  compilePaymentIntent: {
    ...common,
    on: "POST /v2/payment-intents/{id}/draft",
    summary: "Compile the execution plan of a draft and store it",
    description: "What a submit would do now. A submit plans anew; the `hash` of the `preview` holds it to this.",
    answers: { status: 200, data: CompiledIntent },
    errors: ["not_found", "requirements", "under_review", "permission", "wrong_status", "in_flight"],
  },
  releasePaymentLink: {
    ...common,
    on: "POST /v2/payment-intents/{id}/release-hold",
    summary: "Open a held single-use link again",
    description:
      "Asks the rail to call off the payment that a payer has begun and not paid. Succeeds once it has, or if nobody holds the link.",
    answers: { status: 200, data: Intent },
    errors: ["not_found", "wrong_status", "link_closed", "in_flight", "hold_kept", "money_received", "busy"],
  },
  submitPaymentIntent: {
    ...common,
    on: "POST /v2/payment-intents/{id}/submit",
    summary: "Pay: exactly once, however often it is called",
    description:
      "Sends the payment to the rail, publishes a link, or begins a batch. Send an Idempotency-Key, and repeat the request with the same one when the answer is lost: the first answer comes again, and nothing is paid twice. With a Preview-Hash nothing is done unless it is what that preview showed.",
    scope: "pay",
    idempotency: "by_key",
    heldToPreview: true,
    answers: { status: 200, data: Intent, polled: true },
    errors: [
      "not_found",
      "requirements",
      "under_review",
      "permission",
      "wrong_status",
      "in_flight",
      "in_recovery",
      "preview_changed",
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
