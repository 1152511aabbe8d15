/** Whether `test:whole` runs, which tries all of what the suite takes a sample of. */
export const isWhole: boolean = process.env["WHOLE"] === "1";

/** The runs of a property: in the suite a few, always the same ones; else more, and other ones each time. */
export const draw = (inSuite: number, whole: number): Readonly<{ numRuns: number; seed?: number }> =>
  isWhole ? { numRuns: whole } : { numRuns: inSuite, seed: 20_260_101 };
