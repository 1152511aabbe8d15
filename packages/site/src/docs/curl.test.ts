import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readGroups } from "./calls.ts";
import { toCurl } from "./curl.ts";

const document = JSON.parse(readFileSync(new URL("../../../../docs/openapi.json", import.meta.url), "utf8"));
const calls = readGroups(document).flatMap((group) => group.calls);

test("each call of the reference is a line that a shell reads as one call of curl, with its method, path and body", () => {
  // The function stands for curl, and prints what it is given.
  const script = calls.map((call) => `${toCurl(call)}\nprintf '\\036'`).join("\n");
  const ids = [...new Set(calls.flatMap(({ path }) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)))];
  const known = ["URL=http://service", "KEY='X-API-Key: k'", ...ids.map((name) => `${name}='{${name}}'`)].join("\n");
  const { stdout, stderr, status } = spawnSync("sh", ["-eu"], {
    input: `curl() { printf '%s\\037' "$@"; }\n${known}\n${script}`,
    encoding: "utf8",
  });
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  const given = stdout.split("\u001e").map((one) => one.split("\u001f"));
  for (const [index, { method, path, body, operation }] of calls.entries()) {
    const words = given[index] ?? [];
    expect(words).toContain(`http://service${path}`);
    expect(words.includes("X-API-Key: k")).toBe(operation.security.length > 0);
    const implied = words.includes("-d") || words.includes("-F") ? "POST" : "GET";
    expect(words.includes("-X") ? words[words.indexOf("-X") + 1] : implied).toBe(method);
    if (body?.type === "application/json")
      expect(JSON.parse(words[words.indexOf("-d") + 1] ?? "")).toEqual(body.example ?? {});
  }
});
