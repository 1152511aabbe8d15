import * as z from "zod";
import { TransactionBankDetails } from "./executions.ts";
import { LinkPayerDetails } from "./party-details.ts";
import { lazily } from "./route.ts";
import { id, money, plainText, rate, timestamp, variantId } from "./shapes.ts";
import { CurrencyCode, IntentStatus, MoneyState } from "./vocabulary.ts";

// Requests and answers of payers about their own payment.

/** A payment by a link names at most this many documents. */
const DOCUMENTS_MAX = 10;

export const Held = lazily(() =>
  z
    .object({ until: timestamp("When the link opens again if nothing is paid; it may come earlier or later") })
    .meta({ id: "Hold", description: "A payment was begun, and keeps others from the link" }),
);

export const PayerSessionBody = lazily(() =>
  z
    .strictObject({
      payerDetails: LinkPayerDetails(),
      quoteId: id("The quote that the payer got"),
      selectedQuoteVariantId: variantId(),
      documentIds: z
        .array(id("The `documentId` of an upload on this link"))
        .max(DOCUMENTS_MAX, `must have at most ${DOCUMENTS_MAX} entries`)
        .default([])
        .describe("Documents that show who the payer is"),
    })
    .meta({ id: "PayerSessionInput", description: "Who pays, and how" }),
);
export const PaymentMethod = lazily(() => z.enum(["redirect", "bank_transfer"]).describe("How it is paid"));

const NextAction = lazily(() =>
  z
    .discriminatedUnion("type", [
      z
        .object({
          type: z.literal("redirect").describe("Which action it is"),
          url: z.url().describe("Where to send the payer"),
        })
        .meta({ id: "RedirectAction", description: "The payer pays on a page of the rail" }),
      z
        .object({
          type: z.literal("bank_transfer").describe("Which action it is"),
          transactionBankDetails: TransactionBankDetails(),
          reference: plainText("What the payer must quote, so that the deposit is found"),
          amount: money("What to deposit, in `currency`"),
          currency: CurrencyCode(),
          dueDate: z.iso.date().describe("The day by which the deposit must arrive"),
        })
        .meta({ id: "BankTransferAction", description: "The payer transfers the money" }),
    ])
    .describe("What the payer does next; left out once the payment has ended, is under review, or its money came in"),
);

/** The terms that a payer agreed to, and one recipient's part. */
const termsFields = () => ({
  amount: money("What the payer pays in all, `feesAndCharges` included, in `currency`"),
  feesAndCharges: money("What of `amount` the link's `recipients` do not receive"),
  currency: CurrencyCode(),
});
const paidFields = () => ({ amount: money("What they receive"), currency: CurrencyCode(), money: MoneyState() });

/** The review of a payment as its payer is told of it. */
export const LookedInto = lazily(() =>
  z
    .object({ since: timestamp("When that began") })
    .meta({ id: "LookedInto", description: "Somebody finds out what has become of the money: do not pay again" }),
);

export const PayerSession = lazily(() =>
  z
    .object({
      paymentIntentId: plainText("Names the payment, also for its status"),
      status: IntentStatus(),
      underReview: LookedInto().exactOptional(),
      checkoutUrl: z.url().describe("The page of the rail on which it is paid, beside `nextAction`").exactOptional(),
      nextAction: NextAction().exactOptional(),
      receivedAt: timestamp("When the rail told that the payer's money came in").exactOptional(),
      payment: z
        .object({
          ...termsFields(),
          recipients: z
            .array(z.object(paidFields()).meta({ id: "PaidRecipient", description: "One of the link's `recipients`" }))
            .min(1)
            .describe("What each of the link's `recipients` receives, in their order"),
        })
        .meta({ id: "PayerTerms", description: "What was agreed" }),
    })
    .meta({ id: "PayerSession", description: "A payment by a link, begun" }),
);

export const PayerPayment = lazily(() =>
  z
    .object({
      paymentIntentId: plainText("Names the payment, also for its status"),
      status: IntentStatus(),
      underReview: LookedInto().exactOptional(),
      startedAt: timestamp("When it was begun"),
      receivedAt: timestamp("When the rail told that the payer's money came in").exactOptional(),
      endedAt: timestamp("When it ended, in whatever way").exactOptional(),
      payer: z.object({ name: plainText("First and last name") }).meta({ id: "PayerName", description: "Who pays" }),
      paymentMethod: PaymentMethod(),
      money: MoneyState().exactOptional(),
      settlementMethod: plainText("The way to pay that was chosen, as in the quote").exactOptional(),
      fromCurrency: CurrencyCode(),
      toCurrency: CurrencyCode(),
      rate: rate("What 1 of `fromCurrency` is in `toCurrency`, where they differ").exactOptional(),
      reference: plainText("What the payment is for, in the tenant's words").exactOptional(),
      bankReference: plainText("What a bank transfer must quote, so that it is found").exactOptional(),
      sentTo: z
        .object({
          beneficiaryName: plainText("The account's holder"),
          accountEnding: plainText("The last characters of the account's number"),
        })
        .meta({ id: "SentTo", description: "The account of a bank transfer, to know it again on a statement" })
        .exactOptional(),
      payment: z
        .object({
          ...termsFields(),
          recipients: z
            .array(
              z
                .object({ name: plainText("Who is paid"), ...paidFields() })
                .meta({ id: "PaidLinkRecipient", description: "One of the link's `recipients`, by name" }),
            )
            .min(1)
            .describe("What each of the link's `recipients` receives, in their order"),
        })
        .meta({ id: "PayerPaymentTerms", description: "What was agreed" }),
      nextAction: NextAction().exactOptional(),
      held: Held().exactOptional(),
    })
    .meta({ id: "PayerPayment", description: "A payment by a link, as the payer who began it sees it again" }),
);

export const HoldBody = lazily(() =>
  z
    .strictObject({
      willTransfer: z.boolean().describe("Whether the payer promises to make the bank transfer").exactOptional(),
    })
    .meta({ id: "SignOfLife", description: "The payer is still there" }),
);
