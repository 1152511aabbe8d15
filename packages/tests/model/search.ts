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

type Node<State> = Readonly<{
  state: State;
  name: string;
  from: Node<State> | undefined;
  withoutFaultFrom: Node<State>[];
}>;

/** The names of the steps from a beginning to a state. */
const wayTo = <State>(node: Node<State> | undefined): readonly string[] =>
  node?.from === undefined ? [] : [...wayTo(node.from), node.name];

/** A world with more states than that has one that grows for ever. */
const STATES_MAX = 100_000;

/** Visits every state of a world, nearest first, until one breaks a law. */
export function search<State>({ begins, steps, laws, isEnd }: World<State>): Found {
  const nodes = new Map<string, Node<State>>();
  const reach = (state: State, name: string, from?: Node<State>): Node<State> => {
    const key = JSON.stringify(state);
    const node = nodes.get(key) ?? { state, name, from, withoutFaultFrom: [] };
    nodes.set(key, node);
    return node;
  };
  for (const state of begins) reach(state, "");
  for (const node of nodes.values()) {
    const broken = Object.keys(laws).find((law) => !laws[law]?.(node.state));
    if (nodes.size > STATES_MAX) throw new Error(`The world has more than ${STATES_MAX} states`);
    if (broken) return { states: nodes.size, broken, way: wayTo(node) };
    for (const [name, after, isFault] of steps(node.state)) {
      const next = reach(after, name, node);
      if (!isFault) next.withoutFaultFrom.push(node);
    }
  }
  const saved = new Set([...nodes.values()].filter(({ state }) => isEnd(state)));
  for (const node of saved) for (const from of node.withoutFaultFrom) saved.add(from);
  const stuck = [...nodes.values()].find((node) => !saved.has(node));
  return { states: nodes.size, ...(stuck && { broken: PROGRESS }), way: wayTo(stuck) };
}
