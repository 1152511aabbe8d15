import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { settingNames } from "@intents/deployment/settings.ts";
import { mainTableSchema } from "@intents/deployment/table-schema.ts";
import { type KeyName, keyKinds } from "@intents/storage/table/key-kinds.ts";
import { type BundleFolders, projectFolders } from "./bundle.ts";
import { keysNamedIn } from "./key-uses.ts";
import { withheld } from "./withheld.ts";

/** The resources that functions work on. All that is stored or sent lies in one of them. */
export type Resource =
  | "main"
  | "windows"
  | "rail"
  | "documents"
  | "bucket"
  | "history"
  | "queue"
  | "webhooks"
  | "secret";
/** A resource, or one index of the main table. */
export type Target = Resource | `main/index/${string}`;

/** One function's uses, read from its code. */
export type FunctionUse = Readonly<{
  /** The IAM actions that the function needs, by their targets; both in alphabetical order. */
  grants: ReadonlyMap<Target, readonly string[]>;
  /** The keys that the function makes: the only ones at which it may do that, where a target has kinds of keys. */
  keys: readonly KeyName[];
  /** The settings that the function reads. */
  settings: readonly string[];
}>;

const { partitionKey, indexes } = mainTableSchema;

/** All settings are declared here. A bundle reads the settings that its other files name. */
const SETTINGS = "@intents/deployment/settings.ts";

/**
 * The uses of every function, by its name. Each function is bundled without the SDK, and the files that pick from it,
 * and without minifying: the bundle drops unused code, and the rest is all that the function can do, whichever file it
 * comes from.
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
    external: ["@aws-sdk/*", "*-sdk.ts", SETTINGS],
    legalComments: "none",
    logLevel: "silent",
    write: false,
  });
  await esbuild.stop();
  const uses = outputFiles.map(({ path, text }) => {
    const name = basename(path, ".js");
    return [name, withhold(name, usesIn(text))] as const;
  });
  return new Map(uses.toSorted(([one], [other]) => one.localeCompare(other)));
}

/** Takes from a function's uses those of `withheld.ts`. Throws where its code does not contain one of them any more. */
export function withhold(name: string, use: FunctionUse): FunctionUse {
  const rows = withheld.filter(({ functions }) => functions.includes(name));
  if (rows.length === 0) return use;
  const withheldKeys = rows.flatMap((row) => row.keys ?? []);
  const grants = new Map(use.grants);
  for (const [at, ...actions] of rows.flatMap((row) => (row.actions === undefined ? [] : [row.actions]))) {
    const target = at as Target;
    const found = grants.get(target) ?? [];
    for (const action of actions) mustContain(found, action, name);
    const left = found.filter((action) => !actions.includes(action));
    if (left.length > 0) grants.set(target, left);
    else grants.delete(target);
  }
  for (const key of withheldKeys) mustContain(use.keys, key, name);
  const keys = use.keys.filter((key) => !withheldKeys.includes(key));
  for (const target of use.grants.keys()) if (isIndex(target) && !liesAt(target, keys)) grants.delete(target);
  return { ...use, grants, keys };
}

const isIndex = (target: Target): boolean => target.includes("/index/");
const liesAt = (target: Target, keys: readonly KeyName[]): boolean =>
  keys.some((key) => [keyKinds[key]].flat().some(({ at }) => at === target));

function mustContain(found: readonly string[], one: string, name: string): void {
  if (!found.includes(one)) throw new Error(`The code of ${name} does not contain ${one}: it need not be withheld`);
}

type Need = Readonly<{ actions: readonly string[]; on?: Resource }>;

/**
 * The IAM actions behind each operation; `on` is the target, if the operation alone tells it. A command for
 * another place than the usual one is imported under that place's name, as in `GetCommand as RailGetCommand`.
 */
