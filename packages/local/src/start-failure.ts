/** The reason why the service cannot start, in one line for the person who started it. */
export class StartFailure extends Error {}
