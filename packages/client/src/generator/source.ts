import type { Document } from "./document.ts";
import { writeErrors } from "./errors.ts";
import { type Method, methodsOf } from "./methods.ts";
import { methodsTypeOf } from "./names.ts";
import { type Rule, SCENARIO, writeScenarios } from "./scenarios.ts";
import { findHomes, type Homes, importsFor, writeSchemas } from "./schemas.ts";

const HEAD = "// Written from docs/openapi.json by `pnpm build`, and never by hand.\n\n";

/**
 * The part of the client that follows from the contract and the rules of payments: the text of each file, by its place
 * below `src`.
 */
export function writeSource(document: Document, rules: readonly Rule[]): Record<string, string> {
  const homes: Homes = new Map([...findHomes(document), [SCENARIO, "scenarios"]]);
  const methods = methodsOf(document);
  // A resource is one type, wherever its methods are served.
  const byResource = Map.groupBy(methods, ({ resource }) => resource);
  const tags = new Map([...byResource].map(([resource, [first]]) => [resource, first?.tag ?? ""]));
  const byTag = Map.groupBy(methods, ({ resource }) => tags.get(resource) ?? "");
  const files = {
    ...writeSchemas(document, homes, { errors: writeErrors(document) }),
    ...Object.fromEntries([...byTag].map(([tag, some]) => [`api/${tag}.ts`, writeMethods(some, homes)])),
    "schemas/scenarios.ts": writeScenarios(rules),
    "api/routes.ts": writeRoutes(methods),
    "api/resources.ts": writeResources(tags),
  };
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [name, HEAD + text]));
}

/** Hand-written types that methods are made of, and where they are. */
const ours: Homes = new Map([
  ["List", "lists"],
  ["Query", "lists"],
  ["Whole", "lists"],
  ["Options", "route"],
  ["Upload", "uploads"],
]);

function writeMethods(methods: readonly Method[], homes: Homes): string {
  const types = [...Map.groupBy(methods, ({ resource }) => resource)].map(([resource, some]) => {
    return `export type ${methodsTypeOf(resource)} = {\n${some.map(({ declaration }) => declaration).join("\n")}};\n`;
  });
  const text = types.join("\n");
  const imports = [importsFor(text, ours, "", "../"), importsFor(text, homes, "", "../schemas/")];
  return `${imports.map((lines) => lines.trimEnd()).join("\n")}\n\n${text}`;
}

/** One table of all routes, from which every method is made. */
function writeRoutes(methods: readonly Method[]): string {
  const resources = [...Map.groupBy(methods, ({ resource }) => resource)].map(([resource, some]) => {
    return `  ${resource}: {\n${some.map(({ row }) => row).join("")}  },\n`;
  });
  return [
    'import type { Route } from "../route.ts";\n\n',
    "/** Every route that a holder of a key calls, by its resource and method. */\n",
    `export const routes = {\n${resources.join("")}} as const satisfies Readonly<Record<string, Readonly<Record<string, Route>>>>;\n`,
  ].join("");
}

function writeResources(tags: ReadonlyMap<string, string>): string {
  const resources = [...tags];
  const byTag = Map.groupBy(resources, ([, tag]) => tag);
  const imports = [...byTag].toSorted().map(([tag, some]) => {
    const names = some.map(([resource]) => methodsTypeOf(resource)).toSorted();
    return `import type { ${names.join(", ")} } from "./${tag}.ts";\n`;
  });
  const fields = resources.map(([resource]) => `  readonly ${resource}: ${methodsTypeOf(resource)};\n`);
  return [
    imports.join(""),
    "\n/** Every resource with its methods. `routes` has the rows that they are made from. */\n",
    `export type Resources = {\n${fields.join("")}};\n`,
  ].join("");
}
