/** The fields of a value whose shape nobody has checked yet. */
export type Fields = Readonly<Record<string, unknown>>;

/** Whether a value has fields; a list has them, too, by its numbers. */
export const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null;
