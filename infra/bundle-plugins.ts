import { readFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import type { Plugin } from "esbuild";

/**
 * Gives its value to each constant that a source only declares, by `declare const NAME: …`. Sources that declare none are
 * bundled meanwhile. (esbuild's own `define` would put a call for every value before every module of every bundle.)
 */
export const putIn = (values: Promise<Readonly<Record<string, unknown>>>): Plugin => ({
  name: "put-in",
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]functions[\\/].*\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      const names = [...source.matchAll(/^declare const (\w+):/gm)].map(([, name = ""]) => name);
      if (names.length === 0) return undefined;
      const known = await values;
      const unknown = names.filter((name) => !(name in known));
      if (unknown.length > 0) return { errors: unknown.map((name) => ({ text: `Nothing gives ${name} its value` })) };
      // They stand before the first line, whose number it keeps.
      const constants = names.map((name) => `const ${name} = ${JSON.stringify(known[name])}; `);
      return { contents: constants.join("") + source, loader: "ts" };
    });
  },
});

/**
 * Leaves out of bundles what they load when they need it, by `await import("./….ts")`, and adds it to `parts`: file by
 * name. Each part is to be a bundle of its own beside those that load it. Inside of them, the part and all that it has
 * in common with them would be wrapped so that it can run later, and be read twice at every cold start.
 */
export const setApart = (parts: Map<string, string>): Plugin => ({
  name: "set-apart",
  setup: ({ onResolve, resolve }) => {
    onResolve({ filter: /\.tsx?$/ }, async ({ kind, path, resolveDir, importer }) => {
      if (kind !== "dynamic-import") return undefined;
      const { path: file, errors } = await resolve(path, { kind: "import-statement", resolveDir, importer });
      if (errors.length > 0) return { errors };
      const name = `${basename(dirname(file))}-${basename(file).replace(/\.tsx?$/, "")}`;
      if ((parts.get(name) ?? file) !== file) throw new Error(`${parts.get(name)} and ${file} need other names`);
      parts.set(name, file);
      return { path: `./${name}.cjs`, external: true };
    });
  },
});

/**
 * Leaves out the SDK's reader of event streams, which the SDK loads when it gets one: nothing that functions call
 * answers with one, and what it has in common with the rest of the SDK would be wrapped like that of a part.
 */
export const withoutEventStreams: Plugin = {
  name: "without-event-streams",
  setup: ({ onResolve }) => {
    onResolve({ filter: /^@smithy\/core\/event-streams$/ }, ({ kind, path }) =>
      kind === "dynamic-import" ? { path, external: true } : undefined,
    );
  },
};
