import type { RandomBytes } from "@intents/domain/ids.ts";

/** All random choices of a simulated run, drawn from one seed. */
export type Random = Readonly<{
  /** An integer from 0 to `count` - 1. */
  below(count: number): number;
  chance(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name;
  bytes: RandomBytes;
}>;

/** Mulberry32: gives the same numbers for the same seed, on every machine. */
export function openRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number) => Math.floor(next() * count);
  return {
    below,
    chance: (probability) => next() < probability,
    pick: (items) => items[below(items.length)]!,
    weighted: (weights) => {
      const entries = Object.entries<number>(weights) as [keyof typeof weights, number][];
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [name, weight] of entries) {
        left -= weight;
        if (left < 0) return name;
      }
      return entries[0]![0];
    },
    bytes: (count) => Uint8Array.from({ length: count }, () => below(256)),
  };
}
