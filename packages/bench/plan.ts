import type { Row } from "./figures.ts";

/** The means of every measurement: the number of rounds, the bundles, and a folder to write to. */
export type Plan = Readonly<{
  rounds: number;
  /** The folder of all bundles: those of the functions, and those of their baselines. */
  dist: string;
  functions: readonly string[];
  folder: string;
  /** Whether a measurement of this name was asked for. */
  wants: (name: string) => boolean;
}>;

export type Measure = (plan: Plan) => Promise<Row[]>;

/**
 * Runs the measurements one after the other, `rounds` times over, so that a slow minute slows all of them. Every other
 * round has the opposite order, so that none always comes first.
 */
export async function interleave<Name extends string>(
  rounds: number,
  measurements: Readonly<Record<Name, () => Promise<number> | number>>,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(measurements) as Name[];
  const figures = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, number[]>;
  for (let round = 0; round < rounds; round++) {
    const turns = round % 2 === 0 ? names : names.toReversed();
    for (const name of turns) figures[name].push(await measurements[name]());
  }
  return figures;
}

/** The seeded key with every permission. */
export const KEY = "demo:demo-secret";
export const OTHER_KEY = "basic:basic-secret";
