/** A step's name, the state after it, and its mark as a `fault`: possible, but needed for no end. */
export type Step<State> = readonly [name: string, after: State, isFault?: "fault" | undefined];

/** A protocol as a graph of plain states: where it begins, its steps, what holds in every state, and what it aims for. */
export type World<State> = Readonly<{
  begins: readonly State[];
  steps: (state: State) => Iterable<Step<State>>;
  laws: Readonly<Record<string, (state: State) => boolean>>;
  isEnd: (state: State) => boolean;
}>;

/** The law of progress: whatever has happened, steps without further faults lead to an end. */
export const PROGRESS = "an end can be reached";

/** A search's result: the broken law, if any, and the shortest way to a state that breaks it. */
export type Found = Readonly<{ states: number; broken?: string; way: readonly string[] }>;

/** Visits every state of a world, nearest first, until one breaks a law. */
export function search<State>({ begins, steps, laws, isEnd }: World<State>): Found {
  const states: State[] = [];
  const numbers = new Map<string, number>();
  const reachedBy: (readonly [from: number, name: string])[] = [];
  const calmlyFrom: number[][] = [];
  const numberOf = (state: State, from: number, name: string): number => {
    const key = JSON.stringify(state);
    const number = numbers.get(key) ?? states.length;
    if (number < states.length) return number;
    numbers.set(key, number);
    reachedBy.push([from, name]);
    calmlyFrom.push([]);
    return states.push(state) - 1;
  };
  const wayTo = (number: number): string[] => {
    const [from, name] = reachedBy[number] as [number, string];
    return from < 0 ? [] : [...wayTo(from), name];
  };
  for (const state of begins) numberOf(state, -1, "");
  for (const [at, state] of states.entries()) {
    const broken = Object.keys(laws).find((law) => !laws[law]?.(state));
    if (broken) return { states: states.length, broken, way: wayTo(at) };
    for (const [name, after, isFault] of steps(state)) {
      const to = numberOf(after, at, name);
      if (!isFault) calmlyFrom[to]?.push(at);
    }
  }
  const saved = new Set(states.keys().filter((at) => isEnd(states[at] as State)));
  for (const at of saved) for (const from of calmlyFrom[at] ?? []) saved.add(from);
  const stuck = states.findIndex((_, at) => !saved.has(at));
  const broken = stuck < 0 ? {} : { broken: PROGRESS };
  return { states: states.length, ...broken, way: stuck < 0 ? [] : wayTo(stuck) };
}
