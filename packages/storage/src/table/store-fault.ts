/** What the SDK tells of a failure: the status of an answer that it could read, or the answer itself. */
type Told = Readonly<{ $metadata?: { httpStatusCode?: number }; $response?: { statusCode?: number }; cause?: unknown }>;

/** Whether a store failed, as one does whose disk is full: it answered with a fault of its own, in whatever words. */
export function isStoreFault(error: unknown): boolean {
  const { $metadata, $response, cause }: Told = Object(error);
  if (($response?.statusCode ?? $metadata?.httpStatusCode ?? 0) >= 500) return true;
  // Libraries between us and the store throw errors of their own, caused by the store's.
  return cause !== undefined && isStoreFault(cause);
}
