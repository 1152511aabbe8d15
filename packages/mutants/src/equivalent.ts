import type { Mutant } from "./mutants.ts";

/** A mutant that no test can tell from the program: its place, the code that it replaces, and the reason. */
export type Equivalent = Readonly<{
  file: string;
  code: string;
  original: string;
  replacement: string;
  reason: string;
}>;

/** Whether an entry is about a mutant. */
export const isAbout = (mutant: Mutant, { file, code, original, replacement }: Equivalent): boolean =>
  [mutant.file, mutant.code, mutant.original, mutant.replacement].join("\n") ===
  [file, code, original, replacement].join("\n");
