/** The right to ask a rail to pay one execution: a whole submission, or one leg of a batch. */
export type Claim = Readonly<{
  executionId: string;
  /** Grows whenever a worker takes the claim; only the worker of the current attempt may store the outcome (H5). */
  attempt: number;
  /** The time until which no other worker takes the claim. */
  leaseUntilMs: number;
  /** The time since which the rail may know the execution. */
  claimedAtMs: number;
}>;

/** The claim as taken by its next holder, after which the former holder can write nothing any more. */
export const takeClaim = <Taken extends Omit<Claim, "claimedAtMs"> & Partial<Pick<Claim, "claimedAtMs">>>(
  claim: Taken,
  nowMs: number,
  leaseMs: number,
): Taken & Claim => ({
  ...claim,
  attempt: claim.attempt + 1,
  leaseUntilMs: nowMs + leaseMs,
  claimedAtMs: claim.claimedAtMs ?? nowMs,
});

/** Whether a worker is asking the rail right now, as far as its lease tells. */
export const isLeased = ({ leaseUntilMs }: Pick<Claim, "leaseUntilMs">, nowMs: number): boolean => leaseUntilMs > nowMs;

/**
 * The whole seconds after which to look at a taken claim again: as long as its holder has been at work, so that a race
 * of milliseconds costs one second, but never past the lease of `leaseMs`, since another worker can then take it.
 */
export function waitSeconds({ leaseUntilMs }: Pick<Claim, "leaseUntilMs">, nowMs: number, leaseMs: number): number {
  const leftMs = leaseUntilMs - nowMs;
  return Math.max(1, Math.ceil(Math.min(leftMs, leaseMs - leftMs) / 1000));
}
