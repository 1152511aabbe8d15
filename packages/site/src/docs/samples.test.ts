import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { openClient } from "../../../client/src/client.ts";
import { type Call, readGroups } from "./calls.ts";
import { codeBlock } from "./code.ts";
import { fillPlaces } from "./places.ts";
import { samplesOf } from "./samples.ts";

const document = JSON.parse(readFileSync(new URL("../../../../docs/openapi.json", import.meta.url), "utf8"));
const groups = readGroups(document);
const calls = groups.flatMap((group) => group.calls);
const URL_OF_STAGE = "http://127.0.0.1:1";
const codeOf = (call: Call, title: string): string =>
  fillPlaces(samplesOf(call).find((sample) => sample.title === title)?.code ?? "", URL_OF_STAGE, "demo:secret");

/** A sample's request. Each parameter of its path has its own name as value. */
type Sent = Readonly<{
  method: string;
  path: string;
  key: string | undefined;
  json?: unknown;
  parts: readonly string[];
}>;

const idsOf = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
const ids = [...new Set(calls.flatMap(({ path }) => idsOf(path)))];

function expectSent(call: Call, sent: Sent): void {
  const { method, path, body, operation } = call;
  const [address, query = ""] = sent.path.split("?");
  const at = operation.operationId;
  expect([at, sent.method, address]).toEqual([at, method, path.replaceAll(/[{}]/g, "")]);
  expect([at, sent.key]).toEqual([at, operation.security.length > 0 ? "demo:secret" : undefined]);
  const wanted = (operation.parameters ?? []).filter((one) => one.in === "query" && one.required === true);
  expect([at, [...new URLSearchParams(query).keys()]]).toEqual([at, wanted.map(({ name }) => name)]);
  if (body?.type === "application/json") expect([at, sent.json]).toEqual([at, body.example ?? {}]);
  else if (body !== undefined && body.shape.kind === "fields") {
    const required = body.shape.fields.flatMap(({ name, isOptional }) => (isOptional ? [] : [name]));
    expect([at, sent.parts.toSorted()]).toEqual([at, required.toSorted()]);
  }
}

const folder = mkdtempSync(join(tmpdir(), "samples-"));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, "passport.pdf"), "%PDF-1.4");

type Running = (...values: readonly unknown[]) => Promise<void>;
const AsyncFunction = (async () => undefined).constructor as new (...source: readonly string[]) => Running;

