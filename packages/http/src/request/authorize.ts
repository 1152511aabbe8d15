import { createHash, timingSafeEqual } from "node:crypto";
import type { ApiKey } from "@intents/domain/parties/caller.ts";
import { hasExpired } from "@intents/domain/parties/key-limits.ts";
import { findApiKey } from "@intents/storage/parties/tenants.ts";
import type { Table } from "@intents/storage/table/table.ts";
import { valuesOf } from "./repeated.ts";

const HEADER_LENGTH_MAX = 512;

/**
 * The hash to compare with if there is no such key, so that an unknown client id takes as long as a wrong secret (H55).
 */
const noHash = "0".repeat(64);

/** The key that a request's only `X-API-Key` header proves, or undefined. Secrets are 256 random bits, stored as SHA-256. */
export async function verifyApiKey(
  table: Table,
  [header, ...others]: readonly string[],
  nowMs: number,
): Promise<ApiKey | undefined> {
  const colon = header?.indexOf(":") ?? -1;
  if (header === undefined || others.length > 0 || colon < 1 || header.length > HEADER_LENGTH_MAX) return undefined;
  const key = await findApiKey(table, header.slice(0, colon));
  const hash = hashSecret(header.slice(colon + 1));
  const hashes = key === undefined || key.secretHashes.length === 0 ? [noHash] : key.secretHashes;
  const proven = hashes.map((known) => timingSafeEqual(Buffer.from(known, "hex"), Buffer.from(hash, "hex")));
  return key !== undefined && isLive(key, nowMs) && proven.includes(true) ? key : undefined;
}

const isLive = (key: ApiKey, nowMs: number): boolean => key.revokedAt === undefined && !hasExpired(key, nowMs);

/** The X-API-Key headers of a request. Of two nobody can tell which one is meant, so that they prove nothing. */
export const apiKeysOf = (event: Parameters<typeof valuesOf>[0]): string[] => valuesOf(event, "x-api-key");

export const hashSecret = (secret: string): string => createHash("sha256").update(secret).digest("hex");
