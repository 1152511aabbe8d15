import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openClient } from "./client.ts";
import { launchService } from "./service.ts";

const parent = mkdtempSync(join(tmpdir(), "data-folder-"));
afterAll(() => rmSync(parent, { recursive: true }));

const modeOf = (path: string): number => statSync(path).mode & 0o777;

test("whatever a service keeps in its DATA_DIR is for its user alone, while it runs, once it has ended, and when it is back", async () => {
  const folder = join(parent, "data");
  const modes = () => {
    const found = readdirSync(folder, { recursive: true, withFileTypes: true });
    expect(found.filter((entry) => entry.isFile()).length).toBeGreaterThan(1);
    const open = found.filter((entry) => (modeOf(join(entry.parentPath, entry.name)) & 0o077) !== 0);
    return [modeOf(folder), open.map(({ name }) => name)];
  };
  for (const _ of ["begun", "back"]) {
    const service = await launchService({ DATA_DIR: folder });
    const client = openClient(service.url);
    await client.saveDocument(`/v2/students/${(await client.newStudent())._id}`);
    expect(modes()).toEqual([0o700, []]);
    await service.stop();
    expect(modes()).toEqual([0o700, []]);
  }
});
