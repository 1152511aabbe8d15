import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { STORED_FORMAT } from "@intents/deployment/stored-format.ts";
import { StartFailure } from "../start-failure.ts";

export type DataFolder = Readonly<{ path: string; release: () => void }>;

const LOCK_FILE = "lock.db";
const FORMAT_FILE = "stored-format";
const DATA = /^(dynamodb\.db|s3-and-sqs)/;
/** The names of all that a service keeps in its folder. */
const OWN = /^(lock\.db|stored-format$|dynamodb\.db|s3-and-sqs)/;

/** Makes the folder and holds it for this process alone. Throws StartFailure when that is not possible. */
export function claimDataFolder(dataDir: string): DataFolder {
  const path = resolve(dataDir);
  const refuse = (reason: string) =>
    new StartFailure(`DATA_DIR ${path} ${reason}: set DATA_DIR to another folder, or to memory`);
  let lock: DatabaseSync | undefined;
  let format = STORED_FORMAT;
  try {
    makeFolder(path);
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    lock = lockOf(join(path, LOCK_FILE));
    if (lock !== undefined) {
      hide(path);
      format = formatOf(path);
    }
  } catch (error) {
    throw refuse(`cannot be used (${error instanceof Error ? error.message : String(error)})`);
  }
  if (lock === undefined) throw refuse("is in use by another running service");
  if (format !== STORED_FORMAT) {
    lock.close();
    throw refuse(`is kept in stored format ${format}, and this version reads ${STORED_FORMAT} alone`);
  }
  return { path, release: () => lock.close() };
}

/** The number of the stored format of the folder's data, 0 if it has none; a folder without data gets ours. */
function formatOf(path: string): number {
  const file = join(path, FORMAT_FILE);
  if (!readdirSync(path).some((name) => DATA.test(name))) writeFileSync(file, `${STORED_FORMAT}\n`, { mode: 0o600 });
  return existsSync(file) ? Number(readFileSync(file, "utf8")) : 0;
}

/**
 * Keeps other users of this machine from payments and identity documents, also from those that
 * are there already. A folder that holds other files than ours keeps its own permissions.
 */
function hide(path: string): void {
  const names = readdirSync(path);
  if (names.every((name) => OWN.test(name))) chmodSync(path, 0o700);
  for (const name of names.filter((entry) => OWN.test(entry))) {
    const entry = join(path, name);
    const stat = lstatSync(entry);
    if (stat.isDirectory()) chmodSync(entry, 0o700);
    else if (stat.isFile()) chmodSync(entry, 0o600);
  }
}

/** Makes a folder and its parents. The option `recursive` would never return below /proc, which denies its parents. */
function makeFolder(path: string): void {
  if (existsSync(path)) {
    if (!statSync(path).isDirectory()) throw new Error("not a folder");
    return;
  }
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/** Locks a file by SQLite, whose lock the system itself releases when the process ends. Undefined when it is taken. */
function lockOf(file: string): DatabaseSync | undefined {
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    lock.exec("BEGIN EXCLUSIVE");
    return lock;
  } catch (error) {
    lock.close();
    if (String(error).includes("locked")) return undefined;
    throw error;
  }
}
