/** A mutant that no test can tell from the program: its place, the code that it replaces, and the reason. */
export type Equivalent = Readonly<{
  file: string;
  code: string;
  original: string;
  replacement: string;
  reason: string;
}>;

export const equivalents: readonly Equivalent[] = [];