const needs: Readonly<Record<string, Need>> = {
  Get: { actions: ["dynamodb:GetItem"] },
  Put: { actions: ["dynamodb:PutItem"] },
  Update: { actions: ["dynamodb:UpdateItem"] },
  Delete: { actions: ["dynamodb:DeleteItem"] },
  Query: { actions: ["dynamodb:Query"] },
  Scan: { actions: ["dynamodb:Scan"] },
  BatchGet: { actions: ["dynamodb:BatchGetItem"] },
  ConditionCheck: { actions: ["dynamodb:ConditionCheckItem"] },
  // IAM asks for the writes of a transaction, which the code spells as `{ Put: … }`.
  TransactWrite: { actions: [] },
  GetObject: { actions: ["s3:GetObject"], on: "documents" },
  HeadObject: { actions: ["s3:GetObject"], on: "documents" },
  PutObject: { actions: ["s3:PutObject"], on: "documents" },
  CreateMultipartUpload: { actions: ["s3:PutObject"], on: "documents" },
  UploadPart: { actions: ["s3:PutObject"], on: "documents" },
  CompleteMultipartUpload: { actions: ["s3:PutObject"], on: "documents" },
  AbortMultipartUpload: { actions: ["s3:AbortMultipartUpload"], on: "documents" },
  CopyObject: { actions: ["s3:GetObject", "s3:PutObject"], on: "documents" },
  DeleteObject: { actions: ["s3:DeleteObject"], on: "documents" },
  // This action is about the bucket itself, not about the objects in it.
  ListObjectsV2: { actions: ["s3:ListBucket"], on: "bucket" },
  SendMessageBatch: { actions: ["sqs:SendMessage"], on: "queue" },
  GetSecretValue: { actions: ["secretsmanager:GetSecretValue"], on: "secret" },
};

/** The IAM actions for an operation. Throws if they are not known. */
export function needFor(operation: string): Need {
  const need = needs[operation.replace(/Items?$/, "")];
  if (need === undefined) throw new Error(`The grant for ${operation} is not known`);
  return need;
}

/** The imports from the SDK that send nothing by themselves. */
const INERT =
  /^(DynamoDBDocumentClient|\w+Exception|(DynamoDB|S3|SQS|SecretsManager)Client|marshall|unmarshall|getSignedUrl)$/;

/** Reads the uses of a bundle. Throws on an import from the SDK that is neither in `needs` nor in `INERT`. */
export function usesIn(bundle: string): FunctionUse {
  const code = bundle.replace(SDK_IMPORT, "");
  const words = new Set(code.match(/\w+/g));
  const grants = new Map<Target, Set<string>>();
  const add = (targets: readonly Target[], actions: readonly string[]) => {
    for (const target of targets) grants.set(target, new Set([...(grants.get(target) ?? []), ...actions]));
  };
  for (const sender of sendersIn(bundle, words)) {
    const [, place, operation = ""] =
      /^(?:paginate)?(Windows|Rail|History|Webhooks)?(\w+?)(?:Command)?$/.exec(sender) ?? [];
    const need = needFor(operation);
    const on = (place?.toLowerCase() as Resource | undefined) ?? need.on ?? "main";
    add(operation === "Query" && on === "main" ? queriedIn(code, words) : [on], need.actions);
    if (operation === "TransactWrite") for (const write of writesIn(code)) add([on], needFor(write).actions);
  }
  const sorted = [...grants]
    .filter(([, actions]) => actions.size > 0)
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([target, actions]) => [target, [...actions].toSorted()] as const);
  return {
    grants: new Map(sorted),
    keys: keysNamedIn(code),
    settings: settingNames.filter((name) => words.has(name)),
  };
}

const SDK_IMPORT = /^import \{([^}]*)\} from\s"@aws-sdk\/[^"]+";$/gm;

/**
 * The commands by which a bundle sends: imported from the SDK and mentioned again, or of clients that it loads only
 * when needed. esbuild tells equal names in a bundle apart by a number at their end.
 */
function sendersIn(bundle: string, words: ReadonlySet<string>): ReadonlySet<string> {
  const imported = [...bundle.matchAll(SDK_IMPORT)].flatMap(([, names = ""]) =>
    names.split(",").flatMap((entry) => {
      const [name = "", local = name] = entry.trim().split(" as ");
      return words.has(local) ? [local.startsWith(name) ? name : local.replace(/\d+$/, "")] : [];
    }),
  );
  const loaded = [...words].filter((word) => /^\w+Command$|^paginate[A-Z]/.test(word));
  return new Set([...imported, ...loaded].filter((word) => !INERT.test(word)));
}

/** The writes that the transactions of a bundle may contain. */
const writesIn = (code: string): string[] =>
  [...code.matchAll(/\b(Put|Update|Delete|ConditionCheck)\b(?=\s*[:,}])/g)].map(([, write = ""]) => write);

/**
 * The parts of the main table that a bundle queries: the indexes that it names, and the table itself if the bundle
 * spells the table's key.
 */
function queriedIn(code: string, words: ReadonlySet<string>): Target[] {
  const named = indexes.filter(({ name }) => words.has(name)).map(({ name }): Target => `main/index/${name}`);
  const asksForKey = new RegExp(`\\b${partitionKey.name} = `).test(code);
  const queried = asksForKey ? ["main" as const, ...named] : named;
  if (queried.length === 0) throw new Error("The grant for Query is not known: of no index, and by no key");
  return queried;
}
