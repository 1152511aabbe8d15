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

/** The whole seconds, at least one, until another worker can take the claim. */
export const leaseSeconds = ({ leaseUntilMs }: Pick<Claim, "leaseUntilMs">, nowMs: number): number =>
  Math.max(1, Math.ceil((leaseUntilMs - nowMs) / 1000));