describe("the request of each call", () => {
  test("is a line of curl that a shell reads as that call", () => {
    // The function stands for curl, and prints what it is given.
    const script = calls.map((call) => `${codeOf(call, "curl")}\nprintf '\\036'`).join("\n");
    const known = ids.map((name) => `${name}='${name}'`).join("\n");
    const { stdout, stderr, status } = spawnSync("sh", ["-eu"], {
      input: `curl() { printf '%s\\037' "$@"; }\n${known}\n${script}`,
      encoding: "utf8",
    });
    expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
    const given = stdout.split("\u001e").map((one) => one.split("\u001f"));
    for (const [index, call] of calls.entries()) {
      const words = given[index] ?? [];
      const valuesOf = (option: string) => words.filter((_, at) => words[at - 1] === option);
      const isJson = valuesOf("-H").includes("Content-Type: application/json");
      const data = [...valuesOf("-d"), ...valuesOf("-F")];
      expectSent(call, {
        method: valuesOf("-X")[0] ?? (data.length > 0 ? "POST" : "GET"),
        path: (words[0] ?? "").slice(URL_OF_STAGE.length),
        key: valuesOf("-H")
          .find((header) => header.startsWith("X-API-Key: "))
          ?.slice("X-API-Key: ".length),
        ...(isJson && { json: JSON.parse(data[0] ?? "") }),
        parts: data.map((part) => part.split("=")[0] ?? ""),
      });
    }
  });

  test("is a program in TypeScript that sends it, by the client for whoever has a key", async () => {
    for (const call of calls) {
      const sent: Sent[] = [];
      const fetching = async (address: string | URL | Request, init: RequestInit = {}) => {
        const headers = new Headers(init.headers);
        const isJson = headers.get("content-type") === "application/json";
        sent.push({
          method: init.method ?? "GET",
          path: String(address).slice(URL_OF_STAGE.length),
          key: headers.get("x-api-key") ?? undefined,
          ...(isJson && { json: JSON.parse(String(init.body)) }),
          parts: isJson || init.body == null ? [] : [...(init.body as FormData | URLSearchParams).keys()],
        });
        throw new TypeError("nobody answers");
      };
      const machine = { fetch: fetching as typeof fetch, now: () => 0, random: () => 0, newKey: () => "k" };
      const sleep = () => Promise.reject(new Error("no second try"));
      const scope = {
        openClient: (settings: Parameters<typeof openClient>[0]) => openClient(settings, { ...machine, sleep }),
        fetch: fetching,
        openAsBlob: async () => new Blob(["%PDF-1.4"]),
        ...Object.fromEntries(ids.map((name) => [name, name])),
      };
      const code = codeOf(call, "TypeScript");
      expect(code.startsWith("import { openClient }")).toBe(call.operation.security.length > 0);
      const program = stripTypeScriptTypes(code.replace(/^import .*$/m, "")).replace(
        /(?<=\b(file|invoice): )"passport.pdf"/,
        "passport",
      );
      const run = new AsyncFunction(...Object.keys(scope), "passport", program);
      await run(...Object.values(scope), new File(["%PDF-1.4"], "passport.pdf")).catch(() => undefined);
      expect([call.operation.operationId, sent.length]).toEqual([call.operation.operationId, 1]);
      expectSent(call, sent[0] as Sent);
    }
  });

  const hasPython = spawnSync("python3", ["--version"]).status === 0;
  test.skipIf(!hasPython)("is a program in Python that sends it by Requests", () => {
    // A module that stands for Requests, and prints what it is told.
    const module = `import json, sys
class Answer:
    status_code = 200
    def json(self): return {}
def sender(method):
    def send(url, params={}, headers={}, json=None, data={}, files={}):
        query = "&".join(f"{name}={value}" for name, value in params.items())
        told = {"method": method, "path": url + ("?" + query if query else ""), "key": headers.get("X-API-Key"),
                "json": json, "parts": [*data, *files]}
        print(__import__("json").dumps(told), file=sys.stderr)
        return Answer()
    return send
get, post, put, patch, delete = map(sender, ["GET", "POST", "PUT", "PATCH", "DELETE"])
`;
    writeFileSync(join(folder, "requests.py"), module);
    const program = [...ids.map((name) => `${name} = "${name}"`), ...calls.map((call) => codeOf(call, "Python"))];
    const { stderr, status } = spawnSync("python3", ["-"], {
      input: program.join("\n"),
      cwd: folder,
      encoding: "utf8",
    });
    expect(status, stderr).toBe(0);
    const problems = stderr
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    for (const [index, call] of calls.entries()) {
      const { key, json, path, ...rest } = problems[index];
      expectSent(call, {
        ...{ ...rest, path: path.slice(URL_OF_STAGE.length), key: key ?? undefined },
        ...(json !== null && { json }),
      });
    }
  });

  test("keeps its text when it is coloured", () => {
    const entities = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#x27;": "'", "&amp;": "&" } as const;
    for (const { language, code } of calls.flatMap(samplesOf)) {
      const html = codeBlock(code, language);
      expect(html).toContain('<span class="c-');
      const text = html
        .replaceAll(/<[^>]*>/g, "")
        .replaceAll(/&(?:lt|gt|quot|#x27|amp);/g, (entity) => entities[entity as keyof typeof entities]);
      expect(text).toBe(code);
    }
  });
});

test("the reference leads through a payment in the order of its steps, with names in words", () => {
  expect(groups.filter(({ name }) => !/^[A-Z][a-z]/.test(name))).toEqual([]);
  expect(groups.slice(0, 5).map(({ page }) => page)).toEqual(
    ["rates", "documents", "parties", "payees", "payment-intents"].map((tag) => `reference-${tag}`),
  );
  const steps = groups.find(({ page }) => page === "reference-payment-intents")?.calls ?? [];
  expect(steps.slice(0, 6).map(({ operation }) => operation.operationId)).toEqual([
    ...["previewRequirements", "createPaymentIntent", "dryRunPaymentIntent", "compilePaymentIntent"],
    ...["submitPaymentIntent", "getPaymentIntent"],
  ]);
});
