import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { findClientChanges } from "./client-sources.ts";

const project = dirname(import.meta.dirname);

test("the client's sources are written where they are missing or differ, and removed where the document has them no more", () => {
  const root = mkdtempSync(join(tmpdir(), "client-sources-"));
  const put = (path: string, contents: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, contents);
  };
  try {
    for (const file of ["docs/openapi.json", "packages/client/package.json"])
      cpSync(join(project, file), join(root, file));
    const source = (name: string) => join(root, "packages/client/src", name);
    const { written } = findClientChanges(root);
    expect(written.map(({ path }) => path)).toContain(source("api/routes.ts"));
    for (const { path, contents } of written) put(path, contents);
    expect(findClientChanges(root)).toEqual({ written: [], removed: [] });
    put(source("api/routes.ts"), "");
    put(source("schemas/former.ts"), "");
    expect(findClientChanges(root)).toEqual({
      written: [written.find(({ path }) => path === source("api/routes.ts"))],
      removed: [source("schemas/former.ts")],
    });
  } finally {
    rmSync(root, { recursive: true });
  }
});
