/** Why a command was not carried out, in one line for whoever typed it. */
export class Refusal extends Error {}
