import type { Failure } from "@intents/domain/failure.ts";
import { pick } from "@intents/domain/pick.ts";
import type { ErrorRow } from "./error-row.ts";
import { errorTable } from "./errors.ts";
import { type FaultName, faultTable } from "./faults.ts";
import { payerAdvice } from "./payer-advice.ts";
import { describeProblems } from "./problems.ts";
import { securityHeaders } from "./security-headers.ts";

/** The reader of an answer: tenants and payers get different advice. */
export type Reader = "tenant" | "payer";

export type ErrorAnswer = Readonly<{ statusCode: number; headers: Readonly<Record<string, string>>; body: string }>;

/** The answer to a refusal: the array-style 400 for a wrong shape, the error envelope for everything else. */
export function toErrorAnswer(failure: Failure, nowMs: number, reader: Reader = "tenant"): ErrorAnswer {
  const own: ErrorRow = errorTable[failure.kind];
  const next = (reader === "payer" && payerAdvice[failure.kind]) || own.next;
  const row: ErrorRow = { ...own, next };
  if (failure.kind === "shape") {
    const { problems, limits } = failure;
    const { message, details } = describeProblems(problems);
    const shown = { ...details, ...(limits !== undefined && { limits }), next };
    return answer(400, { message, error: "Bad Request", statusCode: 400, details: shown });
  }
  const headers: Record<string, string> = { ...row.headers };
  const retryAfterSeconds = "retryAfterSeconds" in failure ? failure.retryAfterSeconds : row.retryAfterSeconds;
  if (retryAfterSeconds !== undefined) headers["Retry-After"] = String(retryAfterSeconds);
  if (failure.kind === "method_not_allowed") headers["Allow"] = failure.allow.join(", ");
  const body = {
    ...envelope(row, nowMs, detailsOf(failure)),
    ...(failure.kind === "key_reused" && { error: "Unprocessable Entity" }),
  };
  return answer(row.status, body, headers);
}

/** An error that the gateway itself answers, or a fault of ours. It tells nothing internal but the request id. */
export function gatewayError(name: FaultName, requestId: string, nowMs: number): ErrorAnswer {
  const row: Omit<ErrorRow, "bindsKey"> = faultTable[name];
  return answer(row.status, envelope(row, nowMs, { requestId }), { ...row.headers, "X-Request-Id": requestId });
}

function envelope({ status, code, message, next }: Omit<ErrorRow, "bindsKey">, nowMs: number, details: object) {
  const text = `${message}. ${next}`;
  return {
    statusCode: status,
    ...(code !== undefined && { code }),
    message: code === undefined ? text : `${code} ${text}`,
    timestamp: new Date(nowMs).toISOString(),
    details,
  };
}

function detailsOf(failure: Failure): object {
  if (failure.kind === "requirements" || failure.kind === "under_review") {
    const { missing, reason } = { reason: undefined, ...failure };
    const missingRequirements = missing.map(({ path }) => path);
    return { missingRequirements, requirements: missing, ...(reason !== undefined && { reason }) };
  }
  const { details = [] }: ErrorRow = errorTable[failure.kind];
  return pick(failure as Readonly<Record<string, unknown>>, details);
}

const answer = (statusCode: number, body: object, headers: Record<string, string> = {}): ErrorAnswer => ({
  statusCode,
  // Caches may keep a 404 or 405 unless they are told not to.
  headers: { "Content-Type": "application/json", "Cache-Control": "no-store", ...securityHeaders, ...headers },
  body: JSON.stringify(body),
});
