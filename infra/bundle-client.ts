import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "fflate";

/** The client as npm installs it. */
export type ClientPackage = Readonly<{ name: string; base64: string }>;

type Files = Readonly<Record<string, Uint8Array>>;
type Manifest = Readonly<Record<string, unknown> & { version: string }>;

/** A module of each kind: ECMAScript's, and CommonJS for programs that are of that kind. */
const projects = { "tsconfig.json": ".", "tsconfig.cjs.json": "cjs" } as const;

export const clientFolder = (root: string): string => join(root, "packages/client");
const hasClient = (root: string): boolean => existsSync(join(clientFolder(root), "package.json"));

/** The files of the package beside its sources. */
export const clientSources = (root: string): string[] =>
  ["package.json", ...Object.keys(projects)]
    .map((file) => join(clientFolder(root), file))
    .filter((file) => existsSync(file));

/** The folders of the client that are written from docs/openapi.json; a project without a client has none. */
export const writtenParts = (root: string): string[] =>
  hasClient(root) ? ["api", "schemas"].map((part) => join(clientFolder(root), "src", part)) : [];

/** Packs the client. Undefined in a project without one. Throws when a source does not compile. */
export async function packClient(root: string, dist: string): Promise<ClientPackage | undefined> {
  if (!hasClient(root)) return undefined;
  const folder = clientFolder(root);
  const built = join(dist, `.client-${process.pid}`);
  try {
    await Promise.all(Object.entries(projects).map(([file, out]) => compile(folder, file, join(built, out))));
    const { devDependencies: _, ...manifest } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    return toPackage(manifest, {
      LICENSE: readFileSync(join(root, "LICENSE")),
      "README.md": readFileSync(join(folder, "README.md")),
      "dist/cjs/package.json": Buffer.from('{ "type": "commonjs" }\n'),
      ...filesUnder(built),
    });
  } finally {
    rmSync(built, { recursive: true, force: true });
  }
}

/**
 * Packs the client with a version from its content: a change of any byte makes another version. So an address gives the
 * same bytes for as long as it gives any.
 */
export function toPackage(manifest: Manifest, files: Files): ClientPackage {
  const packed = (version: string) =>
    // JavaScript compresses alike on every machine, which zlib does not.
    gzipSync(tarOf({ ...files, "package.json": Buffer.from(JSON.stringify({ ...manifest, version }, null, 2)) }), {
      mtime: 0,
    });
  const content = createHash("sha256").update(packed(manifest.version)).digest("hex").slice(0, 10);
  // A part of digits alone would be a number, and must not begin with a zero.
  const version = `${manifest.version}-c${content}`;
  return { name: `client-${version}.tgz`, base64: Buffer.from(packed(version)).toString("base64") };
}

async function compile(folder: string, project: string, outDir: string): Promise<void> {
  const tsc = join(folder, "node_modules/typescript/bin/tsc");
  const args = [tsc, "--project", join(folder, project), "--outDir", outDir];
  await promisify(execFile)(process.execPath, args).catch((error: Readonly<{ stdout?: string; message: string }>) => {
    throw new Error(`The client does not compile: ${error.stdout || error.message}`);
  });
}

const filesUnder = (built: string): Files =>
  Object.fromEntries(
    readdirSync(built, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((path) => [`dist/${relative(built, path).replaceAll("\\", "/")}`, readFileSync(path)]),
  );

const BLOCK = 512;

/** A tape archive (POSIX ustar) of files in `package/`, as npm has them, with no date and no owner. */
function tarOf(files: Files): Uint8Array {
  const names = Object.keys(files).toSorted();
  const parts = names.flatMap((name) => {
    const content = files[name] ?? new Uint8Array();
    return [headerOf(`package/${name}`, content.length), content, new Uint8Array(-content.length & (BLOCK - 1))];
  });
  return Buffer.concat([...parts, new Uint8Array(2 * BLOCK)]);
}

const NAME_LENGTH_MAX = 100;

function headerOf(name: string, size: number): Buffer {
  if (Buffer.byteLength(name) > NAME_LENGTH_MAX) throw new Error(`${name} is too long a name for an archive`);
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, length: number) => `${value.toString(8).padStart(length - 1, "0")}\0`;
  const put = (text: string, at: number) => header.write(text, at, "latin1");
  put(name, 0);
  for (const [value, at] of [
    [0o644, 100],
    [0, 108],
    [0, 116],
  ] as const)
    put(octal(value, 8), at);
  put(octal(size, 12), 124);
  put(octal(0, 12), 136);
  // The sum is that of a header with spaces in its place.
  put("        ", 148);
  put("0", 156);
  put("ustar\x0000", 257);
  put(
    octal(
      header.reduce((sum, byte) => sum + byte, 0),
      8,
    ),
    148,
  );
  return header;
}
