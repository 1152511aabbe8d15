import { beforeEach, inject } from "vitest";

/** The mutant whose turn it is, of those that `plant` has put into the sources; -1 for none. */
const awake = Number(inject("mutant" as never));
/** Mutants that the tests of this file reached, in whatever order. */
const reached: Record<number, true> = {};

Object.assign(globalThis, {
  isMutant: (id: number): boolean => {
    reached[id] = true;
    return id === awake;
  },
});

// Vitest sends what is said of a file once more when all its tests are over.
beforeEach(({ task }) => {
  Object.assign(task.file.meta, { reached });
});
