import { StoreUnsure } from "./transact.ts";

/** A failure as the SDK tells it: the status of a readable answer, the answer itself, or a broken connection. */
type Details = Readonly<{
  $metadata?: { httpStatusCode?: number };
  $response?: { statusCode?: number };
  code?: string;
  name?: string;
  cause?: unknown;
}>;

/** The codes of a connection to a store that cannot be made, or breaks before the answer. */
const brokenConnections = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "ENOTFOUND", "EAI_AGAIN"]);

/**
 * Whether a store failed, as with a full disk or a dead process: it answered with any fault of its own, did not answer,
 * or left open whether it has written.
 */
export function isStoreFault(error: unknown): boolean {
  if (error instanceof StoreUnsure) return true;
  const { $metadata, $response, code = "", name, cause }: Details = Object(error);
  if (($response?.statusCode ?? $metadata?.httpStatusCode ?? 0) >= 500) return true;
  // The SDK marks its own failures by metadata; nothing else of a request may fail for want of a connection.
  if ($metadata !== undefined && (brokenConnections.has(code) || name === "TimeoutError")) return true;
  // Libraries between us and the store throw errors of their own, caused by the store's.
  return cause !== undefined && isStoreFault(cause);
}
