import type { Projection } from "./query.ts";
import { isEmbedded, type Value } from "./value.ts";

/** Paths as a tree, in which a path is found below its parent; `true` means everything below. */
type Tree = Readonly<{ [name: string]: Tree | true }>;

/** The named fields of an item, or all but them. A path through an array stands for each of its elements. */
export function project(projection: Projection | undefined, item: object): object {
  if (projection === undefined) return item;
  const tree = toTree(projection.paths.map((path) => path.split(".")));
  return (projection.mode === "include" ? included(item, tree) : excluded(item, tree)) as object;
}

/** The tree of some paths. A path covers all paths below it. */
function toTree(paths: readonly (readonly string[])[]): Tree {
  const byName = Object.entries(Object.groupBy(paths, ([name = ""]) => name));
  return Object.fromEntries(
    byName.map(([name, group = []]) => {
      const below = group.map((path) => path.slice(1));
      return [name, below.some(({ length }) => length === 0) ? true : toTree(below)];
    }),
  );
}

/** The named fields of a value; undefined for a value that has no fields. */
function included(node: Value, tree: Tree): Value {
  if (Array.isArray(node)) return node.map((element) => included(element, tree)).filter((kept) => kept !== undefined);
  if (!isEmbedded(node)) return undefined;
  return pick(node, (name, value) => {
    const below = branch(tree, name);
    return below === undefined || below === true ? below && value : included(value, below);
  });
}

function excluded(node: Value, tree: Tree): Value {
  if (Array.isArray(node)) return node.map((element) => excluded(element, tree));
  if (!isEmbedded(node)) return node;
  return pick(node, (name, value) => {
    const below = branch(tree, name);
    if (below === true) return undefined;
    return below === undefined ? value : excluded(value, below);
  });
}

const branch = (tree: Tree, name: string) => (Object.hasOwn(tree, name) ? tree[name] : undefined);

const pick = (node: object, keep: (name: string, value: Value) => Value): object =>
  Object.fromEntries(
    Object.entries(node)
      .map(([name, value]) => [name, keep(name, value)] as const)
      .filter(([, kept]) => kept !== undefined),
  );
