import { fitsMinorUnits, isDecimal } from "@intents/domain/amounts/money.ts";
import { isObject } from "@intents/domain/fields.ts";
import { isCurrency } from "@intents/domain/reference/currency.ts";
import { deliveryModes } from "@intents/domain/scenarios/scenario.ts";
import * as z from "zod";
import { PartyDetailsInput } from "./party-details.ts";
import { lazily } from "./route.ts";
import { amount, externalId, id, metadata, metadataChanges, ORDER_MAX, text, variantId } from "./shapes.ts";
import {
  AmountMode,
  CountryCode,
  CurrencyCode,
  PayerRole,
  Purpose,
  RecipientRole,
  SplitRole,
  UseCase,
} from "./vocabulary.ts";

/** A caller may ask about `payment_link_submission`, but create none: only a payer's session makes such intents. */
const callersDeliveryModes = deliveryModes.filter((mode) => mode !== "payment_link_submission");

const party = () =>
  z.strictObject({
    role: PayerRole(),
    partyId: id("The `_id` of a saved student or payer").exactOptional(),
    details: PartyDetailsInput().exactOptional(),
  });
const Subject = lazily(() =>
  party().meta({
    id: "SubjectInput",
    description: "Whom a payment is for, by id or by details, where that is not the payer",
  }),
);

/** The payer of an intent. A party contradicts the role of a link's payer, whom nobody knows yet. */
const Payer = lazily(() =>
  party()
    .refine((value) => value.partyId === undefined, namesNobody("partyId"))
    .refine((value) => value.details === undefined, namesNobody("details"))
    .meta({
      id: "IntentPayerInput",
      description: "Who pays, by id or by details; of `unknown_link_payer` neither is given",
    }),
);

const namesNobody = (field: string) => ({
  path: [field],
  message: "must not be given for the role unknown_link_payer",
  when: ({ value }: { value: unknown }) => isObject(value) && value["role"] === "unknown_link_payer",
});

const RecipientAmount = lazily(() =>
  z
    .strictObject({
      payerAmount: amount("What the payer pays for this recipient").exactOptional(),
      payeeAmount: amount("What this recipient receives").exactOptional(),
      currency: CurrencyCode().exactOptional(),
      portionBps: z
        .int()
        .min(1, "must be at least 1")
        .max(10_000, "must be at most 10000")
        .describe("The recipient's share of what a link's payer enters, in basis points: 10000 is all of it")
        .exactOptional(),
    })
    .refine(fitsItsCurrency("payerAmount", "payeeAmount"), tooManyDecimals("payerAmount"))
    .refine(fitsItsCurrency("payeeAmount", "payerAmount"), tooManyDecimals("payeeAmount"))
    .meta({
      id: "RecipientAmountInput",
      description: "What a recipient gets. The scenario's amount mode says which of the fields it takes",
    }),
);

/** Checks an amount's decimals where it stands alone. Of two amounts only the rule knows which is in `currency`. */
function fitsItsCurrency(field: "payerAmount" | "payeeAmount", other: "payerAmount" | "payeeAmount") {
  return (value: { payerAmount?: string; payeeAmount?: string; currency?: string }): boolean => {
    const { [field]: stated = "", [other]: otherAmount, currency = "" } = value;
    if (otherAmount !== undefined || !isDecimal(stated) || !isCurrency(currency)) return true;
    return fitsMinorUnits(stated, currency);
  };
}

const tooManyDecimals = (field: string) => ({
  path: [field],
  message: "has more decimals than its currency",
  when: ({ value }: { value: unknown }) =>
    isObject(value) && typeof value[field] === "string" && typeof value["currency"] === "string",
});

const Recipient = lazily(() =>
  z
    .strictObject({
      role: RecipientRole().exactOptional(),
      order: z
        .int()
        .min(0, "must be at least 0")
        .max(ORDER_MAX, `must be at most ${ORDER_MAX}`)
        .describe("Its place; by default the one in the array")
        .exactOptional(),
      connectorPayeeId: z.int().describe("The numeric id of a payee").exactOptional(),
      splitRole: SplitRole().exactOptional(),
      purposeProofDocumentId: id("A document that proves the purpose, for this payment only").exactOptional(),
      reference: text(140, "What the payee's bank shows").exactOptional(),
      externalId: externalId().exactOptional(),
      purpose: Purpose().exactOptional(),
      amount: RecipientAmount().exactOptional(),
    })
    .meta({
      id: "RecipientInput",
      description: "Who is paid how much. A draft may leave out anything; a dry-run tells what submit needs",
    }),
);

const ManualPayment = lazily(() =>
  z
    .strictObject({
      quoteId: id("The quote at whose rates it is paid").exactOptional(),
      selectedQuoteVariantId: variantId().exactOptional(),
      purpose: Purpose().exactOptional(),
      countryCode: CountryCode().exactOptional(),
      payerIdentityDocumentId: id("A document that shows who the payer is, for this payment only").exactOptional(),
      quotePayoutOrderConfirmed: z
        .boolean()
        .describe("The caller has checked that the quote's `payouts` are in the recipients' order")
        .exactOptional(),
    })
    .meta({ id: "ManualPaymentInput", description: "What a single payment needs" }),
);

const PaymentLink = lazily(() =>
  z
    .strictObject({
      reference: text(140, "What the payees' banks show").exactOptional(),
      payFromCountryCode: CountryCode().exactOptional(),
      lockedFields: z
        .array(z.enum(["pay_from_country"]))
        .describe("What payers of the link cannot change")
        .exactOptional(),
      isSingleUse: z.boolean().describe("The link closes with its first successful payment").exactOptional(),
    })
    .meta({ id: "PaymentLinkInput", description: "What a payment link needs" }),
);

/** The body of a draft. */
export const IntentBody = lazily(() =>
  z
    .strictObject({
      useCase: UseCase(),
      deliveryMode: z.enum(callersDeliveryModes).describe("How the payment is made"),
      amountMode: AmountMode(),
      name: text(120, "The tenant's own name for it").exactOptional(),
      externalId: externalId().exactOptional(),
      payer: Payer(),
      subject: Subject().exactOptional(),
      recipients: z
        .array(Recipient())
        .max(RECIPIENTS_MAX, `must have at most ${RECIPIENTS_MAX} entries`)
        .describe("Who is paid; one of them, some of them a split, or the people of a batch")
        .exactOptional(),
      instructions: z
        .strictObject({
          manualPayment: ManualPayment().exactOptional(),
          paymentLink: PaymentLink().exactOptional(),
          reissue: z
            .strictObject({
              paymentIntentId: id(
                "The intent that is paid again: it has ended, and money of it failed or came back",
              ).exactOptional(),
            })
            .describe("What paying again needs")
            .exactOptional(),
        })
        .describe("How it is to be paid, by the way in which it is delivered")
        .exactOptional(),
      metadata: metadata().exactOptional(),
      termsAccepted: z.literal(true).describe("The caller has accepted the terms: only `true` is taken"),
    })
    .meta({
      id: "PaymentIntentInput",
      description: "A draft: it may be incomplete, and is judged by dry-run and submit",
    }),
);

/** All that a caller can change of an intent, at any time. */
export const IntentChanges = lazily(() =>
  z
    .strictObject({ metadata: metadataChanges() })
    .meta({ id: "PaymentIntentChanges", description: "What is left out stays; null removes a key" }),
);

/** The most recipients that a draft may hold. How many of them a rail takes is checked as a requirement. */
const RECIPIENTS_MAX = 500;
