import { BlockList } from "node:net";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isAddressRange, isWithin } from "./address-range.ts";

describe("a range", () => {
  test.each([
    ["203.0.113.0/24", "203.0.113.0", "203.0.113.255", "203.0.114.0"],
    ["203.0.113.7", "203.0.113.7", "::ffff:203.0.113.7", "203.0.113.8"],
    ["0.0.0.0/0", "0.0.0.0", "255.255.255.255", "::1"],
    ["2001:db8::/32", "2001:db8::", "2001:DB8:ffff::1", "2001:db9::"],
    ["2001:db8::1", "2001:db8::1", "2001:db8:0:0:0:0:0:1", "2001:db8::2"],
    ["::/0", "::", "ffff::", "203.0.113.7"],
    ["64:ff9b::/96", "64:ff9b::192.0.2.33", "64:ff9b::c000:221", "64:ff9c::192.0.2.33"],
  ])("%s holds %s and %s, and not %s", (range, one, other, outside) => {
    expect(isAddressRange(range)).toBe(true);
    expect([one, other, outside].map((address) => isWithin(address, range))).toEqual([true, true, false]);
  });

  test.each([
    ...["", "203.0.113", "203.0.113.0/33", "203.0.113.7/24", "203.0.113.0/", "203.0.113.0/24/1", "203.0.113.00"],
    ...["256.0.0.1", "2001:db8::/129", "2001:db8::1::", "2001:db8", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7::8:9"],
    ...["::ffff:203.0.113.0/120", "fe80::1%eth0", "g::", "::203.0.113.256", ":", "2001:db8::1/32", " 203.0.113.7"],
  ])("%j is none, and holds nothing", (text) => {
    expect(isAddressRange(text)).toBe(false);
    expect(["203.0.113.0", "2001:db8::1", "::", text].filter((address) => isWithin(address, text))).toEqual([]);
  });

  test("holds what Node's own list of addresses holds", () => {
    const kinds = fc.constantFrom({ kind: "ipv4", bits: 32, text: toIPv4 }, { kind: "ipv6", bits: 128, text: toIPv6 });
    const near = kinds.chain((kind) =>
      fc.record({
        kind: fc.constant(kind),
        value: fc.bigInt({ min: 0n, max: 2n ** BigInt(kind.bits) - 1n }),
        prefix: fc.nat(kind.bits),
        flipped: fc.nat(kind.bits - 1),
      }),
    );
    fc.assert(
      fc.property(near, ({ kind: { kind, bits, text }, value, prefix, flipped }) => {
        const beyond = BigInt(bits - prefix);
        const network = text((value >> beyond) << beyond);
        const list = new BlockList();
        list.addSubnet(network, prefix, kind as "ipv4" | "ipv6");
        for (const address of [text(value), text(value ^ (1n << BigInt(flipped)))]) {
          const holds = list.check(address, kind as "ipv4" | "ipv6");
          expect(isWithin(address, `${network}/${prefix}`)).toBe(holds);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

const partsOf = (value: bigint, count: number, bits: bigint): bigint[] =>
  Array.from({ length: count }, (_, index) => (value >> (bits * BigInt(count - 1 - index))) % (1n << bits));
const toIPv4 = (value: bigint): string => partsOf(value, 4, 8n).join(".");
const toIPv6 = (value: bigint): string =>
  partsOf(value, 8, 16n)
    .map((group) => group.toString(16))
    .join(":");
