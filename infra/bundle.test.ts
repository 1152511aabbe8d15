import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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

test("stacks name the sources in Lambda, by a map that is read once one is asked for", async () => {
  const maps = join(import.meta.dirname, "../functions/runtime/source-maps.ts");
  copyFileSync(maps, join(folders.functions, "runtime/source-maps.ts"));
  const thrower = "\n\nexport const fail = (): never => {\n  throw new Error('oh no');\n};\n";
  writeFileSync(join(folders.root, "packages/domain/src/greeting.ts"), thrower);
  const caught = `import { fail } from "../packages/domain/src/greeting.ts";
export const handler = () => {
  try {
    fail();
  } catch (error) {
    return (error as Error).stack;
  }
};
`;
  writeFileSync(join(folders.functions, "greet.ts"), caught);
  await bundleFunctions(folders);
  // A deployment names the files so.
  const task = join(folders.root, "task");
  mkdirSync(task);
  for (const end of ["", ".map"])
    copyFileSync(join(folders.dist, `greet/index.cjs${end}`), join(task, `index.js${end}`));
  const stackWith = (env: Readonly<Record<string, string>>) => {
    const script = "process.stdout.write(require('./index.js').handler())";
    return spawnSync(process.execPath, ["-e", script], { cwd: task, env, encoding: "utf8" }).stdout;
  };
  const inLambda = { AWS_LAMBDA_FUNCTION_NAME: "greet" };
  const stack = stackWith(inLambda);
  expect(stack).toMatch(/^Error: oh no\n +at \S* ?\(?packages\/domain\/src\/greeting\.ts:4:9\)?\n/);
  expect(stack).toMatch(/\n +at .*functions\/greet\.ts:4:5/);
  rmSync(join(task, "index.js.map"));
  for (const env of [inLambda, {}]) expect(stackWith(env)).toMatch(/^Error: oh no\n +at .*\/task\/index\.js:\d+:\d+/);
});

test("a source that does not compile is refused by its file name", async () => {
  writeFileSync(join(folders.functions, "broken.ts"), "export const = 1;");
  await expect(ensureBundles(folders)).rejects.toThrow("functions/broken.ts");
});
