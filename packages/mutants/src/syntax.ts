import { parseSync } from "vite";

/** A node of a syntax tree, with the properties that a walk needs. */
export type Node = Readonly<{ type: string; start: number; end: number; [key: string]: unknown }>;

/** The place of a node: its parent, and the parent's property that holds the node. */
export type Place = Readonly<{ parent: Node | undefined; key: string }>;

export const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";

export const childrenOf = (node: Node): { child: Node; key: string }[] =>
  Object.entries(node).flatMap(([key, value]) =>
    [value].flat().flatMap((child) => (isNode(child) ? [{ child, key }] : [])),
  );

export function parse(text: string): Node {
  const { program, errors } = parseSync("source.ts", text);
  if (errors[0] !== undefined) throw new Error(errors[0].message);
  return program as unknown as Node;
}

/** Whether a node has no effect when the program runs, or is no expression: types, imports, names of properties. */
const isInert = (node: Node, { parent, key }: Place): boolean =>
  /^(TS(?!AsExpression|SatisfiesExpression|NonNullExpression)|Import)/.test(node.type) ||
  key === "typeAnnotation" ||
  (key === "key" && parent?.["computed"] !== true) ||
  // An error's text is only for a person who reads a log.
  node.type === "ThrowStatement";

/** Visits every node that has an effect, outer ones first. */
export function walk(
  node: Node,
  visit: (node: Node, place: Place) => void,
  place: Place = { parent: undefined, key: "" },
) {
  if (isInert(node, place)) return;
  visit(node, place);
  for (const { child, key } of childrenOf(node)) walk(child, visit, { parent: node, key });
}
