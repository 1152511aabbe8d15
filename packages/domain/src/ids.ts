/** No id that is issued is longer, and much longer ones could not be keys of the store. */
export const ID_LENGTH_MAX = 128;

/** The source of random bytes for ids. It is a parameter, because the domain itself is pure. */
export type RandomBytes = (count: number) => Uint8Array;

/** Numeric ids count milliseconds from this moment, so that 41 bits last until 2089. */
const NUMERIC_EPOCH_MS = Date.UTC(2020, 0, 1);

/** A record id: 48 bits of milliseconds and 48 random ones as 24 hex characters, so that ids sort by creation (H36). */
export function newRecordId(nowMs: number, random: RandomBytes): string {
  return nowMs.toString(16).padStart(12, "0") + toHex(random(6));
}

/** A numeric id below 2^53: 41 bits of milliseconds and 12 random ones (H35). Store it put-if-absent. */
export function newNumericId(nowMs: number, random: RandomBytes): number {
  const [high = 0, low = 0] = random(2);
  return (nowMs - NUMERIC_EPOCH_MS) * 4096 + (((high << 8) | low) & 0xfff);
}

/** The numeric ids of one batch: consecutive numbers, so that no two are equal. */
export function numericIds(nowMs: number, random: RandomBytes): () => number {
  let next = newNumericId(nowMs, random);
  return () => next++;
}

/** A random version 4 UUID (RFC 9562). */
export function newUuid(random: RandomBytes): string {
  const bytes = random(16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return toHex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** The one spelling of an id: UUIDs are issued in lower case, and some systems write them in upper case. */
export const toOneSpelling = (id: string): string => (UUID.test(id) ? id.toLowerCase() : id);
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Every token of a link is so long. */
export const LINK_TOKEN_LENGTH = 32;

/** An opaque public token of 192 random bits, base64url. */
export function newLinkToken(random: RandomBytes): string {
  return btoa(String.fromCharCode(...random((LINK_TOKEN_LENGTH * 3) / 4)))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
}

/** The moment, as records state it, at which the record with this id was created. */
export const createdAtOf = (recordId: string): string =>
  new Date(Number.parseInt(recordId.slice(0, 12), 16)).toISOString();

const toHex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
