import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createdAtOf, newLinkToken, newNumericId, newRecordId, newUuid } from "./ids.ts";

const at = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2089, 0, 1) });
const bytes = (seed: Uint8Array) => (count: number) => seed.slice(0, count);
const seed = fc.uint8Array({ minLength: 24, maxLength: 24 });

describe("a record id", () => {
  test("is 24 hex characters that say when it was made, whatever its random part", () => {
    fc.assert(
      fc.property(at, seed, (nowMs, chance) => {
        const id = newRecordId(nowMs, bytes(chance));
        expect(id).toMatch(/^[0-9a-f]{24}$/);
        expect(createdAtOf(id)).toBe(new Date(nowMs).toISOString());
      }),
    );
  });

  test("sorts by when it was made", () => {
    fc.assert(
      fc.property(at, fc.integer({ min: 1, max: 10 ** 9 }), seed, seed, (nowMs, laterMs, first, second) => {
        expect(newRecordId(nowMs, bytes(first)) < newRecordId(nowMs + laterMs, bytes(second))).toBe(true);
      }),
    );
  });
});

describe("a numeric id", () => {
  test("is a positive integer that JSON carries exactly, larger the later it was made", () => {
    fc.assert(
      fc.property(at, seed, seed, (nowMs, first, second) => {
        const id = newNumericId(nowMs, bytes(first));
        expect(Number.isSafeInteger(id) && id >= 0).toBe(true);
        expect(newNumericId(nowMs + 1, bytes(second))).toBeGreaterThan(id);
      }),
    );
  });
});

test("a uuid is of version 4 and the RFC's variant, and all its other bits are random", () => {
  fc.assert(
    fc.property(seed, (chance) => {
      expect(newUuid(bytes(chance))).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    }),
  );
  expect(newUuid(() => new Uint8Array(16).fill(0xff))).toBe("ffffffff-ffff-4fff-bfff-ffffffffffff");
});

test("a link token holds 192 random bits in characters that a URL may contain, and loses none of them", () => {
  fc.assert(
    fc.property(seed, (chance) => {
      const token = newLinkToken(bytes(chance));
      expect(token).toMatch(/^[A-Za-z0-9_-]{32}$/);
      const plain = token.replaceAll("-", "+").replaceAll("_", "/");
      expect(Uint8Array.from(atob(plain), (character) => character.charCodeAt(0))).toEqual(chance);
    }),
  );
});
