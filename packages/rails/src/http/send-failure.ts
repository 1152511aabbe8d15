import { once } from "@intents/domain/once.ts";
import * as z from "zod";

/**
 * Failures of certificate verification and version negotiation, which end a TLS handshake before any request byte is
 * written. Codes that can also come later are left out on purpose: anybody on the path could provoke
 * ERR_SSL_WRONG_VERSION_NUMBER, for one, after the request went through.
 */
const handshakeCodes = new Set([
  "CERT_CHAIN_TOO_LONG",
  "CERT_HAS_EXPIRED",
  "CERT_NOT_YET_VALID",
  "CERT_REJECTED",
  "CERT_REVOKED",
  "CERT_SIGNATURE_FAILURE",
  "CERT_UNTRUSTED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "HOSTNAME_MISMATCH",
  "INVALID_CA",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

const Cause = once(() =>
  z.object({
    code: z.string().optional(),
    syscall: z.string().optional(),
    message: z.string().optional(),
    /** The errors of an attempt on every address of a name, one for each address. */
    errors: z.array(z.unknown()).optional(),
  }),
);

/** Whether a rejection of `fetch` proves that no byte of the request was sent: DNS, connect or TLS failed (H3). */
export const provesUnsent = (error: unknown): boolean => error instanceof Error && isBeforeRequest(error.cause);

function isBeforeRequest(cause: unknown): boolean {
  const { code = "", syscall = "", errors = [] } = Cause().safeParse(cause).data ?? {};
  if (errors.length > 0) return errors.every(isBeforeRequest);
  // The system call decides, because a code like ETIMEDOUT can also come from a connection that has carried bytes.
  return (
    syscall === "connect" || syscall === "getaddrinfo" || code === "UND_ERR_CONNECT_TIMEOUT" || handshakeCodes.has(code)
  );
}

/** The reason of a failure, in a word for logs and answers. */
export function failureReason(error: unknown): string {
  if (!(error instanceof Error)) return "unknown failure";
  const { code, message } = Cause().safeParse(error.cause).data ?? {};
  return code ?? message ?? error.name;
}
