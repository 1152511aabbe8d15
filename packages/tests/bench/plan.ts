import { median } from "./figures.ts";

/** The means of every measurement: its rounds, the size of a large list, and files of this run alone. */
export type Plan = Readonly<{
  rounds: number;
  records: number;
  /** The folder of all bundles: those of the functions, and the bare server's. */
  dist: string;
  /** The file of the recorded calls that the bare server repeats. */
  tapes: string;
}>;

/**
 * Runs the measurements one after the other, `rounds` times over, so that a slow minute slows all of them. Every other
 * round has the opposite order, so that none always comes first. A round's figure is the median of `repeats`.
 */
export async function interleave<Name extends string>(
  rounds: number,
  measurements: Readonly<Record<Name, () => Promise<number> | number>>,
  repeats = 1,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(measurements) as Name[];
  const figures = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, number[]>;
  for (let round = 0; round < rounds; round++) {
    const turns = round % 2 === 0 ? names : names.toReversed();
    for (const name of turns) {
      const repeated: number[] = [];
      while (repeated.length < repeats) repeated.push(await measurements[name]());
      figures[name].push(median(repeated));
    }
  }
  return figures;
}

/** The time until `work` ends, in milliseconds. */
export async function msOf(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}

/** The seeded key with every permission. */
export const KEY = "demo:demo-secret";
