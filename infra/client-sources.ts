import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { scenarioRules } from "@intents/domain/scenarios/rules.ts";
import { writeSource } from "../packages/client/src/generator/source.ts";
import { clientFolder, writtenParts } from "./bundle-client.ts";

/** The client's sources, made from docs/openapi.json and the rules of payments, by their paths. */
function sourcesOf(root: string): ReadonlyMap<string, string> {
  const document = JSON.parse(readFileSync(join(root, "docs/openapi.json"), "utf8"));
  const source = writeSource(document, scenarioRules);
  return new Map(Object.entries(source).map(([name, text]) => [join(clientFolder(root), "src", name), text]));
}

/**
 * Compares the client's folders with docs/openapi.json: `written` has missing and outdated files with their new contents,
 * `removed` has files of former documents.
 */
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
