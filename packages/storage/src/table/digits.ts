/** A number as sort keys hold it, so that they follow its order. */
export const digits = (number: number, length: number): string => String(number).padStart(length, "0");
