/** The reason why a command was not carried out, in one line for its user. */
export class Refusal extends Error {}
