/** An address of IPv4 (32 bits) or IPv6 (128 bits) as a number. */
type Address = Readonly<{ bits: 32 | 128; value: bigint }>;
type Range = Address & Readonly<{ prefix: number }>;

/** Whether the text is a range in CIDR notation: `203.0.113.0/24`, `2001:db8::/32`, or an address alone. */
export const isAddressRange = (text: string): boolean => parseRange(text) !== undefined;

/** Whether the address lies in the range. Text that is no address, or no range, lies in nothing. */
export function isWithin(address: string, range: string): boolean {
  const [one, all] = [parseAddress(address), parseRange(range)];
  if (one === undefined || all === undefined || one.bits !== all.bits) return false;
  const beyond = BigInt(all.bits - all.prefix);
  return one.value >> beyond === all.value >> beyond;
}

/** A range that names bits beyond its prefix is none: whoever writes `203.0.113.7/24` means one of two things. */
function parseRange(text: string): Range | undefined {
  const [written = "", length, ...more] = text.split("/");
  const address = parseAddress(written);
  // IPv4 is written as IPv4, so that a prefix counts the bits that everybody thinks of.
  if (address === undefined || more.length > 0 || (address.bits === 32 && written.includes(":"))) return undefined;
  if (length === undefined) return { ...address, prefix: address.bits };
  const prefix = /^(0|[1-9]\d{0,2})$/.test(length) ? Number(length) : Number.POSITIVE_INFINITY;
  if (prefix > address.bits) return undefined;
  const beyond = 2n ** BigInt(address.bits - prefix);
  return address.value % beyond === 0n ? { ...address, prefix } : undefined;
}

/** IPv4 that is written as IPv6 (`::ffff:203.0.113.7`), as some listeners tell it, is IPv4. */
function parseAddress(text: string): Address | undefined {
  const short = parseOctets(text);
  if (short !== undefined) return { bits: 32, value: short };
  const long = parseGroups(text);
  if (long === undefined) return undefined;
  return long >> 32n === 0xffffn ? { bits: 32, value: long % 2n ** 32n } : { bits: 128, value: long };
}

function parseOctets(text: string): bigint | undefined {
  const octets = text.split(".");
  const isAddress = octets.length === 4 && octets.every((octet) => /^(0|[1-9]\d{0,2})$/.test(octet) && +octet <= 255);
  return isAddress ? octets.reduce((sum, octet) => sum * 256n + BigInt(octet), 0n) : undefined;
}

function parseGroups(text: string): bigint | undefined {
  const [, start = text, end] = /^(.*:)([\d.]+\.[\d.]+)$/.exec(text) ?? [];
  const octets = end === undefined ? undefined : parseOctets(end);
  if (end !== undefined && octets === undefined) return undefined;
  const written = octets === undefined ? text : start + [octets >> 16n, octets % 65_536n].map(toHex).join(":");
  const halves = written.split("::");
  const [head = [], tail = []] = halves.map((half) => (half === "" ? [] : half.split(":")));
  const left = 8 - head.length - tail.length;
  if (halves.length > 2 || (halves.length === 2 ? left < 1 : left !== 0)) return undefined;
  const groups = [...head, ...Array.from({ length: left }, () => "0"), ...tail];
  if (!groups.every((group) => /^[\da-f]{1,4}$/i.test(group))) return undefined;
  return groups.reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n);
}

const toHex = (group: bigint): string => group.toString(16);
