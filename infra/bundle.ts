import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, parse } from "node:path";
import { fileURLToPath } from "node:url";
import { browsers } from "@intents/deployment/browsers.ts";
import { BASE_URL_PLACE } from "@intents/site/docs/places.ts";
import type { BuildOptions, OutputFile } from "esbuild";
import { clientSources, packClient, writtenParts } from "./bundle-client.ts";
import { docsSources, openDocs } from "./bundle-docs.ts";
import { putIn, setApart, withoutEventStreams } from "./bundle-plugins.ts";

/** The bundle of one function, for the deployment and the local service alike. */
export type Bundle = Readonly<{ name: string; file: string; bytes: number }>;

export type BundleFolders = Readonly<{
  /** The project: its packages and lock file decide whether bundles are out of date. */
  root: string;
  functions: string;
  dist: string;
}>;

const root = dirname(import.meta.dirname);
export const projectFolders: BundleFolders = { root, functions: join(root, "functions"), dist: join(root, "dist") };

/**
 * Bundles every function into `<dist>/<name>/index.cjs`, which exports `handler`, and beside it the parts that it loads
 * when it needs them. Throws when a source does not compile.
 */
export async function bundleFunctions(folders: BundleFolders = projectFolders): Promise<readonly Bundle[]> {
  // esbuild is loaded here, so that a start with nothing to build does not wait for it.
  const esbuild = await import("esbuild");
  const constants = constantsOf(folders);
  const settings = settingsOf(folders, constants);
  const parts = new Map<string, string>();
  const building = esbuild.build({
    ...settings,
    plugins: [...settings.plugins, setApart(parts)],
    entryPoints: entryFiles(folders).map((file) => ({ in: file, out: `${basename(file, ".ts")}/index` })),
  });
  const [functions] = await Promise.all([building, constants]);
  // Maps name the sources from the folder they are in: this one lies where those of the functions lie.
  const entryPoints = [...parts].map(([name, file]) => ({ in: file, out: `parts/${name}` }));
  const { outputFiles } = await esbuild.build({ ...settings, entryPoints });
  // esbuild's compiler is a process of its own, which would otherwise stay for as long as ours.
  await esbuild.stop();
  const bundles = Object.entries(functions.metafile.outputs)
    .filter(([file]) => file.endsWith(".cjs"))
    .map(([file, { bytes, imports }]) => ({ file: join(folders.root, file), bytes, imports }));
  const beside = bundles.flatMap(({ file, imports }) =>
    outputFiles
      .filter(({ path }) => imports.some((loaded) => loaded.path === `./${basename(path, ".map")}`))
      .map(({ path, contents }) => ({ path: join(dirname(file), basename(path)), contents })),
  );
  await replaceFiles([...functions.outputFiles, ...beside]);
  return bundles
    .map(({ file, bytes }) => ({ name: basename(dirname(file)), file, bytes }))
    .toSorted((one, other) => one.name.localeCompare(other.name));
}

/** Makes the constants that functions declare; a project without pages or a document has none. */
async function constantsOf(folders: BundleFolders): Promise<Readonly<Record<string, unknown>>> {
  const clientPackage = await packClient(folders.root, folders.dist);
  const docs = await openDocs(folders.root, folders.dist, clientPackage?.name);
  const assets = await bundlePages(folders, docs?.searchIndex);
  const document = documentOf(folders);
  return {
    PAGE_NAMES: Object.fromEntries(Object.entries(assets).map(([page, files]) => [page, namesOf(files)])),
    PAGE_ASSETS: Object.values(assets).flatMap(({ script, style, parts }) => [script, style, ...parts]),
    DOCS_PAGES: assets["docs"] && docs?.pagesWith(namesOf(assets["docs"])),
    DOCS_TEXTS: docs?.texts,
    CLIENT_PACKAGE: clientPackage,
    OPENAPI_DOCUMENT: existsSync(document) ? await served(document) : undefined,
  };
}

