import { spawn } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Rail } from "@intents/domain/rails/rail.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openServers, toRequest } from "../../test/http-fixture.ts";
import { startRailTable } from "../../test/rail-fixture.ts";
import { SIGNATURE_HEADER, signatureOf, TIMESTAMP_HEADER } from "../http/contract.ts";
import { serveRail } from "../http/server.ts";
import { openSandboxRail } from "../sandbox/sandbox.ts";
import { sandbox } from "../sandbox/terms.ts";
import { CheckStopped, openAsking } from "./asking.ts";
import { checkRail } from "./command.ts";
import { playPoints } from "./play.ts";
import { points } from "./points.ts";

const SECRET = "a-secret-of-the-check";
const { serveHttp, closeAll } = openServers();
let table: Awaited<ReturnType<typeof startRailTable>>;
let nowMs = Date.now();
const now = () => nowMs;
const pauses: number[] = [];
/** The clock moves by what is waited for. */
const pause = async (ms: number) => {
  pauses.push(ms);
  nowMs += ms;
};
beforeAll(async () => {
  table = await startRailTable();
});
afterAll(() => {
  closeAll();
  table.stop();
});

type Serve = (request: Request) => Promise<Response>;
type Wrong = Readonly<{ port?: (rail: Rail) => Partial<Rail>; serve?: (serve: Serve) => Serve; secret?: string }>;

/** The address of our own rail behind the contract, wrong in one way. */
function serveWrong({ port, serve: around = (serve) => serve, secret = SECRET }: Wrong): Promise<string> {
  const { db, tableName } = table;
  const options = { db, tableName, baseUrl: "https://api.example", settleSeconds: 5, dedupSeconds: 300, now };
  const own = openSandboxRail({ ...options, random: randomBytes }, sandbox).port;
  const serve = around(serveRail({ rail: { ...own, ...port?.(own) }, secrets: [secret], now }));
  return serveHttp(async (incoming, response) => {
    const answer = await serve(await toRequest(incoming));
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  });
}

async function check(wrong: Wrong, settleWithinMs = 0) {
  const url = await serveWrong(wrong);
  const ask = openAsking({ url: `${url}/v1`, secret: SECRET, now, pause });
  return playPoints({ ask, now, pause, settleWithinMs });
}
const brokenOf = async (wrong: Wrong) =>
  (await check(wrong)).verdicts.filter(({ verdict }) => verdict === "broken").map(({ point }) => point);

test("our own rail keeps every point, is asked five times a second at most, and nothing is left", async () => {
  pauses.length = 0;
  const { verdicts, left } = await check({}, 90_000);
  expect(verdicts.filter(({ verdict }) => verdict === "broken")).toEqual([]);
  expect(verdicts.filter(({ verdict }) => verdict === "not seen").map(({ point }) => point)).toEqual([
    expect.stringContaining("`unknown`"),
  ]);
  expect(left).toEqual([]);
  expect(Math.min(...pauses)).toBe(200);
});

/** Signs a request anew, so that the rail behind takes whatever came. */
const resigned =
  (always: boolean) =>
  (serve: Serve): Serve =>
  async (request) => {
    const body = await request.clone().text();
    const { pathname, search } = new URL(request.url);
    const given = request.headers.get(TIMESTAMP_HEADER) ?? "";
    const parts = { method: request.method, path: pathname + search, body };
    const isOurs = request.headers.get(SIGNATURE_HEADER) === signatureOf({ ...parts, timestamp: given }, SECRET);
    const headers = new Headers(request.headers);
    const timestamp = always ? given : String(now());
    headers.set(TIMESTAMP_HEADER, timestamp);
    if (always || isOurs) headers.set(SIGNATURE_HEADER, signatureOf({ ...parts, timestamp }, SECRET));
    return serve(new Request(request.url, { method: request.method, headers, ...(body !== "" && { body }) }));
  };

const wrongRails: readonly (readonly [string, Wrong, RegExp])[] = [
  ["reads no signature", { serve: resigned(true) }, /^a request that another secret signed/],
  ["reads no time", { serve: resigned(false) }, /^a request older than five minutes/],
  [
    "does not sign its answers",
    {
      serve: (serve) => async (request) => {
        const answer = await serve(request);
        answer.headers.delete(SIGNATURE_HEADER);
        return answer;
      },
    },
    /^every answer is signed/,
  ],
  [
    "pays again when it is asked again",
    { port: ({ execute }) => ({ execute: (order) => execute({ ...order, payerKey: randomUUID() }, randomUUID()) }) },
    /^an executionId is taken once/,
  ],
  [
    "knows no duplicates",
    { port: ({ execute }) => ({ execute: (order, id) => execute({ ...order, payerKey: randomUUID() }, id) }) },
    /^a duplicate under another executionId/,
  ],
  [
    "says pending of what never came",
    {
      port: ({ status }) => ({
        status: async (tenantId, id) => {
          const answer = await status(tenantId, id);
          return answer.kind === "not_found" ? { kind: "pending" } : answer;
        },
      }),
    },
    /^an execution that never came/,
  ],
  [
    "tells one tenant of another's payment",
    { port: ({ status }) => ({ status: (tenantId, id) => status(tenantId.replace("-other", ""), id) }) },
    /^an execution belongs to its tenant/,
  ],
  [
    "mixes up the answers to one question",
    { port: ({ statuses }) => ({ statuses: async (asked) => ((await statuses?.(asked)) ?? []).toReversed() }) },
    /^many executions are told by one question/,
  ],
  [
    "says cancelled, and pays",
    { port: () => ({ cancel: async () => ({ kind: "cancelled", reason: "called off" }) }) },
    /^a payment that was called off stays/,
  ],
  [
    "has a new account for each announcement",
    {
      port: ({ fund }) => ({
        fund: async (order) => {
          const answer = await fund(order);
          const accountNumber = randomUUID();
          return answer.kind === "funded"
            ? { ...answer, bankDetails: { ...answer.bankDetails, accountNumber } }
            : answer;
        },
      }),
    },
    /^a deposit of a batch is announced once/,
  ],
  [
    "pays from a deposit that nobody announced",
    { port: ({ execute }) => ({ execute: ({ fundingReference: _, ...order }, id) => execute(order, id) }) },
    /^an order that names a deposit/,
  ],
  [
    "lists nothing",
    { port: () => ({ list: async () => ({ kind: "page", payments: [] }) }) },
    /^the list holds each accepted payment once/,
  ],
];

