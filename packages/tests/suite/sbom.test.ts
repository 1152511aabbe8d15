import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

type Hash = Readonly<{ alg: string; content: string }>;
type Component = Readonly<{
  name: string;
  group?: string;
  licenses?: readonly unknown[];
  externalReferences?: readonly Readonly<{ type: string; hashes?: readonly Hash[] }>[];
}>;
type Bom = Readonly<{
  bomFormat: string;
  metadata: Readonly<{ component: Component }>;
  components: readonly Component[];
}>;

const isOurs = ({ group }: Component) => group === "@intents";

test("the bill of materials has the hash of each package's archive, every licence, and ours", ({ skip }) => {
  const { npm_execpath: pnpm = "" } = process.env;
  if (!pnpm.includes("pnpm")) return skip("not run by pnpm");
  const run = spawnSync(pnpm, ["--silent", "run", "sbom"], {
    cwd: join(import.meta.dirname, "../../.."),
    encoding: "utf8",
    maxBuffer: 16 * 1024 * 1024,
  });
  const { bomFormat, metadata, components } = JSON.parse(run.stdout) as Bom;
  expect(bomFormat).toBe("CycloneDX");
  for (const own of [metadata.component, ...components.filter(isOurs)])
    expect(own.licenses, own.name).toEqual([{ license: { id: "Apache-2.0" } }]);
  const others = components.filter((component) => !isOurs(component));
  expect(others.length).toBeGreaterThan(10);
  for (const { name, licenses = [], externalReferences = [] } of others) {
    expect(licenses, name).not.toEqual([]);
    const archive = externalReferences.find(({ type }) => type === "distribution");
    expect(archive?.hashes, name).toContainEqual({ alg: "SHA-512", content: expect.stringMatching(/^[0-9a-f]{128}$/) });
  }
});
