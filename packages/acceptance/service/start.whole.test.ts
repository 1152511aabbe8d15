import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { partyRoutes } from "@intents/contract/parties.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchService, type RunningService, runToEnd } from "./service.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "service-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const KEY = { "X-API-Key": "demo:demo-secret" };
const asJson = { ...KEY, "Content-Type": "application/json" };
type Record = Readonly<{ [name: string]: unknown }>;

async function dataOf(answer: Promise<Response>): Promise<Record> {
  const response = await answer;
  if (!response.ok) throw new Error(`${response.url}: ${await response.text()}`);
  return ((await response.json()) as { data: Record }).data;
}

/** The processes that a service started, with those that these started. */
function offspringOf(pid: number): number[] {
  const lines = execFileSync("ps", ["-eo", "pid=,ppid="], { encoding: "utf8" }).trim().split("\n");
  const pairs = lines.map((line) => line.trim().split(/\s+/).map(Number) as [number, number]);
  const children = pairs.filter(([, parent]) => parent === pid).map(([child]) => child);
  return children.flatMap((child) => [child, ...offspringOf(child)]);
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return !existsSync("/proc/self") || existsSync(`/proc/${pid}`);
  } catch {
    return false;
  }
};

/** Saves a payee and a student with a document, and returns a function that reads them again. */
async function saveRecords({ url }: RunningService) {
  const post = (path: string, body: unknown) =>
    dataOf(fetch(url + path, { method: "POST", headers: asJson, body: JSON.stringify(body) }));
  const payee = await post("/v2/payees", { name: "Harbour", countryCode: "GB", currencyCode: "GBP" });
  const student = await post("/v2/students", partyRoutes.createStudent.example);
  const form = new FormData();
  form.set("file", new Blob([`%PDF-1.4\n${"x".repeat(100_000)}`]), "passport.pdf");
  const uploaded = await dataOf(fetch(`${url}/v2/documents`, { method: "POST", headers: KEY, body: form }));
  const documents = `/v2/students/${student["_id"]}/documents`;
  const saved = await post(documents, {
    sourceDocumentId: uploaded["documentId"],
    fileName: "passport.pdf",
    contentType: "application/pdf",
    type: "identity",
  });
  return [`/v2/payees/${payee["id"]}`, `${documents}/${saved["legacyDocumentId"]}/content`];
}

describe("a running service", () => {
  test("keeps everything through kill -9, leaves no process behind, and starts again at once", async () => {
    const env = { DATA_DIR: join(folder, "kept") };
    const first = await launchService(env);
    const paths = await saveRecords(first);
    const read = (url: string) =>
      Promise.all(paths.map(async (path) => (await fetch(url + path, { headers: KEY })).text()));
    const before = await read(first.url);
    expect(before[1]).toContain("%PDF-1.4");
    const offspring = offspringOf(first.pid);
    expect(offspring.length).toBeGreaterThan(0);

    expect(await first.kill("SIGKILL")).toBeNull();
    const second = await launchService(env);
    await expect.poll(() => offspring.filter(isAlive)).toEqual([]);
    expect(await read(second.url)).toEqual(before);
    await second.stop();
  });

  test("finishes the request under way when it is told to end, takes no other request, and exits with 0", async () => {
    const service = await launchService();
    const offspring = offspringOf(service.pid);
    const port = Number(new URL(service.url).port);
    const idle = connect(port, "127.0.0.1");
    const body = JSON.stringify({ name: "Slow", countryCode: "GB", currencyCode: "GBP" });
    const socket = connect(port, "127.0.0.1");
    let received = "";
    socket.setEncoding("utf8").on("data", (text: string) => {
      received += text;
    });
    const asked = { ...asJson, Host: "127.0.0.1", Expect: "100-continue", "Content-Length": body.length };
    const headers = Object.entries(asked);
    const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
    socket.write(`POST /v2/payees HTTP/1.1\r\n${head}\r\n${body.slice(0, 10)}`);
    await expect.poll(() => received).toBe("HTTP/1.1 100 Continue\r\n\r\n");

    const closed = once(socket, "close");
    const ended = service.kill("SIGTERM");
    const ask = () =>
      fetch(service.url).then(
        () => "answered",
        () => "refused",
      );
    await expect.poll(ask).toBe("refused");
    socket.write(body.slice(10));
    await closed;
    expect(received).toMatch(/\r\n\r\nHTTP\/1.1 201 /);
    expect(await ended).toBe(0);
    // The new parent needs a moment to notice an ended process.
    await expect.poll(() => offspring.filter(isAlive)).toEqual([]);
    idle.destroy();
  });
});

describe("a service that cannot start says why in one line, exits with 1 and leaves nothing running", () => {
  const cases: [string, () => Promise<Readonly<{ [name: string]: string }>>, string][] = [
    [
      "the port is taken",
      async () => {
        const holder = createServer().listen(0, "127.0.0.1");
        await once(holder, "listening");
        holder.unref();
        return { PORT: String((holder.address() as AddressInfo).port) };
      },
      "is taken",
    ],
    [
      "DATA_DIR is a file",
      async () => {
        writeFileSync(join(folder, "file"), "");
        return { DATA_DIR: join(folder, "file") };
      },
      "DATA_DIR",
    ],
    ["a setting is wrong", async () => ({ QUOTE_TTL_SECONDS: "soon" }), "QUOTE_TTL_SECONDS"],
    ["PORT is no port", async () => ({ PORT: "http" }), "PORT"],
    [
      "DYNAMODB_ENDPOINT leads nowhere",
      async () => ({ DYNAMODB_ENDPOINT: "http://127.0.0.1:9" }),
      "http://127.0.0.1:9",
    ],
  ];
  test.each(cases)("when %s", async (_name, env, reason) => {
    const { exitCode, stdout, stderr } = await runToEnd(await env());
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(stderr).toContain(reason);
    expect([exitCode, stdout]).toEqual([1, ""]);
  });

  test("a line for each setting that is wrong, when there are several", async () => {
    const { exitCode, stdout, stderr } = await runToEnd({ CONNECTOR: "http", LOG_LEVEL: "chatty", PORT: "http" });
    expect([exitCode, stdout]).toEqual([1, ""]);
    const named = stderr.trim().split("\n");
    expect(named.map((line) => line.split(":")[0])).toEqual(["PORT", "LOG_LEVEL", "CONNECTOR_URL", "CONNECTOR_SECRET"]);
  });

  test("when another service uses its DATA_DIR", async () => {
    const env = { DATA_DIR: join(folder, "shared") };
    const first = await launchService(env);
    const { exitCode, stderr } = await runToEnd(env);
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/^[^\n]*in use by another running service[^\n]*\n$/)]);
    expect((await fetch(`${first.url}/v2/users/me`, { headers: KEY })).status).toBe(200);
    await first.stop();
  });
});
