/** The exit codes of commands that did not do what was asked; 1 is left for bugs. */
export const exitCodes = {
  /** A wrong command line, or one that leaves a question open where nobody is there to answer it. */
  usage: 2,
  /** The service, its store, a rail or AWS does not answer, or lets nobody in. */
  unreachable: 3,
  /** Refused, unknown, or found to be wrong. */
  refused: 4,
  /** Stored as a proposal, which another person has to agree to. */
  proposed: 5,
  /** Ctrl-C at a question. */
  interrupted: 130,
} as const;

/** The reason why a command was not carried out, in one line for its user. */
export class Refusal extends Error {
  readonly kind: keyof typeof exitCodes;

  constructor(message: string, kind: keyof typeof exitCodes = "refused") {
    super(message);
    this.kind = kind;
  }
}
