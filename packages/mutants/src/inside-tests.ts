import { beforeEach, inject } from "vitest";

/** The id of the mutant that is awake, of those that `plant` has put into the sources; -1 for none. */
const awake = Number(inject("mutant" as never));
/** The ids of the mutants that the tests of this file reached, in any order. */
const reached: Record<number, true> = {};

Object.assign(globalThis, {
  isMutant: (id: number): boolean => {
    reached[id] = true;
    return id === awake;
  },
});

// Vitest sends the notes on a file once more when all its tests are over.
beforeEach(({ task }) => {
  Object.assign(task.file.meta, { reached });
});
