import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { toPackage } from "./bundle-client.ts";

const manifest = { name: "@intents/client", version: "1.2.3" };
const files = { "dist/client.js": Buffer.from("export const a = 1;\n"), "README.md": Buffer.from("# A\n") };

test("a package has the same bytes whenever it is made, and another version for any other byte", () => {
  const made = toPackage(manifest, files);
  expect(made.name).toMatch(/^client-1\.2\.3-c[\da-f]{10}\.tgz$/);
  expect(toPackage(manifest, Object.fromEntries(Object.entries(files).toReversed()))).toEqual(made);
  const others = [
    toPackage(manifest, { ...files, "README.md": Buffer.from("# B\n") }),
    toPackage(manifest, { ...files, LICENSE: Buffer.from("") }),
    toPackage({ ...manifest, engines: {} } as typeof manifest, files),
  ];
  expect(new Set([made, ...others].map(({ name }) => name)).size).toBe(4);
  // The bytes that it had when it was first made, it has on any machine.
  expect(made.name).toBe("client-1.2.3-c0ce2adc183.tgz");
  const sha256 = createHash("sha256").update(Buffer.from(made.base64, "base64")).digest("hex");
  expect(sha256).toBe("21e4019f0bee5ceba0aa30fc30060ff795fd26babfe1ce4a6736a22a8729e03a");
});

test("a package is an archive that others read", () => {
  const folder = mkdtempSync(join(tmpdir(), "client-package-"));
  try {
    const { name, base64 } = toPackage(manifest, files);
    writeFileSync(join(folder, name), Buffer.from(base64, "base64"));
    execFileSync("tar", ["-xzf", name], { cwd: folder });
    expect(readFileSync(join(folder, "package/dist/client.js"), "utf8")).toBe("export const a = 1;\n");
    const { version } = JSON.parse(readFileSync(join(folder, "package/package.json"), "utf8"));
    expect(name).toBe(`client-${version}.tgz`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
