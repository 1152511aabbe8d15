// Written from docs/openapi.json by `pnpm openapi`, and never by hand.

import type { List, Query, Whole } from "../lists.ts";
import type { Options } from "../route.ts";
import type {
  CompiledPaymentIntent,
  DryRun,
  Evaluation,
  Event,
  PaymentIntent,
  PaymentIntentItem,
  TimelineEntry,
} from "../schemas/payment-intents.ts";
import type {
  PaymentIntentChanges,
  PaymentIntentInput,
  ScenarioQuestion,
} from "../schemas/payment-intents-requests.ts";
import type { PaymentIntentSelection } from "../schemas/payment-intents-selections.ts";
import type { WantedEventType } from "../schemas/words.ts";

export type PaymentIntentsMethods = {
  /**
   * Create a draft; every call makes another one.
   *
   * Nothing is paid, and nothing has to be complete: a dry-run tells what submit still needs. A retry makes a second
   * draft. Drafts that are left alone are cancelled after a while. Scope: `write`. An `Idempotency-Key` has no effect:
   * a repeat is a request of its own.
   */
  create(body: PaymentIntentInput, options?: Options): Promise<PaymentIntent>;

  /**
   * List payment intents, newest first.
   *
   * The tenant's intents, links and the payments by them included. To follow many payments, list what changed, as it is
   * said at the top. Scope: `read`.
   */
  list(query?: Whole<Query<PaymentIntentItem> & {
    /**
     * Puts what is referred to in place of its id: `[{"path":"payer.partyId"}]`; or, instead of this one,
     * `population[0][path]=payer.partyId`
     */
    population?: readonly {
      /** The reference */ path:
        | "payer.partyId" | "subject.partyId" | "recipients.connectorPayeeId" | "createdFrom.paymentIntentId";
      /** The fields wanted, with spaces between them; all without it */ select?: string;
    }[];
  }>, options?: Options & {
    /** `true` adds `explain` beside `data`: how the page was read, and what that took */ explain?: boolean;
  }): List<PaymentIntentItem>;
  list(query: Query<PaymentIntentItem> & {
    /**
     * Puts what is referred to in place of its id: `[{"path":"payer.partyId"}]`; or, instead of this one,
     * `population[0][path]=payer.partyId`
     */
    population?: readonly {
      /** The reference */ path:
        | "payer.partyId" | "subject.partyId" | "recipients.connectorPayeeId" | "createdFrom.paymentIntentId";
      /** The fields wanted, with spaces between them; all without it */ select?: string;
    }[];
  }, options?: Options & {
    /** `true` adds `explain` beside `data`: how the page was read, and what that took */ explain?: boolean;
  }): List<PaymentIntentSelection>;

  /**
   * Get a payment intent.
   *
   * Poll it until its status is final: `Retry-After` says when to ask again. Of a batch it shows every recipient.
   * Scope: `read`.
   */
  get(id: string | number, options?: Options): Promise<PaymentIntent>;

  /**
   * Change the metadata of a payment intent.
   *
   * At any time, whatever its status. Metadata stand beside the payment: neither its `updatedAt` nor its timeline
   * changes, and no event tells of it. Keys that are left out stay; null removes one. Scope: `write`.
   */
  update(id: string | number, body: PaymentIntentChanges, options?: Options & {
    /** The `ETag` of the resource as it was read: 412 if it has changed since */ ifMatch?: string;
  }): Promise<PaymentIntent>;

  /**
   * What a scenario will need; stores nothing.
   *
   * The judgement of an intent with nothing filled in: which rule matches, what the rail takes, and what will have to
   * be stated. Scope: `read`.
   */
  previewRequirements(body: ScenarioQuestion, options?: Options): Promise<Evaluation>;

  /**
   * Judge an intent as submit would, without changing it.
   *
   * Says everything that keeps the intent from being submitted, with a value that would meet it. An empty list of
   * requirements means that a submit at this moment would pay: `preview` says what. Scope: `read`.
   */
  dryRun(id: string | number, options?: Options): Promise<DryRun>;

  /**
   * Compile the execution plan of a draft and store it.
   *
   * What a submit would do now. A submit plans anew; the `hash` of the `preview` holds it to this. Scope: `write`.
   */
  compile(id: string | number, options?: Options): Promise<CompiledPaymentIntent>;

  /**
   * Open a held single-use link again.
   *
   * Asks the rail to call off the payment that a payer has begun and not paid. Succeeds once it has, or if nobody holds
   * the link. Scope: `write`.
   */
  releasePaymentLink(id: string | number, options?: Options): Promise<PaymentIntent>;

  /**
   * Pay: exactly once, however often it is called.
   *
   * Sends the payment to the rail, publishes a link, or begins a batch. Send an Idempotency-Key, and repeat the request
   * with the same one when the answer is lost: the first answer comes again, and nothing is paid twice. With a
   * Preview-Hash nothing is done unless it is what that preview showed. Scope: `pay`.
   */
  submit(id: string | number, options?: Options & {
    /** Always send one: for 24 hours, a replay with the same key gets the first answer again */
    idempotencyKey?: string;
    /** The `hash` of a preview: 409 `[GEN9009]`, and nothing is done, if it would not be exactly that */
    previewHash?: string;
  }): Promise<PaymentIntent>;

  /**
   * What happened to an intent, when and by whom.
   *
   * Every change from its creation on, oldest first, of links and of payments by them too. Each entry has its hash in
   * the audit, and that of the entry before it: keep the last one, and what it stands for can be neither changed nor
   * left out later. It tells no names, no details of people and no texts. Scope: `read`.
   */
  getTimeline(id: string | number, query?: {
    /** Only what came behind the entry of this `version`; without it, the first entry comes first */ after?: number;
    /** At most so many entries, 100 by default */ limit?: number;
  }, options?: Options): List<TimelineEntry>;
};

export type EventsMethods = {
  /**
   * Every change of status, in the order in which they happened.
   *
   * Of intents, their legs, links and requests for commissions. The order never changes, and whoever goes on from the
   * last `id` or `nextCursor` gets every event once. An event is there some 15 seconds after it happened, and for 30
   * days. Of several events about one thing the last one holds. Scope: `read`.
   */
  list(query?: {
    /**
     * Only what came behind this: the `id` of an event, a `nextCursor`, or a time of the last 30 days, ISO 8601 in UTC,
     * and none to come. Without it, the oldest event that is kept comes first
     */
    after?: string;
    /** At most so many, 100 by default */ limit?: number;
    /** A type of events, or a kind of thing that events are about */ type?: WantedEventType;
  }, options?: Options): List<Event>;
};
