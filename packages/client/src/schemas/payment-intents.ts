// Written from docs/openapi.json by `pnpm openapi`, and never by hand.

import type { ConnectorPayment } from "./payment-intents-deposits.ts";
import type {
  BatchProgress,
  Connector,
  Correction,
  CreatedFrom,
  EvaluationControls,
  EvaluationLimits,
  EventResource,
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
  UnderReview,
} from "./payment-intents-parts.ts";
import type { Preview } from "./payment-intents-previews.ts";
import type {
  AmountMode,
  DeliveryMode,
  EventStatus,
  EventType,
  LegStatus,
  PaymentIntentStatus,
  ReviewReason,
  SplitRole,
  TimelineEventType,
  UseCase,
} from "./words.ts";

/** A payment, from its draft to its end */
export type PaymentIntent = {
  /** Names the intent; sorts by its creation */ id: string;
  status: PaymentIntentStatus;
  useCase: UseCase;
  deliveryMode: DeliveryMode;
  amountMode: AmountMode;
  /** The tenant's own name for it */ name?: string;
  /** The caller's own id, as it was given */ externalId?: string;
  payer: IntentParty;
  subject?: IntentParty;
  /** Who is paid */ recipients: readonly Recipient[];
  instructions?: Instructions;
  /** The caller's own notes */ metadata?: Readonly<Record<string, string>>;
  /** The caller has accepted the terms */ termsAccepted: boolean;
  /** The token of the link, under which payers find it */ publicLinkId?: string;
  createdFrom?: CreatedFrom;
  payerChoice?: PayerChoice;
  hold?: LinkHold;
  /** When the first successful payment closed a single-use link, ISO 8601 in UTC */ linkClosedAt?: string;
  underReview?: UnderReview;
  /** What operators have found out about the money afterwards, the newest 50, the oldest of them first */
  corrections?: readonly Correction[];
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

/** A payment intent in a list */
export type PaymentIntentItem = {
  /** Names the intent; sorts by its creation */ id: string;
  status: PaymentIntentStatus;
  useCase: UseCase;
  deliveryMode: DeliveryMode;
  amountMode: AmountMode;
  /** The tenant's own name; null for a link without one */ name?: string | null;
  /** The caller's own id, as it was given */ externalId?: string;
  payer: IntentParty;
  subject?: IntentParty;
  /** Who is paid */ recipients: readonly Recipient[];
  instructions?: Instructions;
  /** The caller's own notes */ metadata?: Readonly<Record<string, string>>;
  /** The caller has accepted the terms */ termsAccepted: boolean;
  /** The token of the link, under which payers find it */ publicLinkId?: string;
  createdFrom?: CreatedFrom;
  payerChoice?: PayerChoice;
  hold?: LinkHold;
  /** When the first successful payment closed a single-use link, ISO 8601 in UTC */ linkClosedAt?: string;
  underReview?: UnderReview;
  /** What operators have found out about the money afterwards, the newest 50, the oldest of them first */
  corrections?: readonly Correction[];
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
  /** The same as `id` */ _id: string;
};

/** The judgement that requirements, dry-run and submit go by */
export type Evaluation = {
  rule: RuleVerdict;
  connector: Connector;
  limits: EvaluationLimits;
  controls: EvaluationControls;
  /** Everything that keeps the intent from being submitted */ requirements: readonly Requirement[];
};

/** The judgement of a draft; with a `preview` if nothing is missing */
export type DryRun = {
  rule: RuleVerdict;
  connector: Connector;
  limits: EvaluationLimits;
  controls: EvaluationControls;
  /** Everything that keeps the intent from being submitted */ requirements: readonly Requirement[];
  preview?: Preview;
};

/** A draft with its plan, and what a submit would pay by it */
export type CompiledPaymentIntent = {
  /** Names the intent; sorts by its creation */ id: string;
  status: PaymentIntentStatus;
  useCase: UseCase;
  deliveryMode: DeliveryMode;
  amountMode: AmountMode;
  /** The tenant's own name for it */ name?: string;
  /** The caller's own id, as it was given */ externalId?: string;
  payer: IntentParty;
  subject?: IntentParty;
  /** Who is paid */ recipients: readonly Recipient[];
  instructions?: Instructions;
  /** The caller's own notes */ metadata?: Readonly<Record<string, string>>;
  /** The caller has accepted the terms */ termsAccepted: boolean;
  /** The token of the link, under which payers find it */ publicLinkId?: string;
  createdFrom?: CreatedFrom;
  payerChoice?: PayerChoice;
  hold?: LinkHold;
  /** When the first successful payment closed a single-use link, ISO 8601 in UTC */ linkClosedAt?: string;
  underReview?: UnderReview;
  /** What operators have found out about the money afterwards, the newest 50, the oldest of them first */
  corrections?: readonly Correction[];
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
  preview: Preview;
};

/** One change of an intent, and its place in the chain of its audit */
export type TimelineEntry = {
  /** The number of the change; it grows, and changes in between have nothing to tell */ version: number;
  /** When it happened, ISO 8601 in UTC */ at: string;
  /** What happened */ events: readonly {
    type: TimelineEventType;
    /**
     * Who caused it: the tenant by a key, the payer of a link, an operator of the service, the rail, the schedule or
     * the service itself
     */
    by:
      | "caller" | "payer" | "operator" | "rail" | "schedule" | "service";
    /**
     * When it happened, where it changed nothing of the intent: it is told with the change before it, ISO 8601 in UTC
     */
    at?: string;
    /** The client of the tenant's key */ clientId?: string;
    /** More of it: ids, numbers and words of the service */ details: {
      useCase?: UseCase;
      deliveryMode?: DeliveryMode;
      amountMode?: AmountMode;
      /** The execution that it is about */ executionId?: string;
      /** Which worker of the submission it is: the first, or one that took over */ attempt?: number;
      /** How often the rail was asked before without telling the outcome */ asked?: number;
      about?: ReviewReason;
      /** Why a submission was given up: the rail has such a payment, will not take it, or was not reached */ refusal?:
        | "duplicate_transaction" | "rail_refused" | "rail_unavailable";
      /** The payments that the rail took */ connectorPaymentIds?: readonly number[];
      /** What each recipient is booked as */ splitRoles?: readonly {
        /** The recipient's place */ order: number;
        splitRole: SplitRole;
      }[];
      /** How the recipients stand; not those of a batch */ legs?: readonly {
        /** The recipient's place */ order: number;
        status: LegStatus;
      }[];
      /** The payment that closed a link */ paymentIntentId?: string;
      /** The recipients of a batch */ total?: number;
      /** Those who were paid */ completed?: number;
      /** Those who could not be paid */ failed?: number;
      /** Those who were not paid any more */ cancelled?: number;
    };
  }[];
  /** The SHA-256, in hex, of the stored entry, which holds more than is told here */ hash: string;
  /** The `hash` of the entry before it; null in the first */ previous: string | null;
};

/** A change of status */
export type Event = {
  /** The event's own id. As `after` it asks for what came behind it */ id: string;
  type: EventType;
  /** When it happened, ISO 8601 in UTC */ time: string;
  resource: EventResource;
  status: EventStatus;
  /** Your own id of the payment intent `resource.id`, where it has one */ externalId?: string;
};
