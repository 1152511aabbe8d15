/**
 * A link as its record has it: the one source of who may pay it. Its intent stays `pending_link_payment` for its whole
 * life (SPEC, States), and its `linkClosedAt` is written together with the end of the record.
 */
export type LinkState = Readonly<{
  /** The payment that closed it for good. */
  closedBy?: string;
  /** A payment by a single-use link is under review; until it is not, nobody pays the link. */
  isUnderReview: boolean;
  /** The payment that holds a single-use link, and when the rail is asked to call it off, milliseconds since 1970. */
  holder?: Readonly<{ id: string; untilMs: number }>;
}>;

/** The payment that keeps other payers from a link; a closed link is held by nobody. */
export const holderOf = ({ closedBy, holder }: LinkState): LinkState["holder"] =>
  closedBy === undefined ? holder : undefined;

/** Whether nobody may pay a link now: it is closed, under review, or its tenant is suspended. */
export const isStopped = ({ closedBy, isUnderReview }: LinkState, isSuspended: boolean): boolean =>
  closedBy !== undefined || isUnderReview || isSuspended;
