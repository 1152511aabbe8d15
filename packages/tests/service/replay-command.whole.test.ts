import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { EVENTS, readEventFile } from "@intents/local/events/event.ts";
import { afterAll, expect, test } from "vitest";

const REPLAY = fileURLToPath(new URL("../../local/src/events/replay.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "replay-"));
afterAll(() => rmSync(folder, { recursive: true }));

const run = (...args: string[]) => {
  const env = { ...process.env, BASE_URL: undefined };
  const { status, stdout, stderr } = spawnSync(process.execPath, [REPLAY, ...args], { encoding: "utf8", env });
  return { status, stdout, stderr };
};
const fileOf = (content: string): string => {
  const path = join(folder, "one.json");
  writeFileSync(path, content);
  return path;
};

const refused: readonly (readonly [string, () => string, string])[] = [
  ["a file that is not there", () => join(folder, "none.json"), "none.json cannot be read: ENOENT"],
  ["what is not JSON", () => fileOf("{"), "one.json is not JSON"],
  [
    "JSON that is no event file",
    () => fileOf('{ "function": "payees", "evnt": {} }'),
    "one.json is not an event file: event:",
  ],
  ["a function that is not there", () => fileOf('{ "function": "nobody", "event": {} }'), "there is no such function"],
];
test.each(refused)("a replay refuses %s with one line and exit code 1", (_, path, problem) => {
  const { status, stdout, stderr } = run(path(), "--throw-away");
  expect({ status, stdout, lines: stderr.trim().split("\n").length }).toEqual({ status: 1, stdout: "", lines: 1 });
  expect(stderr).toContain(problem);
});

const exits: readonly (readonly [string, object, number, string])[] = [
  ["not what the file expects", { expect: { statusCode: 200 } }, 1, 'Not as expected: {"statusCode":200}'],
  ["what the file expects", { expect: { statusCode: 404 } }, 0, "404"],
  ["nothing in particular", {}, 0, "404"],
];
test.each(exits)("a replay exits by the answer: %s", (_, expected, status, said) => {
  const { event } = readEventFile(join(EVENTS, "fallback/notFound.json"));
  const made = run(fileOf(JSON.stringify({ function: "fallback", ...expected, event })), "--throw-away");
  expect(made).toMatchObject({ status, stderr: "", stdout: expect.stringContaining(said) });
});

test("a replay takes an event alone for a function that is named, and exits with 1 when that throws", () => {
  const { event } = readEventFile(join(EVENTS, "fallback/notFound.json"));
  const bare = fileOf(JSON.stringify(event));
  expect(run(bare, "--throw-away").stderr).toMatch(/^[^\n]*an event alone needs --function NAME[^\n]*\n$/);
  expect(run(bare, "--function", "fallback", "--throw-away")).toMatchObject({ status: 0, stderr: "" });
  const thrown = run(fileOf("{}"), "--function", "advance-intent", "--throw-away");
  expect(thrown).toMatchObject({ status: 1, stderr: "" });
  expect(thrown.stdout).toMatch(/^Threw .*Error/m);
  expect(thrown.stdout).not.toContain("Not as expected");
});

test("a replay records a request without its secrets, and replays what it recorded", () => {
  const out = join(folder, "recorded", "event.json");
  const secrets = ["--key", "demo:demo-secret", "--header", "Idempotency-Key: key-of-mine"];
  const body = '{"phone":"+5511987654321","city":"{{unique}}"}';
  const path = "/v2/students/{{createStudent._id}}";
  const made = run(
    "--record",
    "PUT",
    path,
    "--body",
    body,
    ...secrets,
    "--setup",
    "parties/createStudent.json",
    "--out",
    out,
    "--throw-away",
  );
  expect(made).toMatchObject({ status: 0, stderr: "" });
  expect(existsSync(out)).toBe(true);

  const file = readEventFile(out);
  expect(file).toMatchObject({
    function: "parties",
    setup: ["parties/createStudent.json"],
    expect: { statusCode: 200 },
    event: {
      path,
      pathParameters: { id: "{{createStudent._id}}" },
      body: { city: "{{unique}}" },
      isBase64Encoded: false,
    },
  });
  expect(JSON.stringify(file)).not.toMatch(/demo-secret|key-of-mine/);

  const replayed = run(out, "--throw-away");
  expect(replayed).toMatchObject({ status: 0, stderr: "" });
  expect(replayed.stdout).toMatch(/^parties on a throw-away store.*\n\n200\n/);
  expect(replayed.stdout).toContain('"phone": "+5511987654321"');
  expect(replayed.stdout).toContain('"route":"PUT /v2/students/{id}"');
  expect(replayed.stdout).toMatch(/DynamoDB \w+ +payment-intents T#1001#STUDENT#/);
});