test.each(wrongRails)("a rail that %s is told by the point that it breaks", async (_, wrong, point) => {
  const broken = await brokenOf(wrong);
  expect(broken).toContainEqual(expect.stringMatching(point));
});

test("a rail that does not know the secret is asked no further", async () => {
  await expect(check({ secret: "another" })).rejects.toThrow(CheckStopped);
});

describe("the command", () => {
  async function run(args: readonly string[], given: Readonly<{ secret?: string; answer?: boolean | undefined }> = {}) {
    const output = { out: "", err: "" };
    const code = await checkRail(args, {
      ...{ env: { RAIL_SECRET: given.secret ?? SECRET }, now, pause },
      confirm: async () => ("answer" in given ? given.answer : true),
      out: (text) => (output.out += text),
      err: (text) => (output.err += text),
    });
    return { code, ...output };
  }

  test("tells what it makes and where, then each point, and ends with 0, or with 4 where one is broken", async () => {
    const own = await serveWrong({});
    const { code, out, err } = await run([`${own}/v1/`]);
    expect([code, err]).toEqual([0, expect.stringContaining(`at ${own}/v1, of a tenant check-`)]);
    expect(out).toMatch(/14 of 16 points kept, 0 broken, 2 not seen; nothing is left of the check\n$/);
    const wrong = await serveWrong({ port: () => ({ list: async () => ({ kind: "page", payments: [] }) }) });
    const json = await run([`${wrong}/v1`, "--yes", "--json"]);
    expect(json.code).toBe(4);
    expect(JSON.parse(json.out).verdicts).toContainEqual(
      expect.objectContaining({ verdict: "broken", found: expect.stringContaining("is listed nowhere") }),
    );
    expect((await run([`${own}/v1`, "--yes"], { secret: "another" })).code).toBe(3);
    expect(await run(["http://127.0.0.1:1", "--yes"])).toMatchObject({ code: 3, out: "" });
  });

  test.each([
    [[], {}, /^usage: /],
    [["http://127.0.0.1:1", "--all"], {}, /Unknown option '--all'/],
    [["http://rail.example"], {}, /must be https/],
    [["https://rail.example", "--yes"], {}, /repeat with --confirm rail.example/],
    [["https://rail.example", "--confirm", "other.example"], {}, /repeat with --confirm rail.example/],
    [["http://127.0.0.1:1"], { secret: "" }, /RAIL_SECRET must hold/],
    [["http://127.0.0.1:1", "--settle-within", "soon"], {}, /a number of seconds/],
    [["http://127.0.0.1:1"], { answer: undefined }, /repeat with --yes/],
    [["http://127.0.0.1:1"], { answer: false }, /Nothing was sent/],
  ] as const)("asks nobody with %j %j", async (args, given, line) => {
    expect(await run(args, given)).toEqual({ code: 2, out: "", err: expect.stringMatching(line) });
  });
});

test("`pnpm rail:check` ends with the command's exit code", async () => {
  const url = await serveWrong({ secret: "another" });
  const args = [join(import.meta.dirname, "main.ts"), `${url}/v1`, "--yes"];
  const child = spawn(process.execPath, args, { env: { RAIL_SECRET: SECRET }, stdio: "ignore" });
  expect(await once(child, "exit")).toEqual([3, null]);
});

describe("docs/rails.md", () => {
  const guide = readFileSync(new URL("../../../../docs/rails.md", import.meta.url), "utf8");

  test("has the points in its table, with what each costs", () => {
    for (const { point, costs } of points) expect(guide).toContain(`| ${point} | ${costs} |`);
  });

  test("begins with a server that breaks no point", async () => {
    const folder = mkdtempSync(join(tmpdir(), "rail-"));
    const file = join(folder, "rail.mjs");
    writeFileSync(file, /```js\n([\s\S]*?)```/.exec(guide)?.[1] ?? "");
    const server = spawn(process.execPath, [file], { env: { PORT: "0", RAIL_SECRET: SECRET }, stdio: "pipe" });
    try {
      const [line] = (await once(server.stdout, "data")) as [Buffer];
      const ask = openAsking({ url: String(line).trim(), secret: SECRET, now: Date.now, pause: async () => undefined });
      const { verdicts, left } = await playPoints({ ask, now: Date.now, pause, settleWithinMs: 0 });
      expect(verdicts.filter(({ verdict }) => verdict === "broken")).toEqual([]);
      expect(verdicts.filter(({ verdict }) => verdict === "kept")).toHaveLength(14);
      expect(left).toEqual([]);
    } finally {
      server.kill();
      rmSync(folder, { recursive: true });
    }
  });
});
