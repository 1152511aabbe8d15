/** Recorded requests and answers of a running service: by operation, and there by `request` or by status. */
export type Examples = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The recorded request or answer of an operation, if there is one. */
export const exampleOf = (examples: Examples, operationId: string, which: string): unknown =>
  examples[operationId]?.[which];
