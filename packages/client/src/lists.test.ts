import { expect, test } from "vitest";
import { ok, openMachine } from "../test/machine-fixture.ts";
import { openClient } from "./client.ts";

const page = (students: readonly object[], nextCursor?: string) =>
  ok({ students }, { count: students.length, total: 3, hasMore: nextCursor !== undefined, nextCursor });

function open(...pages: ReturnType<typeof page>[]) {
  const { machine, sent } = openMachine(pages);
  const client = openClient({ baseUrl: "https://api.example.com", apiKey: "demo:s3cr3t" }, machine);
  return { client, asked: () => sent.map(({ url }) => Object.fromEntries(new URL(url).searchParams)) };
}

test("a list goes on from cursor to cursor, with the same question, and asks for nothing that nobody goes on to", async () => {
  const { client, asked } = open(page([{ _id: "a" }, { _id: "b" }], "c1"), page([{ _id: "c" }]));
  const list = client.students.list({ filter: { email: { $ne: "x@example.com" } }, skip: 1, limit: 2 });
  expect(asked()).toEqual([]);
  const seen: string[] = [];
  for await (const { _id } of list) seen.push(_id);
  const filter = '{"email":{"$ne":"x@example.com"}}';
  expect([seen, asked()]).toEqual([
    ["a", "b", "c"],
    [
      { filter, skip: "1", limit: "2" },
      { filter, limit: "2", cursor: "c1" },
    ],
  ]);
  for await (const { _id } of list) if (_id === "a") break;
  expect(asked()).toHaveLength(3);
});

test("a page without items is the last one, whatever it says of another", async () => {
  const { client, asked } = open(page([], "c1"));
  for await (const { total } of client.students.list({ limit: 0 }).pages()) expect(total).toBe(3);
  expect(asked()).toHaveLength(1);
});

test("a filter names fields of the items, and values that they can have", () => {
  const { client, asked } = open();
  client.paymentIntents.list({ filter: { status: { $in: ["completed", "failed"] }, "payer.role": "student" } });
  client.paymentIntents.list({ filter: { $or: [{ status: "draft" }, { createdAt: { $gte: "2026-01-01" } }] } });
  // @ts-expect-error: no field has this name.
  client.paymentIntents.list({ filter: { state: "completed" } });
  // @ts-expect-error: no status has this name.
  client.paymentIntents.list({ filter: { status: "complete" } });
  expect(asked()).toEqual([]);
});
