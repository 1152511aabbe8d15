import { BlockList, isIP } from "node:net";
import { isLoopback } from "@intents/deployment/loopback.ts";

/** The IPv4 addresses that are not for everybody (RFC 6890 and its followers), as network and length. */
const RESERVED_V4 = [
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24"],
  ...["192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24"],
  ...["198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"],
];
/** Within what is routed, these are not: documentation, and forms that hold an IPv4 address. */
const RESERVED_V6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20", "2620:4f:8000::/48"];
/** IPv6 routes nothing else. */
const ROUTED_V6 = ["2000::/3"];

const reserved = listOf([...RESERVED_V4, ...RESERVED_V6]);
const routed = listOf(ROUTED_V6);

function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = "", length] = range.split("/");
    list.addSubnet(network, Number(length), network.includes(":") ? "ipv6" : "ipv4");
  }
  return list;
}

/** Whether anybody may be sent requests at this address: it is one that the Internet routes. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !reserved.check(address, "ipv4");
  return family === 6 && routed.check(address, "ipv6") && !reserved.check(address, "ipv6");
}

/** The addresses that may be called. */
export type Egress = Readonly<{
  /** Addresses of this machine may be called as well, over any port and without TLS: on one machine only. */
  isLocal: boolean;
  /** The service's own host names. */
  own: readonly string[];
}>;

const PORTS = ["", "443", "8443"];

/** The reason why an endpoint may not have this URL; undefined if it may, as far as its text tells. */
export function urlProblem(text: string, { isLocal, own }: Egress): string | undefined {
  const url = URL.parse(text);
  if (url === null) return "url must be an address such as https://example.com/hooks";
  const { protocol, hostname, port, username, password } = url;
  if (username !== "" || password !== "") return "url must not have a user or password";
  if (isLocal && isLoopback(hostname)) return /^https?:$/.test(protocol) ? undefined : "url must be http or https";
  if (protocol !== "https:") return "url must be https";
  if (!PORTS.includes(port)) return "url must be on port 443 or 8443";
  if (own.includes(hostname)) return "url must not be of this service";
  const address = hostname.replace(/^\[|\]$/g, "");
  const isName = isIP(address) === 0 && address.includes(".") && !address.endsWith(".localhost");
  return isName || isPublicAddress(address) ? undefined : "url must be a public address";
}

/** Whether a connection to this address may be made, for a URL with this host name. */
export const mayConnect = (hostname: string, address: string, { isLocal }: Egress): boolean =>
  isPublicAddress(address) || (isLocal && isLoopback(hostname) && /^(127\.|::1$)/.test(address));
