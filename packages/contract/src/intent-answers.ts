import * as z from "zod";
import { ConnectorPayment, Execution, ExecutionPlan } from "./executions.ts";
import { PartyDetails } from "./party-details.ts";
import { lazily } from "./route.ts";
import { count, givenExternalId, givenMetadata, money, plainText, rate, timestamp } from "./shapes.ts";
import {
  AmountMode,
  CountryCode,
  CurrencyCode,
  DeliveryMode,
  IntentStatus,
  PayerRole,
  Purpose,
  RecipientRole,
  ReviewReason,
  SplitRole,
  UseCase,
} from "./vocabulary.ts";

const Party = lazily(() =>
  z
    .object({
      role: PayerRole(),
      partyId: plainText("The `_id` of a saved student or payer").exactOptional(),
      details: PartyDetails().exactOptional(),
    })
    .meta({ id: "IntentParty", description: "A payer or subject, as it was stated" }),
);

const Recipient = lazily(() =>
  z
    .object({
      role: RecipientRole().exactOptional(),
      order: z.int().describe("Its place; by default the one in the array").exactOptional(),
      connectorPayeeId: z.int().describe("The payee").exactOptional(),
      splitRole: SplitRole().exactOptional(),
      purposeProofDocumentId: plainText("A document that proves the purpose").exactOptional(),
      reference: plainText("What the payee's bank shows").exactOptional(),
      externalId: givenExternalId().exactOptional(),
      purpose: Purpose().exactOptional(),
      amount: z
        .object({
          payerAmount: money("What the payer pays for this recipient").exactOptional(),
          payeeAmount: money("What this recipient receives").exactOptional(),
          currency: CurrencyCode().exactOptional(),
          portionBps: z.int().describe("Its share of what a link's payer enters, in basis points").exactOptional(),
        })
        .meta({ id: "RecipientAmount", description: "The amounts as they were stated" })
        .exactOptional(),
    })
    .meta({ id: "Recipient", description: "Who is paid, as it was stated" }),
);

const Instructions = lazily(() =>
  z
    .object({
      manualPayment: z
        .object({
          quoteId: plainText("The quote at whose rates it is paid").exactOptional(),
          selectedQuoteVariantId: z.int().describe("The way to pay that was chosen").exactOptional(),
          purpose: Purpose().exactOptional(),
          countryCode: CountryCode().exactOptional(),
          payerIdentityDocumentId: plainText("A document that shows who the payer is").exactOptional(),
          quotePayoutOrderConfirmed: z.boolean().describe("The order of the payouts was checked").exactOptional(),
        })
        .meta({ id: "ManualPayment", description: "What a single payment needs" })
        .exactOptional(),
      paymentLink: z
        .object({
          reference: plainText("What the payees' banks show").exactOptional(),
          payFromCountryCode: CountryCode().exactOptional(),
          lockedFields: z
            .array(z.enum(["pay_from_country"]))
            .describe("What payers cannot change")
            .exactOptional(),
          isSingleUse: z.boolean().describe("The link closes with its first successful payment").exactOptional(),
        })
        .meta({ id: "PaymentLink", description: "What a payment link needs" })
        .exactOptional(),
      reissue: z
        .object({ paymentIntentId: plainText("The failed or cancelled intent that is paid again").exactOptional() })
        .meta({ id: "Reissue", description: "What paying again needs" })
        .exactOptional(),
    })
    .meta({ id: "Instructions", description: "How it is to be paid, as it was stated" }),
);

const Correction = lazily(() =>
  z
    .object({
      number: count("Counts the corrections of the payment; of several about one recipient the highest holds"),
      at: timestamp("When it was made"),
      executionId: plainText("The execution that it is about"),
      order: count("The recipient's place"),
      outcome: z
        .enum(["arrived", "cameBack", "neverMoved"])
        .describe("The payee has the money; it came back; or it never moved"),
      payerAmount: money("What the payer paid for this recipient"),
      payerCurrency: CurrencyCode(),
      payeeAmount: money("What this recipient gets"),
      payeeCurrency: CurrencyCode(),
    })
    .meta({ id: "Correction", description: "What has become of a recipient's money, as an operator found out" }),
);

