import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { scenarioRules } from "@intents/domain/scenarios/rules.ts";
import { writeSource } from "../packages/client/src/generator/source.ts";
import { clientFolder, writtenParts } from "./bundle-client.ts";

/** The client's sources as the published document and the rules of payments have them, by their paths. */
function sourcesOf(root: string): ReadonlyMap<string, string> {
  const document = JSON.parse(readFileSync(join(root, "docs/openapi.json"), "utf8"));
  const source = writeSource(document, scenarioRules);
  return new Map(Object.entries(source).map(([name, text]) => [join(clientFolder(root), "src", name), text]));
}

/** The client's sources that are to be written, since they are missing or differ, and those that no document has any more. */
export function findClientChanges(root: string) {
  const sources = sourcesOf(root);
  const found = writtenParts(root).flatMap((folder) =>
    existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [],
  );
  // Another process may be writing the same files, under other names at first.
  const former = found.filter((path) => path.endsWith(".ts") && !sources.has(path));
  const isCurrent = (path: string) => existsSync(path) && readFileSync(path, "utf8") === sources.get(path);
  return {
    written: [...sources].filter(([path]) => !isCurrent(path)).map(([path, contents]) => ({ path, contents })),
    removed: former,
  };
}
