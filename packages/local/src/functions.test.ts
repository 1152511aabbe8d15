import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FunctionTimeout, openFunctions } from "./functions.ts";

let dist: string;

beforeAll(() => {
  dist = mkdtempSync(join(tmpdir(), "functions-"));
  const add = (name: string, source: string) => {
    mkdirSync(join(dist, name));
    writeFileSync(join(dist, name, "index.cjs"), source);
  };
  add("echo", "let calls = 0; exports.handler = async (event, context) => ({ event, context, calls: ++calls });");
  add("thrower", `exports.handler = () => { throw new Error("sudden"); };`);
  add("sleeper", "exports.handler = () => new Promise(() => {});");
  add("empty", "exports.other = 1;");
});
afterAll(() => rmSync(dist, { recursive: true }));

test("a function is loaded once and gets the event and a Lambda context", async () => {
  const functions = openFunctions(dist);
  await functions.invoke("echo", { n: 1 });
  const { event, context, calls } = (await functions.invoke("echo", { n: 2 })) as Record<
    string,
    Record<string, unknown>
  >;
  expect(event).toEqual({ n: 2 });
  expect(calls).toBe(2);
  expect(context).toMatchObject({ functionName: "echo", memoryLimitInMB: "512", awsRequestId: expect.any(String) });
  const remainingMs = (context!["getRemainingTimeInMillis"] as () => number)();
  expect(remainingMs).toBeGreaterThan(27_000);
  expect(remainingMs).toBeLessThanOrEqual(28_000);
  expect(await openFunctions(dist).invoke("echo", {})).toMatchObject({ calls: 1 });
});

test("an error that a function throws, even before its first await, rejects the call", async () => {
  await expect(openFunctions(dist).invoke("thrower", {})).rejects.toThrow("sudden");
});

test("a call of a function that does not answer in time is given up", async () => {
  await expect(openFunctions(dist, 20).invoke("sleeper", {})).rejects.toThrow(FunctionTimeout);
});

test("a call of a function that does not exist, or exports no handler, rejects", async () => {
  const functions = openFunctions(dist);
  await expect(functions.invoke("missing", {})).rejects.toThrow("missing");
  await expect(functions.invoke("empty", {})).rejects.toThrow("exports no handler");
});
