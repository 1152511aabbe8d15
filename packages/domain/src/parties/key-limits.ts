import { isWithin } from "./address-range.ts";

/** A request's effect: it reads, changes something, brings money nearer to somebody, or sets receivers of events. */
export const scopes = ["read", "write", "pay", "webhooks"] as const;
export type Scope = (typeof scopes)[number];

/** As many ranges fit into what the authorizer may say of a key. */
export const SOURCES_MAX = 50;

/** The bounds of a key beside its permissions. What is absent bounds nothing. */
export type KeyLimits = Readonly<{
  /** The moment from which on the key is refused, ISO 8601 in UTC. */
  expiresAt?: string;
  /** The ranges of addresses that the key may be used from, in CIDR notation. */
  sources?: readonly string[];
  scopes?: readonly Scope[];
}>;

/** A request that is made with a key. */
export type KeyUse = Readonly<{ scope: Scope; source: string; nowMs: number }>;

export type KeyRefusal =
  | Readonly<{ kind: "unauthorized" }>
  | Readonly<{ kind: "permission"; reason: string; legacyConstraint: string; failedRequirements: readonly string[] }>;

/** The refusal of a use that is beyond the limits of its key (Decision 002). */
export function refuseUse(limits: KeyLimits, { scope, source, nowMs }: KeyUse): KeyRefusal | undefined {
  const { sources, scopes: granted } = limits;
  if (hasExpired(limits, nowMs)) return { kind: "unauthorized" };
  if (sources !== undefined && !sources.some((range) => isWithin(source, range)))
    return forbidden("source", `The key may not be used from ${source}`);
  if (granted !== undefined && !granted.includes(scope))
    return forbidden(`scope:${scope}`, `The key lacks the scope ${scope}`);
  return undefined;
}

export const hasExpired = ({ expiresAt }: KeyLimits, nowMs: number): boolean =>
  expiresAt !== undefined && !(nowMs < Date.parse(expiresAt));

const forbidden = (lacks: string, reason: string): KeyRefusal => ({
  kind: "permission",
  reason,
  legacyConstraint: lacks,
  failedRequirements: [lacks],
});
