import type { Step } from "./search.ts";

export type Word = "accepted" | "refused" | "duplicate";

/** An execution at the rail: its final word, how often it has paid, and whether a request to pay it is on its way. */
export type Execution = Readonly<{ word: Word | "none"; paid: number; onWay: boolean }>;
export const unasked: Execution = { word: "none", paid: 0, onWay: false };

/** A worker that holds a claim: it asks, and waits until it has heard. `isOurs`: nobody has taken the claim over. */
export type Worker = Readonly<{ at: "idle" | "holds" | "waits" | "unreachable" | "unknown" | Word; isOurs: boolean }>;

const replaced = <Item>(all: readonly Item[], at: number, by: Partial<Item>): Item[] =>
  all.map((item, index) => (index === at ? { ...item, ...by } : item));

/** Workers in an order of their own, because it does not matter which of them is which. */
export const withWorker = <One extends object>(all: readonly One[], index: number, one: One): One[] =>
  all.with(index, one).toSorted((a, b) => (Object.values(a).join() < Object.values(b).join() ? -1 : 1));

/**
 * Requests under way, and a rail as docs/rail-api.yaml promises it: its first word about an execution stands, until it
 * forgets. A request arrives late or twice, or is lost.
 */
export function* railSteps(
  rail: readonly Execution[],
  mayForget: (id: number) => boolean,
): Generator<Step<readonly Execution[]>> {
  for (const [id, { word, paid, onWay }] of rail.entries()) {
    if (mayForget(id) && !onWay) yield ["rail: forgets", replaced(rail, id, { word: "none" }), "fault"];
    if (!onWay) continue;
    yield ["network: loses the request", replaced(rail, id, { onWay: false }), "fault"];
    for (const said of word === "none" ? (["accepted", "refused", "duplicate"] as const) : [word]) {
      const heard = { word: said, paid: paid + (word === "none" && said === "accepted" ? 1 : 0) };
      yield [`rail: ${said}`, replaced(rail, id, { ...heard, onWay: false })];
      yield ["network: doubles the request", replaced(rail, id, heard), "fault"];
    }
  }
}

/** The next steps of a claim's worker, each with the state of the rail after it. */
export function* askSteps(
  at: Worker["at"],
  id: number,
  rail: readonly Execution[],
): Generator<readonly [name: string, at: Worker["at"], rail: readonly Execution[], isFault?: "fault" | undefined]> {
  if (at === "holds") yield ["rails/ask.ts askToExecute", "waits", replaced(rail, id, { onWay: true })];
  if (at === "holds") yield ["network: reaches nobody", "unreachable", rail, "fault"];
  const { word = "none" } = rail[id] ?? {};
  if (at === "waits" && word !== "none") yield ["network: brings the answer", word, rail];
  if (at === "waits") yield ["network: is silent", "unknown", rail];
}
