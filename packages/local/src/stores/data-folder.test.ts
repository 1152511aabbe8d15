import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { STORED_FORMAT } from "@intents/deployment/stored-format.ts";
import { afterAll, expect, test } from "vitest";
import { StartFailure } from "../start-failure.ts";
import { claimDataFolder } from "./data-folder.ts";

const folder = mkdtempSync(join(tmpdir(), "data-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("a folder is made, and belongs to one service alone until that service releases it", () => {
  const path = join(folder, "deep/er");
  const claimed = claimDataFolder(path);
  expect(claimed.path).toBe(path);
  expect(() => claimDataFolder(path)).toThrow(/in use by another running service/);
  claimed.release();
  claimDataFolder(path).release();
});

test("a folder and its files are for this user alone; beside files of somebody else only ours are", () => {
  const modeOf = (path: string) => statSync(path).mode & 0o777;
  const [own, shared] = ["own", "shared"].map((name) => join(folder, name)) as [string, string];
  for (const path of [own, shared]) {
    claimDataFolder(path).release();
    mkdirSync(join(path, "s3-and-sqs"));
    writeFileSync(join(path, "dynamodb.db"), "", { mode: 0o644 });
    chmodSync(path, 0o755);
  }
  writeFileSync(join(shared, "notes"), "", { mode: 0o644 });
  for (const path of [own, shared]) claimDataFolder(path).release();
  const modes = (path: string, ...names: string[]) => names.map((name) => modeOf(join(path, name)));
  expect(modes(own, ".", "s3-and-sqs", "dynamodb.db", "lock.db")).toEqual([0o700, 0o700, 0o600, 0o600]);
  expect(modes(shared, ".", "s3-and-sqs", "dynamodb.db", "notes")).toEqual([0o755, 0o700, 0o600, 0o644]);
});

test.each([
  [`${STORED_FORMAT + 1}\n`, STORED_FORMAT + 1],
  ["", 0],
  [undefined, 0],
])("data in stored format %j is refused in one line, and a folder without data is numbered anew", (kept, line) => {
  const path = join(folder, `format-${kept}`);
  const number = join(path, "stored-format");
  claimDataFolder(path).release();
  for (const data of ["dynamodb.db", "dynamodb.db-local", "s3-and-sqs"]) {
    mkdirSync(join(path, data));
    claimDataFolder(path).release();
    if (kept === undefined) rmSync(number);
    else writeFileSync(number, kept);
    const refusal = `DATA_DIR ${path} is kept in stored format ${line}, and this version reads ${STORED_FORMAT} alone: set DATA_DIR to another folder, or to memory`;
    for (const _ of ["once", "again"]) expect(() => claimDataFolder(path)).toThrow(new StartFailure(refusal));
    rmSync(join(path, data), { recursive: true });
    claimDataFolder(path).release();
  }
});

test.runIf(existsSync("/proc/self"))("a folder that the system does not allow is refused at once", () => {
  expect(() => claimDataFolder("/proc/nowhere/at/all")).toThrow(StartFailure);
});

test.each(["a-file", "a-file/below"])(
  "%s cannot be a data folder, and the failure is one line that names it",
  (name) => {
    writeFileSync(join(folder, "a-file"), "");
    const claim = () => claimDataFolder(join(folder, name));
    expect(claim).toThrow(StartFailure);
    expect(claim).toThrow(join(folder, name));
  },
);
