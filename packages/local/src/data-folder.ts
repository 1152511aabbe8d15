import { accessSync, constants, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StartFailure } from "./start-failure.ts";

export type DataFolder = Readonly<{ path: string; release: () => void }>;

const LOCK_FILE = "lock.db";

/** Makes the folder and holds it for this process alone. Throws StartFailure when it cannot be had. */
export function claimDataFolder(dataDir: string): DataFolder {
  const path = resolve(dataDir);
  try {
    mkdirSync(path, { recursive: true });
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StartFailure(`DATA_DIR ${path} cannot be used: ${String((error as NodeJS.ErrnoException).code)}`);
  }
  const lock = lockOf(path);
  return { path, release: () => lock.close() };
}

/** SQLite's file lock is the system's own: it ends with its process, however that ends. */
function lockOf(path: string): DatabaseSync {
  const lock = new DatabaseSync(join(path, LOCK_FILE), { timeout: 0 });
  try {
    lock.exec("BEGIN EXCLUSIVE");
    return lock;
  } catch (error) {
    lock.close();
    if (!String(error).includes("locked")) throw new StartFailure(`DATA_DIR ${path} cannot be used: ${String(error)}`);
    throw new StartFailure(
      `DATA_DIR ${path} is in use by another running service: stop that one, or set another DATA_DIR`,
    );
  }
}
