import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type * as DocsBuild from "@intents/site/docs/build.tsx";

/** The documentation in the making: its search index, and the pages once their script and style have names. */
type Docs = Readonly<{
  searchIndex: readonly unknown[];
  /** The texts for programs, served beside the pages. */
  texts: Readonly<Record<string, string>>;
  pagesWith: (assets: Readonly<{ script: string; style: string }>) => Readonly<Record<string, string>>;
}>;

const folderOf = (root: string): string => join(root, "docs/guides");
/** The client's own guide is the first of all. */
const firstOf = (root: string): string => join(root, "packages/client/README.md");
const changelogOf = (root: string): string => join(root, "docs/CHANGELOG.md");

/** The files beside the packages' sources that the documentation is made of. */
export const docsSources = (root: string): string[] =>
  existsSync(folderOf(root))
    ? [...readdirSync(folderOf(root)).map((file) => join(folderOf(root), file)), firstOf(root), changelogOf(root)]
    : [];

/** Makes the documentation, which leads to the client's package by its name. Undefined in a project without one. */
export async function openDocs(root: string, dist: string, clientPackage = ""): Promise<Docs | undefined> {
  const source = join(root, "packages/site/src/docs/build.tsx");
  if (!existsSync(source)) return undefined;
  const { buildDocs, searchIndex, textsOf } = await load(root, dist, source);
  const guides = readdirSync(folderOf(root)).map((file) => [file.replace(/\.md$/, ""), join(folderOf(root), file)]);
  const sources: DocsBuild.Sources = {
    document: JSON.parse(readFileSync(join(root, "docs/openapi.json"), "utf8")),
    clientPackage,
    changelog: readFileSync(changelogOf(root), "utf8"),
    guides: Object.fromEntries(
      [...guides, ["first-payment", firstOf(root)]].map(([name = "", file = ""]) => [name, readFileSync(file, "utf8")]),
    ),
  };
  return {
    searchIndex: searchIndex(sources),
    texts: textsOf(sources),
    pagesWith: (assets) => buildDocs(sources, assets),
  };
}

/** The builder's own bundle: Node.js does not read its JSX. */
async function load(root: string, dist: string, source: string): Promise<typeof DocsBuild> {
  const esbuild = await import("esbuild");
  const outfile = join(dist, `.docs-${process.pid}.mjs`);
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: [source],
    outfile,
    platform: "node",
    target: "node24",
    format: "esm",
    bundle: true,
    logLevel: "silent",
  });
  try {
    return (await import(`${pathToFileURL(outfile).href}?${Date.now()}`)) as typeof DocsBuild;
  } finally {
    rmSync(outfile);
  }
}
