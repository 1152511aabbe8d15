import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchService, runToEnd } from "./service.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "service-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const KEY = { "X-API-Key": "demo:demo-secret" };

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

describe("a running service", () => {
  test.each([
    ["SIGINT", 0],
    ["SIGTERM", 0],
    ["SIGKILL", null],
  ] as const)("ends by %s with %j, prints nothing more, and leaves no process behind", async (signal, exitCode) => {
    const service = await launchService();
    const [offspring, banner] = [offspringOf(service.pid), service.output()];
    expect(offspring.length).toBeGreaterThan(0);
    expect(await service.kill(signal)).toBe(exitCode);
    expect(service.output()).toBe(banner);
    await expect(fetch(service.url)).rejects.toThrow();
    // The new parent needs a moment to notice an ended process.
    await expect.poll(() => offspring.filter(isAlive)).toEqual([]);
  });

  test("finishes the request under way when it is told to end, takes no other request, and exits with 0", async () => {
    const service = await launchService();
    const port = Number(new URL(service.url).port);
    const idle = connect(port, "127.0.0.1");
    const body = JSON.stringify({ name: "Slow", countryCode: "GB", currencyCode: "GBP" });
    const socket = connect(port, "127.0.0.1");
    let received = "";
    socket.setEncoding("utf8").on("data", (text: string) => {
      received += text;
    });
    const asked = {
      ...{ ...KEY, "Content-Type": "application/json", "Content-Length": body.length },
      Host: "127.0.0.1",
      Expect: "100-continue",
    };
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