const UnderReview = lazily(() =>
  z
    .object({
      since: timestamp("Since when an operator is to look into it"),
      about: z.array(ReviewReason()).describe("How the rail's word and the books disagree"),
    })
    .meta({
      id: "UnderReview",
      description: "There while an operator looks into what has become of the money. Nothing pays it again meanwhile",
    }),
);

export const Intent = lazily(() =>
  z
    .object({
      id: plainText("Names the intent; sorts by its creation"),
      status: IntentStatus(),
      useCase: UseCase(),
      deliveryMode: DeliveryMode(),
      amountMode: AmountMode(),
      name: plainText("The tenant's own name for it").exactOptional(),
      externalId: givenExternalId().exactOptional(),
      payer: Party(),
      subject: Party().exactOptional(),
      recipients: z.array(Recipient()).describe("Who is paid"),
      instructions: Instructions().exactOptional(),
      metadata: givenMetadata().exactOptional(),
      termsAccepted: z.literal(true).describe("The caller has accepted the terms"),
      publicLinkId: plainText("The token of the link, under which payers find it").exactOptional(),
      createdFrom: z
        .object({ paymentIntentId: plainText("The link") })
        .meta({ id: "CreatedFrom", description: "The link by which a payer made the intent" })
        .exactOptional(),
      payerChoice: z
        .object({
          quoteId: plainText("The quote that the payer got"),
          selectedQuoteVariantId: z.int().describe("The way to pay that the payer chose"),
          settlementMethod: plainText("Its name, as in the quote").exactOptional(),
          fxRate: rate("What 1 of the payer's currency is in the payee's, by the quote").exactOptional(),
          countryCode: CountryCode(),
          documentIds: z.array(z.string()).describe("The documents that the payer uploaded"),
        })
        .meta({ id: "PayerChoice", description: "What the payer of a link chose" })
        .exactOptional(),
      hold: z
        .object({
          paymentIntentId: plainText("The payment"),
          until: timestamp(
            "When the rail is asked to call it off, if it was not paid by then; none once the payer's money came in",
          ).exactOptional(),
        })
        .meta({ id: "LinkHold", description: "The payment that keeps other payers from a single-use link" })
        .exactOptional(),
      linkClosedAt: timestamp("When the first successful payment closed a single-use link").exactOptional(),
      underReview: UnderReview().exactOptional(),
      corrections: z
        .array(Correction())
        .describe("What operators have found out about the money afterwards, the newest 50, the oldest of them first")
        .exactOptional(),
      createdAt: timestamp("When it was created"),
      updatedAt: timestamp("When it last changed"),
      createdBy: plainText("The user of the key that created it, or `payer`"),
      statusHistory: z
        .array(
          z
            .object({ status: IntentStatus(), at: timestamp("Since when"), by: plainText("Who caused it") })
            .meta({ id: "StatusStep", description: "A status that the intent came to" }),
        )
        .describe("The newest 50 steps, the oldest of them first"),
      executions: z.array(Execution()).describe("The attempts to move the money, the newest last"),
      executionPlan: ExecutionPlan().exactOptional(),
      connectorPayment: ConnectorPayment().exactOptional(),
      lastConnectorPaymentId: z.int().describe("The payment id of the newest execution").exactOptional(),
      lastPaymentLinkUrl: plainText("Where payers open the link").exactOptional(),
      lastExecutionConnector: plainText("The rail of the newest execution").exactOptional(),
      bulkProgress: z
        .object({
          total: count("The recipients"),
          completed: count("Those who were paid"),
          failed: count("Those who could not be paid"),
          cancelled: count("Those who were never paid, because the batch was stopped").exactOptional(),
        })
        .meta({ id: "BatchProgress", description: "How far a batch is, in recipients" })
        .exactOptional(),
    })
    .meta({ id: "PaymentIntent", description: "A payment, from its draft to its end" }),
);
export const IntentItem = lazily(() =>
  Intent()
    .extend({
      _id: plainText("The same as `id`"),
      name: z.string().nullable().describe("The tenant's own name; null for a link without one").exactOptional(),
    })
    .meta({ id: "PaymentIntentItem", description: "A payment intent in a list" }),
);
