import { expect, test } from "vitest";
import { newSecret, secretIn } from "./secret.ts";

test("secrets are 32 random bytes, and are found again at the end of an address", () => {
  const secrets = Array.from({ length: 100 }, newSecret);
  expect(new Set(secrets).size).toBe(100);
  for (const secret of secrets) {
    expect(Buffer.from(secret, "base64url")).toHaveLength(32);
    expect(Buffer.from(secret, "base64url").toString("base64url")).toBe(secret);
    expect(secretIn(`#${secret}`)).toBe(secret);
  }
});

test.each([
  "",
  "#",
  "#amount",
  `#${"a".repeat(31)}`,
  `#${"a".repeat(129)}`,
  `#${"a".repeat(42)}!`,
  `#${"é".repeat(43)}`,
])("%j holds no secret", (hash) => {
  expect(secretIn(hash)).toBeUndefined();
});
