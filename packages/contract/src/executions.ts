import * as z from "zod";
import { PartyDetails } from "./party-details.ts";
import { lazily } from "./route.ts";
import { money, plainText, timestamp } from "./shapes.ts";
import { CurrencyCode, LegStatus, MoneyState, SplitRole } from "./vocabulary.ts";

// Where the money of an intent is, or would be, going. Optional fields are there once there is something to tell.

const ExecutionLeg = lazily(() =>
  z
    .object({
      order: z.int().describe("The recipient's place"),
      payeeId: z.int().describe("Who is paid"),
      payeeName: plainText("The payee's name, in a batch").exactOptional(),
      splitRole: SplitRole(),
      payerAmount: money("What the payer pays for it, in `payerCurrency`"),
      payerCurrency: CurrencyCode().exactOptional(),
      payeeAmount: money("What the payee receives, in `payeeCurrency`").exactOptional(),
      payeeCurrency: CurrencyCode().exactOptional(),
      fxRate: plainText("`payeeCurrency` per 1 `payerCurrency`, in a batch").exactOptional(),
      fee: money("The rail's fee for it, in a batch, in `feeCurrency`").exactOptional(),
      feeCurrency: CurrencyCode().exactOptional(),
      reference: plainText("What the payee's bank shows, in a batch").exactOptional(),
      status: LegStatus(),
      money: MoneyState(),
      returnedAt: timestamp("When the money came back, if it is `returned`").exactOptional(),
      feeMoney: MoneyState().exactOptional(),
      connectorPaymentId: z.int().describe("Its own payment id, in a batch").exactOptional(),
      reason: plainText("Why it failed, or is not paid").exactOptional(),
      waitingUntil: timestamp("Until when it waits, because the rail took an equal payment before").exactOptional(),
      acceptedAt: timestamp("When the rail took it, in a batch").exactOptional(),
      receivedAt: timestamp("When the rail told that the money for it came in, in a batch").exactOptional(),
      endedAt: timestamp("When it ended, in a batch").exactOptional(),
      endedBy: z.enum(["rail", "operator"]).describe("Who ended it, in a batch").exactOptional(),
    })
    .meta({ id: "ExecutionLeg", description: "One recipient's part of an execution" }),
);

export const Execution = lazily(() =>
  z
    .object({
      executionId: plainText("Names the attempt"),
      connector: plainText("The rail that carries it out"),
      status: z
        .enum(["executing", "completed", "failed", "partially_completed", "cancelled"])
        .describe("How the attempt stands"),
      startedAt: timestamp("When the rail accepted it"),
      receivedAt: timestamp("When the rail told that the payer's money came in, where it tells that").exactOptional(),
      endedAt: timestamp("When it ended").exactOptional(),
      connectorPaymentIds: z.array(z.int()).describe("Its payments; a bank transfer quotes the id as its reference"),
      railPaymentId: plainText("The rail's own id, where the execution is one payment").exactOptional(),
      paymentLinkUrl: plainText("Where payers open the link").exactOptional(),
      checkoutUrl: plainText("Where the payer pays, if on a page of the rail").exactOptional(),
      payer: PartyDetails(),
      subject: PartyDetails().exactOptional(),
      currency: CurrencyCode(),
      fee: money("The rail's fee, in `currency`"),
      feeMoney: MoneyState().exactOptional(),
      legs: z
        .array(ExecutionLeg())
        .describe("The recipients; those of a batch only in the answer about that one batch")
        .exactOptional(),
      cause: plainText("Why it failed").exactOptional(),
    })
    .meta({
      id: "Execution",
      description: "One attempt to move the money. `payer` and `subject` are as they were at the submit",
    }),
);

export const TransactionBankDetails = lazily(() =>
  z
    .object({
      beneficiaryName: plainText("The account's holder"),
      accountNumber: plainText("The account's number"),
      bankName: plainText("The bank"),
      bsb: plainText("The branch, in Australia").exactOptional(),
      aba: plainText("The routing number, in the United States").exactOptional(),
      iban: plainText("The IBAN, where there is one").exactOptional(),
      swift: plainText("The bank's SWIFT code, for transfers from abroad").exactOptional(),
    })
    .meta({
      id: "TransactionBankDetails",
      description: "The account that the payer deposits to; the currency decides which of the codes there are",
    }),
);

export const ConnectorPayment = lazily(() =>
  z
    .object({
      transactionBankDetails: TransactionBankDetails(),
      reference: plainText("What the payer must quote, so that the deposit is found"),
      dueDate: z.iso.date().describe("The day by which the deposit must arrive"),
      amount: money(
        "What to deposit, in `currency`: the payouts and the fee; of a batch, what its recipients need now",
      ),
      announced: money(
        "Of a batch: the deposit as it was first announced, whatever its recipients need now",
      ).exactOptional(),
      received: money("Of a batch: all that came in, where the rail tells it").exactOptional(),
      surplus: money(
        "Of a batch: what came in and is needed no more, which is owed back to the tenant",
      ).exactOptional(),
      currency: CurrencyCode(),
      payouts: z
        .array(
          z
            .object({
              payeeName: plainText("Who is paid"),
              payerAmount: money("What of the deposit it takes, in `payerCurrency`"),
              payerCurrency: CurrencyCode().exactOptional(),
              payeeAmount: money("What the payee receives, in `payeeCurrency`"),
              payeeCurrency: CurrencyCode().exactOptional(),
              reference: plainText("What the payee's bank shows"),
            })
            .meta({ id: "Payout", description: "A recipient's share of a deposit" }),
        )
        .describe("What the deposit is for"),
    })
    .meta({ id: "ConnectorPayment", description: "The deposit of a payer who pays by bank transfer" }),
);

export const ExecutionPlan = lazily(() =>
  z
    .object({
      compiledAt: timestamp("When it was compiled"),
      connector: Connector(),
      quoteId: plainText("The quote that it goes by"),
      selectedQuoteVariantId: z.int().describe("The way to pay"),
      settlementMethod: plainText("The payment method"),
      settlementChannel: plainText("How the payer hands the money over"),
      currency: CurrencyCode(),
      totalAmount: money("What the payer pays in all, in `currency`"),
      fee: money("The rail's fee, in `currency`"),
      legs: z
        .array(
          z
            .object({
              order: z.int().describe("The recipient's place"),
              payeeId: z.int().describe("Who is paid"),
              payeeName: plainText("The payee's name, unless it is another tenant's").exactOptional(),
              payerAmount: money("What the payer pays for it, in `payerCurrency`"),
              payerCurrency: CurrencyCode().exactOptional(),
              payeeAmount: money("What the payee receives, in `payeeCurrency`"),
              payeeCurrency: CurrencyCode(),
              reference: plainText("What the payee's bank shows").exactOptional(),
            })
            .meta({ id: "PlannedLeg", description: "One recipient's part of a plan" }),
        )
        .describe("What the rail would be asked to pay"),
    })
    .meta({ id: "ExecutionPlan", description: "What `/draft` compiled. A submit plans anew" }),
);

export const Connector = lazily(() =>
  z
    .object({
      provider: plainText("The rail"),
      action: plainText("What it would do"),
      version: plainText("The version of its terms"),
    })
    .meta({ id: "Connector", description: "The rail that a payment would go to" }),
);