/** How functions and their parts are bundled. */
const settingsOf = (folders: BundleFolders, constants: Promise<Readonly<Record<string, unknown>>>) =>
  ({
    absWorkingDir: folders.root,
    outdir: folders.dist,
    outExtension: { ".js": ".cjs" },
    inject: [sourceMapsOf(folders)].filter((file) => existsSync(file)),
    alias: standInsOf(folders),
    // The baselines of packages/tests/bench have all of the SDK.
    plugins: [putIn(constants), ...(existsSync(join(folders.functions, "runtime")) ? [withoutEventStreams] : [])],
    platform: "node",
    target: "node24",
    // CommonJS loads the SDK 1.4 times faster than a module would; its "module" sources bundle 40 % smaller than "main".
    format: "cjs",
    mainFields: ["module", "main"],
    // Parts are loaded like any file, without the loader of modules, which takes its own time to start.
    supported: { "dynamic-import": false },
    bundle: true,
    minify: true,
    sourcemap: "linked",
    // Source maps name the sources without containing them: the contents would take three quarters of the bytes and the
    // time.
    sourcesContent: false,
    legalComments: "none",
    metafile: true,
    logLevel: "silent",
    write: false,
  }) as const satisfies BuildOptions;

/** The script and the style of each page: that of payers, that at `/`, and those of the documentation. */
const pages = {
  payer: ["packages/payer-app/src/client.tsx", "packages/payer-app/src/styles/page.css"],
  home: ["packages/site/src/home/client.tsx", "packages/site/src/styles/home.css"],
  docs: ["packages/site/src/docs/client.ts", "packages/site/src/styles/docs.css"],
} as const;

/**
 * Scripts and styles of pages, which a function holds and serves: they need no bucket, and always belong to the pages
 * of their own deployment. A project without such a page has none of it.
 */
async function bundlePages(
  { root }: BundleFolders,
  searchIndex: unknown,
): Promise<Readonly<Record<string, PageFiles>>> {
  const found = Object.entries(pages).filter(([, [script]]) => existsSync(join(root, script)));
  const define = searchIndex === undefined ? {} : { SEARCH_INDEX: JSON.stringify(JSON.stringify(searchIndex)) };
  const bundled = found.map(async ([name, files]) => [name, await bundlePage(root, files, define)] as const);
  return Object.fromEntries(await Promise.all(bundled));
}

type PageFile = Readonly<{ name: string; contentType: string; text: string }>;
/** The files of a page; `parts` are those that its script loads when they are needed. */
type PageFiles = Readonly<{ script: PageFile; style: PageFile; parts: readonly PageFile[] }>;

const namesOf = ({ script, style }: PageFiles) => ({ script: script.name, style: style.name });

async function bundlePage(
  root: string,
  [script, style]: readonly [string, string],
  define: Record<string, string>,
): Promise<PageFiles> {
  const [esbuild, { minify }] = await Promise.all([import("esbuild"), import("vite")]);
  const { outputFiles } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: [join(root, script), join(root, style)],
    define,
    entryNames: "[name]-[hash]",
    outdir: join(root, "dist/assets"),
    platform: "browser",
    target: browsers,
    format: "esm",
    bundle: true,
    splitting: true,
    minify: true,
    legalComments: "none",
    logLevel: "silent",
    write: false,
  });
  const toFile = async ({ path, text }: OutputFile): Promise<PageFile> => {
    const name = basename(path);
    if (path.endsWith(".css")) return { name, contentType: "text/css", text };
    // A second minifier finds another 2.5 % of the compressed bytes.
    const { code } = await minify(name, text, { module: true, compress: { target: browsers } });
    return { name, contentType: "text/javascript", text: code };
  };
  const files = await Promise.all(outputFiles.map(toFile));
  const [first, sheet] = [script, style].map((source) => {
    const file = files.find(({ name }) => name.startsWith(`${parse(source).name}-`));
    if (file === undefined) throw new Error(`${source} has no bundle`);
    return file;
  }) as [PageFile, PageFile];
  return { script: first, style: sheet, parts: files.filter((file) => file !== first && file !== sheet) };
}

/** The functions' own sources in place of packages that do more than any function asks for. */
const standInsOf = ({ functions }: BundleFolders): Record<string, string> =>
  Object.fromEntries(
    [
      ["@aws-sdk/credential-provider-node", "credentials.ts"],
      ["side-channel", "side-channel.cjs"],
    ]
      .map(([name = "", file = ""]) => [name, join(functions, "runtime", file)] as const)
      .filter(([, file]) => existsSync(file)),
  );

/** Every bundle's first file, by which stacks name the sources. */
const sourceMapsOf = ({ functions }: BundleFolders): string => join(functions, "runtime/source-maps.ts");

