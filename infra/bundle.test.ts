import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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

test("what a function loads when it needs it lies beside the function, for as long as it loads it", async () => {
  const greet = join(folders.functions, "greet.ts");
  const greeting = `"../packages/domain/src/greeting.ts"`;
  const loads = `export const handler = async () => (await import(${greeting})).greeting;\n`;
  writeFileSync(greet, loads);
  writeFileSync(
    join(folders.functions, "holds.ts"),
    `import { greeting } from ${greeting};\nexport const handler = () => greeting;\n`,
  );
  await ensureBundles(folders);
  const filesOf = (name: string) => readdirSync(join(folders.dist, name)).filter((file) => !file.endsWith(".map"));
  expect(filesOf("greet")).toEqual(["index.cjs", "src-greeting.cjs"]);
  expect(filesOf("holds")).toEqual(["index.cjs"]);
  expect(readFileSync(join(folders.dist, "greet/index.cjs"), "utf8")).not.toContain("good day");
  expect(await call()).toBe("good day");

  writeFileSync(greet, "export const handler = async () => 'nothing';\n");
  await ensureBundles(folders);
  expect(filesOf("greet")).toEqual(["index.cjs"]);
  rmSync(join(folders.functions, "holds.ts"));
});

test("two files of the same name in folders of the same name are not loaded in place of each other", async () => {
  mkdirSync(join(folders.root, "packages/storage/src"), { recursive: true });
  writeFileSync(join(folders.root, "packages/storage/src/greeting.ts"), `export const greeting = "hi";\n`);
  const loads = ["domain", "storage"].map((name) => `await import("../packages/${name}/src/greeting.ts")`);
  writeFileSync(join(folders.functions, "greet.ts"), `export const handler = async () => [${loads}];\n`);
  await expect(ensureBundles(folders)).rejects.toThrow("need other names");
});

test("script and style of the payer page are put into the functions, named by their content", async () => {
  const source = join(folders.root, "packages/payer-app/src");
  mkdirSync(join(source, "styles"), { recursive: true });
  writeFileSync(join(source, "styles/page.css"), "p { margin: 0; }");
  writeFileSync(
    join(folders.functions, "greet.ts"),
    "declare const PAGE_NAMES: any;\ndeclare const PAGE_ASSETS: any;\nexport const handler = async () => ({ ...PAGE_NAMES.payer, files: PAGE_ASSETS });\n",
  );
  const assetsWith = async (text: string) => {
    writeFileSync(join(source, "client.tsx"), `document.title = "${text}";\n`);
    await ensureBundles(folders);
    return (await call()) as { script: string; style: string; files: unknown[] };
  };
  const first = await assetsWith("Pay");
  expect(first.files).toEqual([
    { name: first.script, contentType: "text/javascript", text: expect.stringMatching(/["`]Pay["`]/) },
    { name: first.style, contentType: "text/css", text: expect.stringContaining("p{margin:0}") },
  ]);
  const second = await assetsWith("Paid");
  expect(second.script).not.toBe(first.script);
  expect(second.style).toBe(first.style);
});

test("stacks name the sources in Lambda, by a map that is read once one is asked for", async () => {
  const maps = join(import.meta.dirname, "../functions/runtime/source-maps.ts");
  copyFileSync(maps, join(folders.functions, "runtime/source-maps.ts"));
  const thrower = "\n\nexport const fail = (): never => {\n  throw new Error('oh no');\n};\n";
  writeFileSync(join(folders.root, "packages/domain/src/greeting.ts"), thrower);
  const caught = `export const handler = async () => {
  const { fail } = await import("../packages/domain/src/greeting.ts");
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
  for (const file of readdirSync(join(folders.dist, "greet")))
    copyFileSync(join(folders.dist, "greet", file), join(task, file.replace(/^index\.cjs/, "index.js")));
  const stackWith = (env: Readonly<Record<string, string>>) => {
    const script = "require('./index.js').handler().then((stack) => process.stdout.write(stack))";
    return spawnSync(process.execPath, ["-e", script], { cwd: task, env, encoding: "utf8" }).stdout;
  };
  const inLambda = { AWS_LAMBDA_FUNCTION_NAME: "greet" };
  const stack = stackWith(inLambda);
  expect(stack).toMatch(/^Error: oh no\n +at \S* ?\(?packages\/domain\/src\/greeting\.ts:4:9\)?\n/);
  expect(stack).toMatch(/\n +at .*functions\/greet\.ts:4:5/);
  for (const file of ["index.js", "src-greeting.cjs"]) rmSync(join(task, `${file}.map`));
  for (const env of [inLambda, {}])
    expect(stackWith(env)).toMatch(/^Error: oh no\n +at .*\/task\/src-greeting\.cjs:\d+:\d+/);
});

test("a source that does not compile is refused by its file name", async () => {
  writeFileSync(join(folders.functions, "broken.ts"), "export const = 1;");
  await expect(ensureBundles(folders)).rejects.toThrow("functions/broken.ts");
});
