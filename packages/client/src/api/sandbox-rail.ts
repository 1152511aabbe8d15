// Written from docs/openapi.json by `pnpm openapi`, and never by hand.

import type { Options } from "../route.ts";
import type { PaymentIntent } from "../schemas/payment-intents.ts";
import type { Quote } from "../schemas/rates.ts";
import type { SandboxPayments } from "../schemas/sandbox-rail.ts";
import type { SandboxScenarios } from "../schemas/sandbox-testing.ts";

export type SandboxMethods = {
  /**
   * What the simulated rails hold for this tenant, newest first; `executionId` and `limit` narrow it.
   *
   * For testers: what a real rail would know. Scope: `read`.
   */
  listPayments(query?: {
    /** Only the payment of this execution */ executionId?: string;
    /** At most so many */ limit?: number;
  }, options?: Options): Promise<SandboxPayments>;

  /**
   * Every way to make something happen: references, checkout outcomes, countries, amounts.
   *
   * Sandbox only. These are the tables by which the simulated rails act. Scope: `read`.
   */
  listScenarios(options?: Options): Promise<SandboxScenarios>;

  /**
   * Have a payment arrive now.
   *
   * Sandbox only. The intent tells an end within a second or two after its last recipient's, and a batch each of them.
   * A batch, by its own payment id, has it happen to all of its recipients. Asked again, the same happens once. What
   * still is open clears, whatever the recipients' references ask for. An open checkout counts as paid then, even if
   * one recipient alone is named. Scope: `write`.
   */
  settlePayment(connectorPaymentId: string | number, query?: {
    /** Only to the recipient in this place; without it to all to whom it can still happen */ order?: number;
  }, options?: Options): Promise<SandboxPayments>;

  /**
   * Have the payer's money come in now, before it is delivered.
   *
   * Sandbox only. A transfer, or the one deposit of a batch, by its own payment id, is `received`: the rail tells that
   * the money came in, and delivers it when it would. A checkout counts as paid. The intent tells `receivedAt` within a
   * second or two. Asked again, the same happens once. Scope: `write`.
   */
  receivePayment(connectorPaymentId: string | number, options?: Options): Promise<SandboxPayments>;

  /**
   * Have a payment fail now.
   *
   * Sandbox only. The intent tells an end within a second or two after its last recipient's, and a batch each of them.
   * A batch, by its own payment id, has it happen to all of its recipients. Asked again, the same happens once. What
   * still is open fails: one of several recipients leaves the others as they are, and a checkout that nobody has paid
   * is declined. A recipient of a batch whom no rail has taken fails as well, though no rail has a payment of it to
   * answer with. Scope: `write`.
   */
  failPayment(connectorPaymentId: string | number, query?: {
    /** Only to the recipient in this place; without it to all to whom it can still happen */ order?: number;
  }, options?: Options): Promise<SandboxPayments>;

  /**
   * Keep a payment from arriving for so many seconds from now.
   *
   * Sandbox only. The intent tells an end within a second or two after its last recipient's, and a batch each of them.
   * A batch, by its own payment id, has it happen to all of its recipients. Asked again, the same happens once. It can
   * still be settled or failed earlier. An intent whose payment is late for long enough becomes `requires_recovery`.
   * Scope: `write`.
   */
  delayPayment(connectorPaymentId: string | number, query: {
    /** How long from now it does not arrive */ seconds: number;
    /** Only to the recipient in this place; without it to all to whom it can still happen */ order?: number;
  }, options?: Options): Promise<SandboxPayments>;

  /**
   * Have the money of a completed payment come back.
   *
   * Sandbox only. The intent tells an end within a second or two after its last recipient's, and a batch each of them.
   * A batch, by its own payment id, has it happen to all of its recipients. Asked again, the same happens once. What is
   * final stays final: the intent keeps its status, and an operator gets a record to settle by hand. Scope: `write`.
   */
  returnPayment(connectorPaymentId: string | number, query?: {
    /** Only to the recipient in this place; without it to all to whom it can still happen */ order?: number;
  }, options?: Options): Promise<SandboxPayments>;

  /**
   * Let a quote expire now.
   *
   * Sandbox only. A submit with it is refused from now on, as half an hour later. A quote that a payer of a link asked
   * for is named with the link's `token`: the payer's page then asks for another. Scope: `write`.
   */
  expireQuote(id: string | number, query?: {
    /** The link whose payer asked for it, by its `publicLinkId`; without it, a quote of the tenant's own */
    token?: string;
  }, options?: Options): Promise<Quote>;

  /**
   * Let a draft expire now.
   *
   * Sandbox only. It is cancelled within a second or two, as after two weeks in which nobody submits it. Scope:
   * `write`.
   */
  expireDraft(id: string | number, options?: Options): Promise<PaymentIntent>;

  /**
   * End the time for which a payment keeps others from a single-use link.
   *
   * Sandbox only. The rail is asked to call the payment off, as it would be later, and the link opens again within a
   * second or two if nobody has paid. Answers with the link; one that nobody holds stays open. Scope: `write`.
   */
  expireHold(token: string | number, options?: Options): Promise<PaymentIntent>;
};
