import { expect, test, vi } from "vitest";
import { openKeyUses } from "./key-uses.ts";

const EVENING_MS = Date.UTC(2026, 10, 21, 23, 59, 59, 999);

test("a key's use is written once a day, however often it is used", () => {
  const write = vi.fn(async () => undefined);
  const noteUse = openKeyUses(write);
  for (const clientId of ["one", "two", "one"]) noteUse(clientId, EVENING_MS - 1000);
  for (const nowMs of [EVENING_MS, EVENING_MS + 1, EVENING_MS + 2]) noteUse("one", nowMs);
  expect(write.mock.calls).toEqual([
    ["one", "2026-11-21"],
    ["two", "2026-11-21"],
    ["one", "2026-11-22"],
  ]);
});

test("a write that fails disturbs nobody, and is not repeated on that day", async () => {
  const write = vi.fn(() => Promise.reject(new Error("The table is gone")));
  const noteUse = openKeyUses(write);
  for (let request = 0; request < 3; request++) noteUse("one", EVENING_MS);
  await vi.waitFor(() => expect(write).toHaveBeenCalledTimes(1));
});

test("a container remembers a bounded number of keys", () => {
  const write = vi.fn(async () => undefined);
  const noteUse = openKeyUses(write);
  for (let key = 0; key <= 10_000; key++) noteUse(`key-${key}`, EVENING_MS);
  noteUse("key-0", EVENING_MS);
  expect(write).toHaveBeenCalledTimes(10_002);
});
