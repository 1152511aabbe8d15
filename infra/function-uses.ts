import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { mainTableSchema } from "@intents/deployment/table-schema.ts";
import { type BundleFolders, projectFolders } from "./bundle.ts";

/** What functions work on. Everything that is stored or sent lies in one of these. */
export type Resource = "main" | "windows" | "rail" | "documents" | "bucket" | "queue";
/** A resource, or one index of the main table. */
export type Target = Resource | `main/index/${string}`;

/** What one function does, read from its code. */
export type FunctionUse = Readonly<{
  /** The IAM actions it needs, by what they are done to; both in alphabetical order. */
  grants: ReadonlyMap<Target, readonly string[]>;
  /** Every name in capitals that its entry file and functions/runtime mention: the settings it reads are among them. */
  names: ReadonlySet<string>;
}>;

/**
 * What every function uses, by its name. Each is bundled without the SDK and without minifying, so that unused code is
 * dropped and the SDK commands that are left are those it can send.
 */
export async function findFunctionUses(
  folders: BundleFolders = projectFolders,
): Promise<ReadonlyMap<string, FunctionUse>> {
  const esbuild = await import("esbuild");
  const files = readdirSync(folders.functions).filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"));
  const { outputFiles } = await esbuild.build({
    absWorkingDir: folders.root,
    entryPoints: files.map((file) => join(folders.functions, file)),
    outdir: folders.dist,
    platform: "node",
    target: "node24",
    format: "esm",
    mainFields: ["module", "main"],
    bundle: true,
    external: ["@aws-sdk/*"],
    logLevel: "silent",
    write: false,
  });
  await esbuild.stop();
  const uses = outputFiles.map(({ path, text }) => [basename(path, ".js"), usesIn(text)] as const);
  return new Map(uses.toSorted(([one], [other]) => one.localeCompare(other)));
}

/** Whose resource the commands of a module go to; the first match counts. Elsewhere the SDK is not used. */
const owners = [
  ["packages/connectors/", "rail"],
  ["packages/storage/src/windows.ts", "windows"],
  ["packages/storage/src/bookmarks.ts", "windows"],
  ["packages/", "main"],
  // The record of an Idempotency-Key.
  ["@aws-lambda-powertools/idempotency/", "main"],
] as const satisfies readonly (readonly [string, Resource])[];

type Need = Readonly<{ actions: readonly string[]; on?: Resource }>;

/** The IAM actions behind each SDK command; `on` where the service tells what it is about. */
const needs: Readonly<Record<string, Need>> = {
  Get: { actions: ["dynamodb:GetItem"] },
  GetItem: { actions: ["dynamodb:GetItem"] },
  Put: { actions: ["dynamodb:PutItem"] },
  PutItem: { actions: ["dynamodb:PutItem"] },
  Update: { actions: ["dynamodb:UpdateItem"] },
  UpdateItem: { actions: ["dynamodb:UpdateItem"] },
  Delete: { actions: ["dynamodb:DeleteItem"] },
  DeleteItem: { actions: ["dynamodb:DeleteItem"] },
  Query: { actions: ["dynamodb:Query"] },
  Scan: { actions: ["dynamodb:Scan"] },
  BatchGet: { actions: ["dynamodb:BatchGetItem"] },
  ConditionCheck: { actions: ["dynamodb:ConditionCheckItem"] },
  // IAM asks for the writes that a transaction consists of, which stand in the code as `{ Put: … }`.
  TransactWrite: { actions: [] },
  GetObject: { actions: ["s3:GetObject"], on: "documents" },
  PutObject: { actions: ["s3:PutObject"], on: "documents" },
  CreateMultipartUpload: { actions: ["s3:PutObject"], on: "documents" },
  UploadPart: { actions: ["s3:PutObject"], on: "documents" },
  CompleteMultipartUpload: { actions: ["s3:PutObject"], on: "documents" },
  CopyObject: { actions: ["s3:GetObject", "s3:PutObject"], on: "documents" },
  DeleteObject: { actions: ["s3:DeleteObject"], on: "documents" },
  // Asked of the bucket itself, not of the objects in it.
  ListObjectsV2: { actions: ["s3:ListBucket"], on: "bucket" },
  SendMessageBatch: { actions: ["sqs:SendMessage"], on: "queue" },
};

/** Reads a bundle. Throws on a command that `needs` lacks, or that is sent from where no owner is known. */
export function usesIn(bundle: string): FunctionUse {
  const found = new Map<Target, Set<string>>();
  const add = (target: Target, actions: readonly string[]) =>
    found.set(target, new Set([...(found.get(target) ?? []), ...actions]));
  const names = new Set<string>();
  for (const { path, code } of modulesIn(bundle)) {
    if (path.startsWith("functions/")) for (const [name] of code.matchAll(/\b[A-Z][A-Z_]{3,}\b/g)) names.add(name);
    const commands = [...code.matchAll(/\bnew (\w+?)Command\d*\(/g)].map(([, name = ""]) => name);
    const owner = owners.find(([place]) => path.includes(place))?.[1];
    const writes = owner === undefined ? [] : [...code.matchAll(/[{\s](Put|Update|Delete|ConditionCheck): /g)];
    for (const command of [...commands, ...writes.map(([, name = ""]) => name)]) {
      const need = needs[command];
      const on = need?.on ?? owner;
      if (need === undefined || on === undefined) throw new Error(`${path} sends ${command}, whose grant is not known`);
      const targets = command === "Query" && on === "main" ? queriedIn(code) : [on];
      for (const target of targets) add(target, need.actions);
    }
  }
  const grants = [...found]
    .filter(([, actions]) => actions.size > 0)
    .toSorted(([one], [other]) => one.localeCompare(other));
  return { grants: new Map(grants.map(([target, actions]) => [target, [...actions].toSorted()])), names };
}

/** esbuild opens every module of a bundle with a comment that names its file. */
const modulesIn = (bundle: string): { path: string; code: string }[] =>
  bundle.split(/^\/\/ (?=[\w@./+-]+\.[cm]?[jt]s$)/m).map((part) => {
    const end = part.indexOf("\n");
    return { path: part.slice(0, end), code: part.slice(end) };
  });

/** The table itself where a query names no index, and the indexes whose names stand beside the queries. */
function queriedIn(code: string): Target[] {
  const queries = code.match(/\bnew QueryCommand\d*\(/g)?.length ?? 0;
  const indexed = code.match(/\bIndexName: /g)?.length ?? 0;
  const indexes = mainTableSchema.indexes.filter(({ name }) => code.includes(`"${name}"`));
  return [
    ...(queries > indexed ? (["main"] as const) : []),
    ...(indexed > 0 ? indexes.map(({ name }): Target => `main/index/${name}`) : []),
  ];
}
