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
import type { AmountMode, DeliveryMode, PaymentIntentStatus, UseCase } from "./words.ts";

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
