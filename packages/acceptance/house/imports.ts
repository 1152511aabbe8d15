import { dirname, join } from "node:path";
import type { File } from "./tidy-fixture.ts";

/** One row of the table of layers. Names stand in one text, with spaces between. */
export type Layer = Readonly<{
  /** The packages of this project that it may import; `*` for all of them. */
  on: string;
  /**
   * The packages of others that it may import; a name that ends in `/` or `:` covers all that begin with it, `*` any.
   */
  uses: string;
  /** Its folders and loose files from top to bottom. Each may import only those after it; absent if it has no order. */
  floors?: string;
}>;

export type Layers = Readonly<Record<string, Layer>>;

const namesIn = (names: string): string[] => names.split(" ").filter((name) => name !== "");

/**
 * Whether a file belongs to the product. Tests, their fixtures and measurements may import anything, and no other file
 * may import them.
 */
export const isProduct = ({ path }: Pick<File, "path">): boolean =>
  !/^packages\/(acceptance|bench|conformance)\/|(\.test|-fixture|\.config)\.tsx?$/.test(path);

/** Every module that a file imports: also for its types alone, by `import()`, or for its effect. */
export const importsOf = ({ text }: Pick<File, "text">): string[] =>
  [...text.matchAll(/\b(?:from |import |import\()"([^"\s]+)"/g)].map(([, name = ""]) => name);

/** The file of the project that an import leads to; undefined for a package of others. */
function targetOf(path: string, name: string): string | undefined {
  if (name.startsWith(".")) return join(dirname(path), name);
  const [, place = "", rest = ""] = /^@intents\/([^/]+)\/(.+)$/.exec(name) ?? [];
  if (rest === "") return undefined;
  if (place === "functions" || place === "infra") return `${place}/${rest}`;
  const isWhole = ["acceptance", "bench"].includes(place) || rest.startsWith("test/");
  return isWhole ? `packages/${place}/${rest}` : `packages/${place}/src/${rest}`;
}

/** The row of a file: that of its package, unless the file has one of its own. */
const rowOf = (layers: Layers, path: string): string | undefined =>
  Object.keys(layers)
    .filter((place) => path === place || path.startsWith(`${place}/`))
    .toSorted((one, other) => other.length - one.length)[0];

const packageOf = (path: string): string => /^(?:packages\/)?[^/]+/.exec(path)?.[0] ?? path;

/** The folder or loose file of its package that a file belongs to. */
const floorOf = (path: string): string =>
  path
    .slice(packageOf(path).length + 1)
    .replace(/^src\//, "")
    .split("/")[0] ?? "";

/** A sentence for every import that the table does not allow, and for every file that the table does not cover. */
export function breaches(files: readonly File[], layers: Layers): string[] {
  return files.flatMap((file): string[] => {
    const row = rowOf(layers, file.path);
    if (row === undefined) return [`${file.path} stands in no layer`];
    const homeless = isProduct(file) && !hasFloor(layers, file.path) ? [`${file.path} stands on no floor`] : [];
    if (!isProduct(file)) return homeless;
    const strays = importsOf(file).filter((name) => !isAllowed(layers, row, file.path, name));
    return [...homeless, ...strays.map((name) => `${file.path} must not import ${name}`)];
  });
}

function hasFloor(layers: Layers, path: string): boolean {
  const floors = layers[packageOf(path)]?.floors;
  return floors === undefined || namesIn(floors).includes(floorOf(path));
}

function isAllowed(layers: Layers, row: string, path: string, name: string): boolean {
  const { on, uses } = layers[row] ?? { on: "", uses: "" };
  const target = targetOf(path, name);
  if (target === undefined) {
    return namesIn(uses).some((used) => used === "*" || (/[/:]$/.test(used) ? name.startsWith(used) : name === used));
  }
  if (!isProduct({ path: target })) return false;
  const own = packageOf(path);
  if (packageOf(target) !== own) return on === "*" || namesIn(on).includes(packageOf(target).replace("packages/", ""));
  // Within its package, a file may import from its own folder and from those below it.
  const floors = namesIn(layers[own]?.floors ?? "");
  return floorOf(target) === floorOf(path) || floors.length === 0 || isBelow(floors, floorOf(path), floorOf(target));
}

const isBelow = (floors: readonly string[], above: string, below: string): boolean =>
  floors.includes(above) && floors.indexOf(below) > floors.indexOf(above);

/** The permissions of the table that no file needs: the table tells what is imported, not what might be. */
export function unusedArrows(files: readonly File[], layers: Layers): string[] {
  return Object.entries(layers).flatMap(([row, { on, uses }]) => {
    const names = files
      .filter((file) => isProduct(file) && rowOf(layers, file.path) === row)
      .flatMap((file) => importsOf(file).map((name) => targetOf(file.path, name) ?? name));
    const isUsed = (used: string) =>
      names.some((name) =>
        /[/:]$/.test(used) ? name.startsWith(used) : name === used || packageOf(name).replace("packages/", "") === used,
      );
    return [...namesIn(on), ...namesIn(uses)]
      .filter((used) => used !== "*" && !isUsed(used))
      .map((used) => `${row} does not need ${used}`);
  });
}

/** Circles of files that import each other, each circle once; imports of types alone count. */
export function circles(files: readonly File[]): string[][] {
  const texts = new Map(files.map((file) => [file.path, file]));
  const next = new Map(
    files.map((file) => [
      file.path,
      importsOf(file).flatMap((name) => {
        const target = targetOf(file.path, name);
        return target !== undefined && texts.has(target) ? [target] : [];
      }),
    ]),
  );
  const found: string[][] = [];
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    const at = trail.indexOf(path);
    if (at >= 0) found.push(trail.slice(at));
    if (at >= 0 || done.has(path)) return;
    for (const target of next.get(path) ?? []) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const path of next.keys()) visit(path, []);
  return found;
}
