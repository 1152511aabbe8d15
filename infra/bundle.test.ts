import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BundleFolders, bundleFunctions, ensureBundles } from "./bundle.ts";

let folders: BundleFolders;

beforeAll(() => {
  const root = mkdtempSync(join(tmpdir(), "bundle-"));
  folders = { root, functions: join(root, "functions"), dist: join(root, "dist") };
  mkdirSync(folders.functions);
  mkdirSync(join(root, "packages/domain/src"), { recursive: true });
  writeFileSync(join(root, "packages/domain/src/greeting.ts"), `export const greeting: string = "hello";\n`);
  writeFileSync(
    join(folders.functions, "greet.ts"),
    `import { greeting } from "../packages/domain/src/greeting.ts";\nexport const handler = async () => greeting;\n`,
  );
  writeFileSync(join(folders.functions, "greet.test.ts"), "not even a program");
});
afterAll(() => rmSync(folders.root, { recursive: true }));

const call = (): Promise<unknown> => {
  const file = join(folders.dist, "greet/index.cjs");
  const require = createRequire(file);
  delete require.cache[file];
  return require(file).handler();
};

test("every function but no test becomes one CommonJS file that exports its handler, with a source map", async () => {
  const bundles = await bundleFunctions(folders);
  expect(bundles).toEqual([{ name: "greet", file: join(folders.dist, "greet/index.cjs"), bytes: expect.any(Number) }]);
  expect(await call()).toBe("hello");
  expect(readFileSync(join(folders.dist, "greet/index.cjs"), "utf8")).toContain("sourceMappingURL=index.cjs.map");
});

test("bundles are made again when a source or a bundle changed, and only then", async () => {
  expect(await ensureBundles(folders)).toBe(true);
  expect(await ensureBundles(folders)).toBe(false);

  writeFileSync(join(folders.root, "packages/domain/src/greeting.ts"), `export const greeting: string = "good day";\n`);
  expect(await ensureBundles(folders)).toBe(true);
  expect(await call()).toBe("good day");

  rmSync(join(folders.dist, "greet"), { recursive: true });
  expect(await ensureBundles(folders)).toBe(true);
  expect(await ensureBundles(folders)).toBe(false);
});

test("credentials come from the functions' own source in place of the SDK's chain of providers", async () => {
  mkdirSync(join(folders.functions, "runtime"));
  writeFileSync(join(folders.functions, "runtime/credentials.ts"), "export const defaultProvider = () => 'own';\n");
  // The folder has no packages: without the source of its own, the SDK's would not be found.
  const taking = `import { defaultProvider } from "@aws-sdk/credential-provider-node";\n`;
  writeFileSync(
    join(folders.functions, "greet.ts"),
    `${taking}export const handler = async () => defaultProvider();\n`,
  );
  await ensureBundles(folders);
  expect(await call()).toBe("own");
});

test("script and style of the payer page are put into the functions, named by their content", async () => {
  const source = join(folders.root, "packages/payer-app/src");
  mkdirSync(join(source, "styles"), { recursive: true });
  writeFileSync(join(source, "styles/page.css"), "p { margin: 0; }");
  writeFileSync(join(folders.functions, "greet.ts"), "export const handler = async () => PAGE_ASSETS.payer;\n");
  const assetsWith = async (text: string) => {
    writeFileSync(join(source, "client.tsx"), `document.title = "${text}";\n`);
    await ensureBundles(folders);
    return (await call()) as Record<"script" | "style", { name: string; contentType: string; text: string }>;
  };
  const first = await assetsWith("Pay");
  expect(first.script).toMatchObject({ contentType: "text/javascript", text: expect.stringContaining('"Pay"') });
  expect(first.style).toMatchObject({ contentType: "text/css", text: expect.stringContaining("p{margin:0}") });
  const second = await assetsWith("Paid");
  expect(second.script.name).not.toBe(first.script.name);
  expect(second.style.name).toBe(first.style.name);
});

test("a source that does not compile is refused by its file name", async () => {
  writeFileSync(join(folders.functions, "broken.ts"), "export const = 1;");
  await expect(ensureBundles(folders)).rejects.toThrow("functions/broken.ts");
});
