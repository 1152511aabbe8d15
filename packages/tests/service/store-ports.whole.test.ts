import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { request } from "node:http";
import { runningFile } from "@intents/deployment/running-file.ts";
import { describe, expect, test } from "vitest";
import { openService } from "./service-fixture.ts";

const { service } = await openService({});
const running = JSON.parse(readFileSync(runningFile(new URL(service.url).port), "utf8")) as Record<string, string>;
const secret = running["AWS_SESSION_TOKEN"] ?? "";

const stores = [
  ["DynamoDB", running["AWS_ENDPOINT_URL_DYNAMODB"] ?? "", { "X-Amz-Target": "DynamoDB_20120810.ListTables" }],
  ["S3", `${running["AWS_ENDPOINT_URL_S3"]}/${running["BUCKET_NAME"]}`, {}],
  ["SQS", running["AWS_ENDPOINT_URL_SQS"] ?? "", { "X-Amz-Target": "AmazonSQS.ListQueues" }],
] as const;

/** The stores ask for the form of a signature, and compare none. */
const signed = {
  Authorization:
    "AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/any/aws4_request, SignedHeaders=host, Signature=0",
  "X-Amz-Date": "20260101T000000Z",
};

/** The status of an answer, and the origin whose pages may read it. */
const ask = (address: string, headers: Record<string, string>): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const isJson = headers["X-Amz-Target"] !== undefined;
    const sent = request(address, {
      method: isJson ? "POST" : "GET",
      agent: false,
      headers: { ...headers, ...(isJson && { "Content-Type": "application/x-amz-json-1.0" }) },
    });
    sent.on("response", ({ statusCode, headers: answered }) =>
      resolve([statusCode, answered["access-control-allow-origin"]]),
    );
    sent.on("error", reject).end(isJson ? "{}" : undefined);
  });

test("the file that tells the secret is for this user alone", () => {
  expect(secret).toMatch(/^[\w-]{22,}$/);
  expect(statSync(runningFile(new URL(service.url).port)).mode & 0o777).toBe(0o600);
});

describe.each(stores)("%s of start", (_, address, headers) => {
  const own = { ...headers, ...signed, "X-Amz-Security-Token": secret };

  test("answers who has the secret of this start", async () => {
    expect(await ask(address, own)).toEqual([200, undefined]);
  });

  test.each([
    ["without the secret", { "X-Amz-Security-Token": "" }],
    ["with another secret", { "X-Amz-Security-Token": secret.toLowerCase() }],
    ["with an origin, as a page sends it", { Origin: "https://evil.example" }],
    ["by a name that was made to lead here", { Host: `evil.example:${new URL(address).port}` }],
  ])("refuses a request %s", async (_what, changed) => {
    expect(await ask(address, { ...own, ...changed })).toEqual([403, undefined]);
  });

  test("answers no browser that asks whether a page may call it", async () => {
    const answer = await fetch(address, {
      method: "OPTIONS",
      headers: { Origin: "https://evil.example", "Access-Control-Request-Method": "POST" },
    });
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([403, null]);
  });
});

/** The processes that a service started, with itself. */
function processesOf(pid: number): number[] {
  const pairs = execFileSync("ps", ["-eo", "pid=,ppid="], { encoding: "utf8" })
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  const below = pairs.filter(([, parent]) => parent === pid).flatMap(([child = 0]) => processesOf(child));
  return [pid, ...below];
}

/** The addresses on which a process listens, as Linux tells them: `127.0.0.1:3000`. */
function listensOn(pid: number): string[] {
  const fds = readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
    } catch {
      return [];
    }
  });
  const lines = readFileSync(`/proc/${pid}/net/tcp`, "utf8").trim().split("\n").slice(1);
  return lines.flatMap((line) => {
    const [, local = "", , state, , , , , , inode] = line.trim().split(/\s+/);
    if (state !== "0A" || !fds.includes(`socket:[${inode}]`)) return [];
    const [address = "", port = ""] = local.split(":");
    return [`${Buffer.from(address, "hex").toReversed().join(".")}:${Number.parseInt(port, 16)}`];
  });
}

test.runIf(existsSync("/proc/net/tcp"))(
  "every port that start opens is the gateway's, asks for the secret, or has an address that nobody can guess",
  async () => {
    const ports = processesOf(service.pid).flatMap(listensOn);
    const hidden = ports.filter((address) => /^127\.(?!0\.0\.1:)/.test(address));
    expect(hidden).toHaveLength(1);
    const open = ports.filter((address) => !hidden.includes(address));
    expect(open).toHaveLength(3);
    const paths = open.map((address) => `http://127.0.0.1:${address.split(":")[1]}/v2/users/me`);
    const statuses = await Promise.all(paths.map((path) => fetch(path).then(({ status }) => status)));
    expect(statuses.toSorted()).toEqual([401, 403, 403]);
  },
);
