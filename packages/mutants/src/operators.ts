import { changeExpression } from "./expressions.ts";
import { childrenOf, isNode, type Node, type Place } from "./syntax.ts";

/** A change of the program: it replaces an expression, skips a statement, or leaves a function at its beginning. */
export type Change = Readonly<{ node: Node; replacement: string; how: "replace" | "skip" | "leave" }>;

const swaps: Readonly<Record<string, readonly string[]>> = {
  ...{ "===": ["!=="], "!==": ["==="] },
  ...{ "<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"] },
  ...{ "+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"], "%": ["*"] },
  ...{ "&&": ["||"], "||": ["&&"] },
  ...{ "+=": ["-="], "-=": ["+="] },
};

/** Methods to replace by another one, or (`""`) to leave out. */
const methods: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ some: "every", every: "some", startsWith: "endsWith", endsWith: "startsWith", min: "max", max: "min" },
    ...{ toUpperCase: "toLowerCase", toLowerCase: "toUpperCase" },
    ...{ filter: "", slice: "", trim: "", toSorted: "", toReversed: "" },
  }),
);

const isText = (node: Node): boolean => node.type === "TemplateLiteral" || typeof node["value"] === "string";

/** The wrong versions of a node; `source` gives the text of a node. */
export function changesOf(node: Node, place: Place, source: (node: Node) => string): Change[] {
  const part = (key: string): Node => node[key] as Node;
  const replace = (...replacements: string[]): Change[] =>
    replacements.map((replacement) => ({ node, replacement, how: "replace" }));
  const without = (nodes: readonly Node[], [open, close]: string) =>
    nodes.map((_, index) => `${open}${nodes.toSpliced(index, 1).map(source).join(", ")}${close}`);
  const decides = place.key === "test";

  const own = ((): Change[] => {
    switch (node.type) {
      case "BinaryExpression":
      case "LogicalExpression":
      case "AssignmentExpression": {
        const [left, right, operator] = [part("left"), part("right"), String(node["operator"])];
        if (operator === "+" && (isText(left) || isText(right))) return [];
        const swapped = (swaps[operator] ?? []).map((other) => `${source(left)} ${other} ${source(right)}`);
        return replace(...swapped, ...(node.type === "LogicalExpression" ? [source(left), source(right)] : []));
      }
      case "UnaryExpression":
        return ["!", "-"].includes(String(node["operator"])) ? replace(source(part("argument"))) : [];
      case "UpdateExpression":
        return place.key === "update"
          ? []
          : replace(source(node).replace(/\+\+|--/, (op) => (op === "++" ? "--" : "++")));
      case "Literal":
        return replace(...changeLiteral(node, place));
      case "TemplateLiteral":
        return place.key === "quasi" ? [] : replace(...changeText(source(node), place));
      case "ArrayExpression":
        return replace(...without(node["elements"] as Node[], "[]"));
      case "ObjectExpression":
        return replace(...without(node["properties"] as Node[], "{}"));
      case "AwaitExpression":
        return replace(source(part("argument")));
      case "ChainExpression":
        return replace(...linksOf(part("expression")).map((at) => withoutLink(source(node), at - node.start)));
      case "CallExpression":
        return replace(...changeCall(node, source));
      case "ExpressionStatement":
        return [{ node, replacement: ";", how: "skip" }];
      case "ArrowFunctionExpression":
      case "FunctionDeclaration":
      case "FunctionExpression":
        return part("body").type === "BlockStatement"
          ? [{ node: part("body"), replacement: "{}", how: "leave" }]
          : [{ node: part("body"), replacement: "undefined", how: "replace" }];
      default:
        return [];
    }
  })();
  const fixed =
    !decides || node.type === "Literal" ? [] : place.parent?.type.match(/^(If|Cond)/) ? ["true", "false"] : ["false"];
  return [...replace(...fixed), ...own];
}

function changeLiteral(node: Node, place: Place): string[] {
  const { value, raw } = node as { value?: unknown; raw?: unknown };
  if (typeof value === "boolean") return [String(!value)];
  if (typeof value === "number") return [String(value + 1)];
  if (typeof value === "string") return changeText(String(raw), place);
  const pattern = node["regex"] === undefined ? "" : String(raw);
  return [pattern.replace(/^\/\^/, "/"), pattern.replace(/\$(\/\w*)$/, "$1")].filter((changed) => changed !== pattern);
}

/** The wrong versions of a string or a template, as it is written in the source. */
function changeText(written: string, { parent, key }: Place): string[] {
  const name = key === "value" && isNode(parent?.["key"]) ? String(parent["key"]["name"]) : undefined;
  const [quote, text] = [written[0] ?? "", written.slice(1, -1)];
  const changed = changeExpression(text, name) ?? [text === "" ? "mutant" : ""];
  return changed.map((other) => `${quote}${other}${quote}`);
}

function changeCall(node: Node, source: (node: Node) => string): string[] {
  const callee = node["callee"] as Node;
  const { object, property } = callee as { object?: unknown; property?: unknown };
  if (callee.type !== "MemberExpression" || !isNode(object) || !isNode(property)) return [];
  const other = methods.get(String(property["name"]));
  if (other === undefined) return [];
  if (other === "") return [source(object)];
  return [source(node).replace(source(callee), `${source(callee).slice(0, -source(property).length)}${other}`)];
}

/** The places of the optional links of a chain, without those of chains in its arguments. */
function linksOf(node: Node): number[] {
  const inner = node["object"] ?? node["callee"];
  if (!isNode(inner))
    return childrenOf(node).flatMap(({ child }) => (node.type === "TSNonNullExpression" ? linksOf(child) : []));
  return [...linksOf(inner), ...(node["optional"] === true ? [inner.end] : [])];
}

const withoutLink = (text: string, at: number): string =>
  text.slice(0, at) + text.slice(at).replace(/^\s*\?\.(?=([[(])?)/, (_, bracket) => (bracket === undefined ? "." : ""));
