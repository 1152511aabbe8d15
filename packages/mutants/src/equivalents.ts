/** A mutant that no test can tell from the program: where it stands, what it replaces by what, and why that is so. */
export type Equivalent = Readonly<{
  file: string;
  code: string;
  original: string;
  replacement: string;
  reason: string;
}>;

export const equivalents: readonly Equivalent[] = [];
