import * as z from "zod";
import { Evaluation } from "./evaluation.ts";
import { Connector } from "./executions.ts";
import { Intent } from "./intent-answers.ts";
import { PREVIEW_HASH } from "./preview-hash.ts";
import { lazily } from "./route.ts";
import { money, plainText, rate, timestamp } from "./shapes.ts";
import { CurrencyCode, SplitRole } from "./vocabulary.ts";

// A submit's exact amounts, as dry-run and draft tell them.

const sum = () => ({ currency: CurrencyCode(), amount: money("How much, in `currency`") });
const Sum = lazily(() =>
  z.object(sum()).meta({ id: "PreviewSum", description: "All amounts of one currency, added up" }),
);

const Leg = lazily(() =>
  z
    .object({
      order: z.int().describe("The recipient's place"),
      payeeId: z.int().describe("Who is paid"),
      payeeName: plainText("The payee's name, unless it is another tenant's").exactOptional(),
      splitRole: SplitRole(),
      payerAmount: money("What the payer gives for it, in `payerCurrency`; not of a link").exactOptional(),
      payerCurrency: CurrencyCode().exactOptional(),
      payeeAmount: money("What the payee gets, in `payeeCurrency`; not of a link's open amount").exactOptional(),
      payeeCurrency: CurrencyCode(),
      portionBps: z.int().describe("Its share of what a link's payer enters, in basis points").exactOptional(),
      fxRate: rate("`payeeCurrency` per 1 `payerCurrency`, with the `spread` in it").exactOptional(),
      spread: rate("The part by which `fxRate` is below the market's rate, 0.01 for 1 %").exactOptional(),
      fee: money("The rail's fee for it, in `payerCurrency`, in a batch").exactOptional(),
      reference: plainText("What the payee's bank shows").exactOptional(),
    })
    .meta({ id: "PreviewLeg", description: "One recipient's part of what would be paid" }),
);

const Preview = lazily(() =>
  z
    .object({
      hash: z
        .string()
        .regex(PREVIEW_HASH)
        .describe("Of everything else here: a submit with it as its `Preview-Hash` pays exactly this, or nothing"),
      connector: Connector(),
      quoteId: plainText("The quote that it goes by, where there is one").exactOptional(),
      selectedQuoteVariantId: z.int().describe("The way to pay").exactOptional(),
      validUntil: timestamp("When the quote expires: a submit after that is refused").exactOptional(),
      settlementMethod: plainText("The payment method").exactOptional(),
      settlementChannel: plainText("How the payer hands the money over").exactOptional(),
      debited: z.array(Sum()).describe("What the payer gives in all, fees included; nothing yet for a link"),
      charged: z.array(Sum()).describe("The fees, which are a part of what is debited; nothing yet for a link"),
      delivered: z.array(Sum()).describe("What the payees get; nothing yet for a link's open amount"),
      commission: z
        .object({ ...sum(), spread: rate("The part of the principal that it is, 0.01 for 1 %") })
        .meta({ id: "PreviewCommission", description: "What the tenant earns once all legs have arrived" })
        .exactOptional(),
      legs: z.array(Leg()).describe("The recipients, in order"),
    })
    .meta({ id: "Preview", description: "What a submit would pay now, to the minor unit" }),
);

export const DryRun = lazily(() =>
  Evaluation()
    .extend({ preview: Preview().exactOptional() })
    .meta({ id: "DryRun", description: "The judgement of a draft; with a `preview` if nothing is missing" }),
);

export const CompiledIntent = lazily(() =>
  Intent()
    .extend({ preview: Preview() })
    .meta({ id: "CompiledPaymentIntent", description: "A draft with its plan, and what a submit would pay by it" }),
);
