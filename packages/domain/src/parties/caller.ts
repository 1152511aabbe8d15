import { fail, ok, type Result } from "../result.ts";
import { type KeyLimits, type KeyRefusal, type KeyUse, refuseUse } from "./key-limits.ts";

/** Permissions that a key may carry. `AllowSplitPayment` is the specification's; the others are ours (Decision 002). */
export const permissions = ["AllowSplitPayment", "AllowBulkPayment", "AllowLegacyReissue"] as const;
export type Permission = (typeof permissions)[number];

/** A call's maker, as the authorizer established it. */
export type Caller = Readonly<{
  tenantId: string;
  userId: string;
  clientId: string;
  permissions: readonly Permission[];
}> &
  KeyLimits;

/** An API key as stored: never the secret, only SHA-256 hashes of it (two of them while a secret is rotated). */
export type ApiKey = Readonly<{
  clientId: string;
  tenantId: string;
  userId: string;
  userName: string;
  permissions: readonly Permission[];
  secretHashes: readonly string[];
  /** The value that API Gateway meters by: 40 hex characters, never the client's own secret (H46). */
  gatewayKey: string;
  createdAt: string;
  revokedAt?: string;
}> &
  KeyLimits;

/** The key as it is stored now, if it may be used like this: none may that is gone or revoked. */
export function keyForUse(stored: ApiKey | undefined, use: KeyUse): Result<ApiKey, KeyRefusal> {
  if (stored === undefined || stored.revokedAt !== undefined) return fail({ kind: "unauthorized" });
  const refused = refuseUse(stored, use);
  return refused === undefined ? ok(stored) : fail(refused);
}
