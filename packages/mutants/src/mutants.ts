import { createHash } from "node:crypto";
import { type Change, changesOf } from "./operators.ts";
import { type Node, parse, walk } from "./syntax.ts";

/** One wrong program: `file` with `original` replaced. `line` counts from 1; `code` is the text of that line. */
export type Mutant = Readonly<{
  file: string;
  line: number;
  code: string;
  original: string;
  replacement: string;
  change: Change;
}>;

/** A mutant and the number by which it is woken. */
export type Planted = Readonly<{ id: number; mutant: Mutant }>;

/** All mutants of a source, in the order of its text. */
export function mutantsOf(file: string, text: string): Mutant[] {
  const source = ({ start, end }: Node) => text.slice(start, end);
  const lines = text.split("\n");
  const found: Change[] = [];
  const links = new Set<Node>();
  walk(parse(text), (node, place) => {
    // A link of an optional chain belongs to the whole chain: on its own, it would no longer end the chain.
    if (
      place.parent?.type === "ChainExpression" ||
      (place.parent && links.has(place.parent) && /^(object|callee|expression)$/.test(place.key))
    )
      links.add(node);
    if (!links.has(node)) found.push(...changesOf(node, place, source));
  });
  return found.map((change) => {
    const line = text.slice(0, change.node.start).split("\n").length;
    const { replacement } = change;
    return { file, line, code: (lines[line - 1] ?? "").trim(), original: source(change.node), replacement, change };
  });
}

/**
 * A sample that stays the same when other code changes: only a mutant's own text decides whether it is in the sample.
 */
export function sample(mutants: readonly Mutant[], size: number, seed: string): Mutant[] {
  const seen = new Map<string, number>();
  const ranked = mutants.map((mutant) => {
    const name = [mutant.code, mutant.original, mutant.replacement].join("\n");
    const nth = seen.get(name) ?? 0;
    seen.set(name, nth + 1);
    return { mutant, rank: createHash("sha256").update(`${seed}\n${nth}\n${name}`).digest("hex") };
  });
  const chosen = ranked.toSorted((a, b) => (a.rank < b.rank ? -1 : 1)).slice(0, size);
  const kept = new Set(chosen.map(({ mutant }) => mutant));
  return mutants.filter((mutant) => kept.has(mutant));
}

/** The expression at a mutant's place that asks whether this mutant is awake; `inside-tests.ts` answers. */
const asks = (id: number): string => `globalThis.isMutant?.(${id})`;

/**
 * A text to insert into a source. If several mutants begin or end at one place, the outer ones enclose the inner ones.
 */
type Insert = Readonly<{ at: number; order: readonly number[]; text: string }>;

/** The source with all of `mutants` in it, each asleep until its id is woken. */
export function plant(text: string, mutants: readonly Planted[]): string {
  const inserts = mutants.flatMap(({ id, mutant: { change } }) => {
    const { start, end } = change.node;
    const width = end - start;
    const ways: Readonly<Record<Change["how"], readonly Insert[]>> = {
      replace: [
        { at: start, order: [1, -width, id], text: `(${asks(id)}?(${change.replacement}):(` },
        { at: end, order: [0, width, -id], text: "))" },
      ],
      // In braces, because an `else` behind the statement would belong to this `if`.
      skip: [
        { at: start, order: [1, -width, id], text: `{if(!${asks(id)})` },
        { at: end, order: [0, width, -id], text: "}" },
      ],
      leave: [{ at: start + 1, order: [1, -width, id], text: `if(${asks(id)})return;` }],
    };
    return ways[change.how];
  });
  const compare = (a: readonly number[], b: readonly number[]): number =>
    a.map((value, index) => value - (b[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
  let [planted, from] = ["", 0];
  for (const insert of inserts.toSorted((a, b) => a.at - b.at || compare(a.order, b.order))) {
    planted += text.slice(from, insert.at) + insert.text;
    from = insert.at;
  }
  return planted + text.slice(from);
}
