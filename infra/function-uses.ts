import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { settingNames } from "@intents/deployment/settings.ts";
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
  /** The settings it reads. */
  settings: readonly string[];
}>;

const { partitionKey, indexes } = mainTableSchema;

/** All settings are declared here. What else of a bundle names one reads it. */
const SETTINGS = "@intents/deployment/settings.ts";

/**
 * What every function uses, by its name. Each is bundled without the SDK and without minifying, so that unused code is
 * dropped and what is left is what it can do, whichever file it comes from.
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
    external: ["@aws-sdk/*", SETTINGS],
    legalComments: "none",
    logLevel: "silent",
    write: false,
  });
  await esbuild.stop();
  const uses = outputFiles.map(({ path, text }) => [basename(path, ".js"), usesIn(text)] as const);
  return new Map(uses.toSorted(([one], [other]) => one.localeCompare(other)));
}

type Need = Readonly<{ actions: readonly string[]; on?: Resource }>;

/**
 * The IAM actions behind each operation; `on` where the service tells what it is about. DynamoDB does not: what goes to
 * another table than the main one is imported under that table's name, as in `GetCommand as RailGetCommand`.
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

/** What IAM asks for an operation. Throws where that is not known. */
export function needFor(operation: string): Need {
  const need = needs[operation.replace(/Items?$/, "")];
  if (need === undefined) throw new Error(`The grant for ${operation} is not known`);
  return need;
}

/** What of the SDK sends nothing by itself. */
const INERT = /^(DynamoDBDocumentClient|\w+Exception|(DynamoDB|S3|SQS)Client|marshall|unmarshall|getSignedUrl)$/;

/** Reads a bundle. Throws on whatever it has of the SDK that `needs` and `INERT` both lack. */
export function usesIn(bundle: string): FunctionUse {
  const code = bundle.replace(SDK_IMPORT, "");
  const words = new Set(code.match(/\w+/g));
  const grants = new Map<Target, Set<string>>();
  const add = (targets: readonly Target[], actions: readonly string[]) => {
    for (const target of targets) grants.set(target, new Set([...(grants.get(target) ?? []), ...actions]));
  };
  for (const sender of sendersIn(bundle, words)) {
    const [, table = "main", operation = ""] = /^(?:paginate)?(Windows|Rail)?(\w+?)(?:Command)?$/.exec(sender) ?? [];
    const need = needFor(operation);
    const on = need.on ?? (table.toLowerCase() as Resource);
    add(operation === "Query" && on === "main" ? queriedIn(code, words) : [on], need.actions);
    if (operation === "TransactWrite") for (const write of writesIn(code)) add([on], needFor(write).actions);
  }
  const sorted = [...grants]
    .filter(([, actions]) => actions.size > 0)
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([target, actions]) => [target, [...actions].toSorted()] as const);
  return { grants: new Map(sorted), settings: settingNames.filter((name) => words.has(name)) };
}

const SDK_IMPORT = /^import \{([^}]*)\} from\s"@aws-sdk\/[^"]+";$/gm;

/**
 * What a bundle sends by: what it imports of the SDK and mentions once more, and the commands of clients that it loads
 * only when it needs them. esbuild tells names apart that meet in a bundle, by a number at their end.
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

/** What the transactions of a bundle may consist of. */
const writesIn = (code: string): string[] =>
  [...code.matchAll(/\b(Put|Update|Delete|ConditionCheck)\b(?=\s*[:,}])/g)].map(([, write = ""]) => write);

/** What of the main table a bundle queries: the indexes that it names, and the table itself if it asks for its key. */
function queriedIn(code: string, words: ReadonlySet<string>): Target[] {
  const named = indexes.filter(({ name }) => words.has(name)).map(({ name }): Target => `main/index/${name}`);
  const asksForKey = new RegExp(`\\b${partitionKey.name} = `).test(code);
  const queried = asksForKey ? ["main" as const, ...named] : named;
  if (queried.length === 0) throw new Error("The grant for Query is not known: of no index, and by no key");
  return queried;
}
