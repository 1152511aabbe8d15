import { dirname, join } from "node:path";
import type { File } from "./tidy-fixture.ts";

/**
 * Whether a file belongs to the product. Tests, their fixtures and measurements may import anything, and no other file
 * may import them.
 */
export const isProduct = ({ path }: Pick<File, "path">): boolean =>
  !/^packages\/tests\/|^packages\/\w+\/test\/|(\.test|-fixture|\.config)\.tsx?$/.test(path);

/** Every module that a file imports: also for its types alone, by `import()`, or for its effect. */
export const importsOf = ({ text }: Pick<File, "text">): string[] =>
  [...text.matchAll(/\b(?:from |import |import\()"([^"\s]+)"/g)].map(([, name = ""]) => name);

/** The files of the project that a file imports. */
export const targetsOf = (file: File): string[] =>
  importsOf(file).flatMap((name) => {
    if (name.startsWith(".")) return [join(dirname(file.path), name)];
    const [, place = "", rest = ""] = /^@intents\/([^/]+)\/(.+)$/.exec(name) ?? [];
    if (rest === "") return [];
    if (place === "functions" || place === "infra") return [`${place}/${rest}`];
    return [
      place === "tests" || rest.startsWith("test/") ? `packages/${place}/${rest}` : `packages/${place}/src/${rest}`,
    ];
  });

export const packageOf = (path: string): string => /^(?:packages\/)?[^/]+/.exec(path)?.[0] ?? path;

/** The folder or the loose file of its package that a file belongs to. */
export const partOf = (path: string): string =>
  path
    .slice(packageOf(path).length + 1)
    .replace(/^src\//, "")
    .split("/")[0] ?? "";
