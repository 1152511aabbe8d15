// Written from docs/openapi.json by `pnpm openapi`, and never by hand.

import type {
  BatchProgress,
  Connector,
  ConnectorPayment,
  CreatedFrom,
  EvaluationControls,
  EvaluationLimits,
  Execution,
  ExecutionPlan,
  Instructions,
  IntentParty,
  LinkHold,
  PayerChoice,
  Recipient,
  Requirement,
  RuleVerdict,
  StatusStep,
} from "./payment-intents-parts.ts";
import type { AmountMode, DeliveryMode, EventType, PaymentIntentStatus, UseCase } from "./words.ts";

/** A payment, from its draft to its end */
export type PaymentIntent = {
  /** Names the intent; sorts by its creation */ id: string;
  status: PaymentIntentStatus;
  useCase: UseCase;
  deliveryMode: DeliveryMode;
  amountMode: AmountMode;
  /** The tenant's own name for it */ name?: string;
  payer: IntentParty;
  subject?: IntentParty;
  /** Who is paid */ recipients: readonly Recipient[];
  instructions?: Instructions;
  /** The caller has accepted the terms */ termsAccepted: true;
  /** The token of the link, under which payers find it */ publicLinkId?: string;
  createdFrom?: CreatedFrom;
  payerChoice?: PayerChoice;
  hold?: LinkHold;
  /** When the first successful payment closed a single-use link, ISO 8601 in UTC */ linkClosedAt?: string;
  /** When it was created, ISO 8601 in UTC */ createdAt: string;
  /** When it last changed, ISO 8601 in UTC */ updatedAt: string;
  /** The user of the key that created it, or `payer` */ createdBy: string;
  /** The newest 50 steps, the oldest of them first */ statusHistory: readonly StatusStep[];
  /** The attempts to move the money, the newest last */ executions: readonly Execution[];
  executionPlan?: ExecutionPlan;
  connectorPayment?: ConnectorPayment;
  /** The payment id of the newest execution */ lastConnectorPaymentId?: number;
  /** Where payers open the link */ lastPaymentLinkUrl?: string;
  /** The rail of the newest execution */ lastExecutionConnector?: string;
  bulkProgress?: BatchProgress;
};

/** The judgement that requirements, dry-run and submit go by */
export type Evaluation = {
  rule: RuleVerdict;
  connector: Connector;
  limits: EvaluationLimits;
  controls: EvaluationControls;
  /** Everything that keeps the intent from being submitted */ requirements: readonly Requirement[];
};

/** A change of status */
export type Event = {
  /** The event's own id. As `after` it asks for what came behind it */ id: string;
  type: EventType;
  /** When it happened, ISO 8601 in UTC */ time: string;
  /** What has changed */ resource: {
    /** A payment intent, a recipient of one, the link that one is, or a request for commissions */ type:
      | "paymentIntent" | "leg" | "paymentLink" | "commissionRequest";
    /** The intent's id, also of its legs and its link; of a request for commissions the `requestId` */ id: string;
    /** The leg's `order` in its intent */ order?: number;
  };
  /** Its status from then on */ status:
    | "draft" | "ready_for_quote" | "quoted" | "ready_for_execution" | "executing" | "completed" | "failed"
    | "partially_completed" | "requires_recovery" | "cancelled" | "pending_link_payment" | "pending" | "cleared"
    | "open" | "held" | "closed" | "submitted" | "paid" | "rejected";
};
