/** The right to ask a rail to pay one execution: a whole submission, or one leg of a batch. */
export type Claim = Readonly<{
  executionId: string;
  /** Raised by whoever takes the claim; only the holder of the current attempt may write what came of it (H5). */
  attempt: number;
  /** Until then nobody else takes it. */
  leaseUntilMs: number;
  /** Since when the rail may know the execution. */
  claimedAtMs: number;
}>;

/** The claim as its next holder has it: whoever held it before can write nothing any more. */
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

/** Whether somebody is asking the rail right now, as far as anybody can tell. */
export const isLeased = ({ leaseUntilMs }: Pick<Claim, "leaseUntilMs">, nowMs: number): boolean => leaseUntilMs > nowMs;

/** The whole seconds, at least one, until somebody else can take it. */
export const leaseSeconds = ({ leaseUntilMs }: Pick<Claim, "leaseUntilMs">, nowMs: number): number =>
  Math.max(1, Math.ceil((leaseUntilMs - nowMs) / 1000));
