import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { StartFailure } from "../start-failure.ts";
import { claimDataFolder } from "./data-folder.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "data-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

test("a folder is made, and belongs to one service alone until that service releases it", () => {
  const path = join(folder, "deep/er");
  const claimed = claimDataFolder(path);
  expect(claimed.path).toBe(path);
  expect(() => claimDataFolder(path)).toThrow(/in use by another running service/);
  claimed.release();
  claimDataFolder(path).release();
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
