import { expect, test } from "vitest";
import { acceptsCoding } from "./compression.ts";

test.each([
  ["gzip", true],
  ["br, GZIP ; q=0.5", true],
  ["*", true],
  ["identity;q=1, *;q=0.1", true],
  ["", false],
  ["identity", false],
  ["gzip;q=0", false],
  ["gzip; q=0.000, *", false],
  ["*;q=0", false],
  ["gzipped", false],
])("a caller of Accept-Encoding %j is answered in gzip: %s", (header, isAccepted) => {
  expect(acceptsCoding(header, ["gzip"])).toBe(isAccepted);
});
