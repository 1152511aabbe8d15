/** Whether `test:whole` runs, which tries all of what the suite takes a sample of. */
const isWhole: boolean = process.env["WHOLE"] === "1";

/** Every `nth` in the suite, else all. */
export const some = <T>(all: readonly T[], nth: number): readonly T[] =>
  isWhole ? all : all.filter((_, index) => index % nth === 0);

/** The runs of a property, the same ones each time: in the suite a few, else more. */
export const draw = (inSuite: number, whole: number): Readonly<{ numRuns: number; seed: number }> => ({
  numRuns: isWhole ? whole : inSuite,
  seed: 20_260_101,
});