/** The published document of the API, which its function holds and serves. */
const documentOf = ({ root }: BundleFolders): string => join(root, "docs/openapi.json");

/** The document without its white space, with a place where its function puts the address of its stage. */
const served = async (file: string): Promise<string> =>
  JSON.stringify({
    ...JSON.parse(await readFile(file, "utf8")),
    servers: [{ url: BASE_URL_PLACE, description: "This stage" }],
  });

/** Makes the client's sources and the bundles. Returns false if dist already has the bundles of the same sources. */
export async function ensureBundles(folders: BundleFolders = projectFolders): Promise<boolean> {
  const stampFile = join(folders.dist, ".sources");
  const stamp = existsSync(stampFile) ? readFileSync(stampFile, "utf8") : undefined;
  if (stamp === (await sourcesHash(folders)) && isComplete(folders)) return false;
  await writeClient(folders.root);
  const contents = await sourcesHash(folders);
  await bundleFunctions(folders);
  await replaceFile({ path: stampFile, contents });
  return true;
}

/** Writes the client's sources that follow from the contract. A project without a client has none. */
async function writeClient(root: string): Promise<void> {
  if (writtenParts(root).length === 0) return;
  const { findClientChanges } = await import("./client-sources.ts");
  const { written, removed } = findClientChanges(root);
  await Promise.all([...written.map(replaceFile), ...removed.map((path) => rm(path, { force: true }))]);
}

/** A hash of the contents of all sources. Dates would not do: a checkout may bring an older file. */
async function sourcesHash(folders: BundleFolders): Promise<string> {
  const packages = join(folders.root, "packages");
  const sources = existsSync(packages)
    ? readdirSync(packages).flatMap((name) => filesUnder(join(packages, name, "src")))
    : [];
  const lock = join(folders.root, "pnpm-lock.yaml");
  const files = [
    ...filesUnder(folders.functions),
    ...sources,
    ...[lock, documentOf(folders), ...docsSources(folders.root), ...clientSources(folders.root)].filter((file) =>
      existsSync(file),
    ),
    ...["bundle.ts", "bundle-client.ts", "bundle-docs.ts", "bundle-plugins.ts", "client-sources.ts"].map((name) =>
      join(import.meta.dirname, name),
    ),
  ];
  const contents = await Promise.all(files.map((file) => readFile(file)));
  const hash = createHash("sha256");
  for (const [index, content] of contents.entries())
    hash.update(`\n${files[index]} ${content.length}\n`).update(content);
  return hash.digest("hex");
}

function filesUnder(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : filesUnder(path);
    return entry.name.endsWith(".test.ts") ? [] : [path];
  });
}

const entryFiles = ({ functions }: BundleFolders): string[] =>
  readdirSync(functions)
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .map((file) => join(functions, file));

const isComplete = (folders: BundleFolders): boolean =>
  entryFiles(folders).every((file) => existsSync(join(folders.dist, basename(file, ".ts"), "index.cjs")));

type Written = Readonly<{ path: string; contents: string | Uint8Array }>;

/** Writes bundles, and removes those that were in their folders before: what lies in a function's folder is deployed. */
async function replaceFiles(files: readonly Written[]): Promise<void> {
  await Promise.all(files.map(replaceFile));
  const written = new Set(files.map(({ path }) => path));
  for (const folder of new Set(files.map(({ path }) => dirname(path)))) {
    const found = (await readdir(folder))
      .filter((name) => /\.cjs(\.map)?$/.test(name))
      .map((name) => join(folder, name));
    await Promise.all(found.filter((file) => !written.has(file)).map((file) => rm(file, { force: true })));
  }
}

/** Replaces a file whole or not at all: another process may be loading the old file, or writing the same new one. */
async function replaceFile({ path, contents }: Written): Promise<void> {
  const written = `${path}.${process.pid}`;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(written, contents);
  await rename(written, path);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.stdout.write("Writes the client and bundles the functions, the first time within about 15 seconds.\n");
  const isMade = await ensureBundles();
  for (const file of isMade ? entryFiles(projectFolders) : []) {
    const name = basename(file, ".ts");
    const { size } = statSync(join(projectFolders.dist, name, "index.cjs"));
    process.stdout.write(`${String(Math.round(size / 1000)).padStart(6)} KB  ${name}\n`);
  }
}
