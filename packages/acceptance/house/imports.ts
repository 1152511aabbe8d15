import { dirname, join } from "node:path";
import type { File } from "./tidy-fixture.ts";

/** One row of the table of layers. Names stand in one text, with spaces between. */
export type Layer = Readonly<{
  /** The packages of this project that it may import; `*` for all of them. */
  on: string;
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
  !/^packages\/(acceptance|bench|conformance|tests)\/|(\.test|-fixture|\.config)\.tsx?$/.test(path);

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

const packageOf = (path: string): string => /^(?:packages\/(?:tests\/)?)?[^/]+/.exec(path)?.[0] ?? path;

/** The folder or loose file of its package that a file belongs to. */
const floorOf = (path: string): string =>
  path
    .slice(packageOf(path).length + 1)
    .replace(/^src\//, "")
    .split("/")[0] ?? "";

/**
 * A sentence for every import within the project that the table does not allow, and for every file that the table does
 * not cover. Imports of other packages are those that a package.json has: Biome and knip hold them to it.
 */
export function breaches(files: readonly File[], layers: Layers): string[] {
  return files.flatMap((file): string[] => {
    const layer = layers[packageOf(file.path)];
    if (layer === undefined) return [`${file.path} stands in no layer`];
    if (!isProduct(file)) return [];
    const homeless = hasFloor(layers, file.path) ? [] : [`${file.path} stands on no floor`];
    const strays = importsOf(file).filter((name) => !isAllowed(layer, file.path, name));
    return [...homeless, ...strays.map((name) => `${file.path} must not import ${name}`)];
  });
}

function hasFloor(layers: Layers, path: string): boolean {
  const floors = layers[packageOf(path)]?.floors;
  return floors === undefined || namesIn(floors).includes(floorOf(path));
}

function isAllowed({ on, floors = "" }: Layer, path: string, name: string): boolean {
  const target = targetOf(path, name);
  if (target === undefined) return true;
  if (!isProduct({ path: target })) return false;
  const [own, other] = [packageOf(path), packageOf(target)];
  if (other !== own) return on === "*" || namesIn(on).includes(other.replace("packages/", ""));
  // Within its package, a file may import from its own folder and from those below it.
  return floors === "" || floorOf(target) === floorOf(path) || isBelow(namesIn(floors), floorOf(path), floorOf(target));
}

const isBelow = (floors: readonly string[], above: string, below: string): boolean =>
  floors.includes(above) && floors.indexOf(below) > floors.indexOf(above);

/** The permissions of the table that no file needs: the table tells what is imported, not what might be. */
export function unusedArrows(files: readonly File[], layers: Layers): string[] {
  return Object.entries(layers).flatMap(([row, { on }]) => {
    const own = files.filter((file) => isProduct(file) && packageOf(file.path) === row);
    const used = own.flatMap((file) => importsOf(file).map((name) => packageOf(targetOf(file.path, name) ?? "")));
    return namesIn(on)
      .filter((name) => name !== "*" && !used.some((path) => path.replace("packages/", "") === name))
      .map((name) => `${row} does not need ${name}`);
  });
}
