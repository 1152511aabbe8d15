import type { Row } from "./figures.ts";

/** What every measurement gets: how often, on which bundles, and where it may write. */
export type Plan = Readonly<{
  rounds: number;
  /** Every bundle: of the functions, and of what they are measured against. */
  dist: string;
  functions: readonly string[];
  folder: string;
  /** Whether a measurement of this name was asked for. */
  wants: (name: string) => boolean;
}>;

export type Measure = (plan: Plan) => Promise<Row[]>;

/**
 * Runs the measurements one after the other, `rounds` times over, so that a slow minute slows all of them; every other
 * round in the opposite order, so that none always comes first.
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

/** The seeded key with every permission, and another tenant's. */
export const KEY = "demo:demo-secret";
export const OTHER_KEY = "basic:basic-secret";
