import type { ErrorDetails } from "./schemas/errors.ts";
import type { PaymentIntent } from "./schemas/payment-intents.ts";

/** An error's name: its code, or its status where it has none. */
export type ErrorKind = keyof ErrorDetails;

/** Facts of every failed call. */
type Failed = Readonly<{
  /** Method and path of the endpoint, without ids. */
  on: string;
  /** Whether the very same call may be made again, by the same key, without anything being done twice. */
  retrySafe: boolean;
  /** The key that the call was sent with: hand it to the next call of the method. */
  idempotencyKey?: string | undefined;
}>;

type Answered = Readonly<{
  status: number;
  code?: string | undefined;
  details: unknown;
  requestId?: string | undefined;
  retryAfterSeconds?: number | undefined;
}>;

/** The service refused. `is` tells what by, and thereby what is in `details`. */
export class ApiError<Kind extends ErrorKind = ErrorKind> extends Error implements Failed, Answered {
  override readonly name = "ApiError";
  readonly on: string;
  readonly retrySafe: boolean;
  readonly idempotencyKey: string | undefined;
  readonly status: number;
  /** `[QOT0001]`; some errors have none. */
  readonly code: string | undefined;
  readonly details: ErrorDetails[Kind];
  /** The id under which the service's logs know the request. */
  readonly requestId: string | undefined;
  /** When to try again, where the service says so. */
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, failed: Failed, answered: Answered) {
    super(`${failed.on} was answered with ${answered.status}: ${message}`);
    this.on = failed.on;
    this.retrySafe = failed.retrySafe;
    this.idempotencyKey = failed.idempotencyKey;
    this.status = answered.status;
    this.code = answered.code;
    this.details = answered.details as ErrorDetails[Kind];
    this.requestId = answered.requestId;
    this.retryAfterSeconds = answered.retryAfterSeconds;
  }

  /** Whether it is the error of this code, or of this status and without a code. */
  is<Asked extends ErrorKind>(kind: Asked): this is ApiError<Asked> {
    return (this.code ?? this.status) === kind;
  }
}

/**
 * No answer came, or only half of one, or one that is not the service's: whether the request was carried out is not
 * known. `cause` says why.
 */
export class ConnectionError extends Error implements Failed {
  override readonly name = "ConnectionError";
  readonly on: string;
  readonly retrySafe: boolean;
  readonly idempotencyKey: string | undefined;

  constructor(failed: Failed, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`${failed.on} was not answered: ${why}`, { cause });
    this.on = failed.on;
    this.retrySafe = failed.retrySafe;
    this.idempotencyKey = failed.idempotencyKey;
  }
}

/** A payment that was waited for is not final; hand it over to whoever reconciles. */
export class NotFinalError extends Error {
  override readonly name = "NotFinalError";
  /** The intent as it was seen last. */
  readonly intent: PaymentIntent;

  constructor(intent: PaymentIntent, why: string) {
    super(`The payment intent ${intent.id} is ${intent.status}: ${why}`);
    this.intent = intent;
  }
}
