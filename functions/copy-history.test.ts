import { Logger } from "@aws-lambda-powertools/logger";
import { PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { historyCopyKey } from "@intents/storage/table/key-owners.ts";
import { keysOf } from "@intents/storage/table/keys.ts";
import type { DynamoDBRecord } from "aws-lambda";
import { mockClient } from "aws-sdk-client-mock";
import { afterAll, beforeEach, expect, test, vi } from "vitest";

// Vitest has a setting of this name for its own use.
vi.stubEnv("BASE_URL", "http://127.0.0.1:3000");
const { handler } = await import("./copy-history.ts");
const s3 = mockClient(S3Client);
const said = vi.spyOn(Logger.prototype, "error").mockImplementation(() => undefined);
beforeEach(() => {
  s3.reset();
  said.mockClear();
});
afterAll(() => {
  s3.restore();
  vi.unstubAllEnvs();
  said.mockRestore();
});

const keys = keysOf("1001");
const audit = keys.audit("intent-1", 1);
const ledger = keys.ledger("intent-1", "execution-1#1#accepted");
const operators = keys.audit("OPERATOR", 0);

/** A change as DynamoDB streams it. */
function change(eventName: "INSERT" | "MODIFY" | "REMOVE", { PK, SK }: typeof audit, doc: string): DynamoDBRecord {
  const Keys = { PK: { S: PK }, SK: { S: SK } };
  return { eventName, dynamodb: { Keys, ...(eventName !== "REMOVE" && { NewImage: { ...Keys, doc: { S: doc } } }) } };
}
const copies = () => s3.commandCalls(PutObjectCommand).map(({ args: [{ input }] }) => [input.Key, input.Body]);

test("what is added to audit and ledger is copied as it stands, and nothing else is", async () => {
  const added = [audit, ledger, operators].map((key) => change("INSERT", key, `{"of":"${key.PK}"}`));
  const others = [keys.intent("intent-1"), keys.timer("intent-1"), keys.party("PAYER", "AUDIT")];
  await handler({ Records: [...added, ...others.map((key) => change("MODIFY", key, "{}"))] });
  expect(copies()).toEqual(
    [audit, ledger, operators].map((key) => {
      const doc = `{"of":"${key.PK}"}`;
      return [historyCopyKey(key, doc), doc];
    }),
  );
  expect(said).not.toHaveBeenCalled();
});

test("an entry that is changed or removed is reported, and what stands in its place lies beside its copy", async () => {
  await handler({
    Records: [change("INSERT", audit, "{}"), change("MODIFY", audit, "[]"), change("REMOVE", ledger, "")],
  });
  expect(copies()).toEqual([
    [historyCopyKey(audit, "{}"), "{}"],
    [historyCopyKey(audit, "[]"), "[]"],
  ]);
  expect(new Set(copies().map(([key]) => key)).size).toBe(2);
  expect(said.mock.calls).toEqual([
    ["history", { outcome: "history_changed", ...audit, eventName: "MODIFY" }],
    ["history", { outcome: "history_changed", ...ledger, eventName: "REMOVE" }],
  ]);
});

test("changes whose copies fail are streamed again", async () => {
  s3.on(PutObjectCommand).rejects(new Error("SlowDown"));
  const event = { Records: [change("INSERT", audit, "{}"), change("INSERT", ledger, "{}")] };
  await expect(handler(event)).rejects.toThrow("SlowDown");
  s3.reset();
  await handler(event);
  expect(new Set(copies().map(([key]) => key))).toEqual(
    new Set([historyCopyKey(audit, "{}"), historyCopyKey(ledger, "{}")]),
  );
});

test("an entry whose copy fails for good delays no other, and is named", async () => {
  const named = { Key: historyCopyKey(ledger, "{}") };
  s3.on(PutObjectCommand, named).rejects(new Error("refused for good"));
  await handler({ Records: [ledger, audit, operators].map((key) => change("INSERT", key, "{}")) });
  const copied = new Set(copies().map(([key]) => key));
  expect(copied).toContain(historyCopyKey(audit, "{}"));
  expect(copied).toContain(historyCopyKey(operators, "{}"));
  const about = `${ledger.PK} ${ledger.SK}`;
  expect(said.mock.calls).toEqual([["history", expect.objectContaining({ outcome: "history_uncopied", about })]]);
  // For a single entry, the error of S3 tells whether the entry or the bucket is at fault.
  s3.on(PutObjectCommand, named).rejects(Object.assign(new Error("too long"), { name: "KeyTooLongError" }));
  await handler({ Records: [change("INSERT", ledger, "{}")] });
  expect(said).toHaveBeenCalledTimes(2);
});

test("an entry whose copy fails once is copied all the same", async () => {
  s3.on(PutObjectCommand).rejectsOnce(new Error("SlowDown"));
  await handler({ Records: [change("INSERT", audit, "{}"), change("INSERT", ledger, "{}")] });
  expect(new Set(copies().map(([key]) => key)).size).toBe(2);
  expect(said).not.toHaveBeenCalled();
});
