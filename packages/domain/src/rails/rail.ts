import type { PartyDetails } from "../parties/party.ts";
import type { Scenario } from "../scenarios/scenario.ts";
import type { RailDescription } from "./description.ts";

/** A rail's abilities for a scenario, as requirements and dry-run report them. */
export type RailOffer = Readonly<{
  provider: string;
  action: string;
  version: string;
  maxRecipients: number;
  acceptedLimitations: readonly string[];
}>;

/** One recipient's part of a payment. Amounts are decimal strings in the minor units of their currency. */
export type PaymentLeg = Readonly<{
  order: number;
  payeeId: number;
  payeeName: string;
  payerAmount: string;
  payeeAmount: string;
  payeeCurrency: string;
  reference?: string;
}>;

/** Everything a rail needs to make one payment; frozen on the submission, so that asking again asks the same. */
export type PaymentOrder = Readonly<{
  tenantId: string;
  intentId: string;
  /** Our own payment id, which the payer quotes as the bank reference. */
  connectorPaymentId: number;
  settlementMethod: string;
  settlementChannel: string;
  payerCurrency: string;
  /** The payer's total: the legs and the fee. */
  totalAmount: string;
  fee: string;
  /** Payer in the rail's duplicate check: a party id, a lower-cased email, the tenant, or a digest (Decision 007). */
  payerKey: string;
  payer: PartyDetails;
  legs: readonly PaymentLeg[];
  /** The page to which a checkout sends its payer back when it has ended. */
  returnUrl?: string;
  /** In a batch, the one deposit that pays for all its orders; `fund` has announced it to the rail before. */
  fundingReference?: string;
}>;

/** One deposit for all recipients of a batch. `amount` is in the minor units of `currency`, fees included. */
export type FundingOrder = Readonly<{
  tenantId: string;
  intentId: string;
  /** Our own payment id of the whole batch, which its payer quotes as the bank reference. */
  fundingReference: string;
  currency: string;
  amount: string;
}>;

/** Where the payer deposits a bank transfer; which account fields are present depends on the currency. */
export type TransactionBankDetails = Readonly<{
  beneficiaryName: string;
  accountNumber: string;
  bankName: string;
  bsb?: string;
  aba?: string;
  iban?: string;
  swift?: string;
}>;

/** A rail's final or provisional word on an execution. */
export type ExecuteAnswer =
  | Readonly<{
      kind: "accepted";
      railPaymentId: string;
      /** When the rail expects the money to have settled, milliseconds since 1970. */
      expectedSettlementMs: number;
      bankDetails?: TransactionBankDetails;
      /** ISO date by which a bank transfer must arrive. */
      dueDate?: string;
      checkoutUrl?: string;
    }>
  /**
   * The rail has taken another executionId with the same payer, payees, amounts and references inside its dedup window.
   * `untilMs` is when that window ends, milliseconds since 1970, where the rail tells it.
   */
  | Readonly<{ kind: "duplicate"; untilMs?: number }>
  | Readonly<{ kind: "refused"; reason: string }>
  /** The rail was provably not reached (DNS, connect, TLS, or an explicit "not now"): nothing happened (H3). */
  | Readonly<{ kind: "unreachable"; reason: string }>
  /** The order was sent, and no readable answer came: it may have been accepted. */
  | Readonly<{ kind: "unknown"; reason: string }>;

export type LegOutcome = Readonly<{ order: number; outcome: "cleared" | "failed"; reason?: string }>;

export type StatusAnswer =
  | Readonly<{ kind: "pending" }>
  /**
   * The payer's money came in, and its delivery is pending; a rail need not tell it. `deposit`, of a payment of a batch:
   * all that came in on the batch's one deposit, where the rail tells it.
   */
  | Readonly<{ kind: "received"; deposit?: string }>
  | Readonly<{ kind: "settled"; legs: readonly LegOutcome[] }>
  | Readonly<{ kind: "cancelled"; reason: string }>
  | Readonly<{ kind: "not_found" }>
  /** `retryAfterMs`: the rail's own word for how long it is to be left alone. */
  | Readonly<{ kind: "unavailable"; reason: string; retryAfterMs?: number }>;

/** An execution, in a question about many. */
export type ExecutionKey = Readonly<{ tenantId: string; executionId: string }>;

/** The account for the deposit of a whole batch. Announcing the same order again gets the same answer. */
export type FundAnswer =
  /** `dueDate`: ISO date by which the deposit must arrive. */
  | Readonly<{ kind: "funded"; bankDetails: TransactionBankDetails; dueDate: string }>
  | Readonly<{ kind: "refused"; reason: string }>
  | Readonly<{ kind: "unreachable" | "unknown"; reason: string }>;

/** A payment as a rail lists it. */
export type RailRecord = Readonly<{
  tenantId: string;
  intentId: string;
  executionId: string;
  railPaymentId: string;
  /** Milliseconds since 1970. */
  acceptedAtMs: number;
  currency: string;
  totalAmount: string;
  standing: "pending" | "received" | "settled" | "cancelled";
  /** Of a settled payment, the orders of those whom the money did not reach; absent where the rail does not list them. */
  failed?: readonly number[];
}>;

/** A page of a rail's payments, in no order. `after` asks for the next page, and is absent on the last. */
export type RecordsAnswer =
  | Readonly<{ kind: "page"; payments: readonly RailRecord[]; after?: string }>
  | Readonly<{ kind: "unavailable"; reason: string }>;

/**
 * A payment rail. `executionId` is its idempotency token: `execute` again with the same one returns the first answer,
 * refusals included, and never makes a second payment (H1, H2), for as long as the rail remembers it. Answers are
 * values; a throw is a bug.
 */
export type Rail = Readonly<{
  rail: RailDescription;
  describe(scenario: Scenario): RailOffer;
  execute(order: PaymentOrder, executionId: string): Promise<ExecuteAnswer>;
  status(tenantId: string, executionId: string): Promise<StatusAnswer>;
  /**
   * The same for at most `questionMax` executions: one answer for each, in their order, without those at the end for
   * which there was no time. What the rail leaves out or says twice is `unavailable`. Absent where a rail tells of one at
   * a time.
   */
  statuses?: ((asked: readonly ExecutionKey[]) => Promise<readonly StatusAnswer[]>) | undefined;
  /** Asks the rail to cancel an accepted execution, and tells its status afterwards: only `cancelled` means success. */
  cancel(tenantId: string, executionId: string): Promise<StatusAnswer>;
  /** Announces the one deposit of a batch, before the orders that name it are sent. It moves no money. */
  fund(order: FundingOrder): Promise<FundAnswer>;
  /** Erases what a payment that ended says about people. A rail of another company keeps that by its own rules. */
  forget?(tenantId: string, executionId: string): Promise<void>;
  /** At most `limit` (1 to 1,000) of all tenants' payments that were accepted since `sinceMs`. */
  list(page: Readonly<{ sinceMs: number; after?: string; limit: number }>): Promise<RecordsAnswer>;
}>;
