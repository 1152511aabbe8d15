import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Table } from "../table/table.ts";
import { startTable } from "../table/table-fixture.ts";
import { type Action, transact } from "../table/transact.ts";
import {
  addLink,
  addUnpaid,
  closeLink,
  countUnpaid,
  findBySecret,
  findLink,
  findSession,
  freeLink,
  holdLink,
  keepLink,
  rememberSecret,
  removeUnpaid,
  type StoredLink,
  takeSession,
} from "./payment-links.ts";

let table: Table;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ table, stop } = await startTable());
});
afterAll(() => stop());

const write = (action: Action) => transact(table, () => [action]);
const done = { done: true };
const refused = { done: false, failed: ["link"] };
const by = (childId: string, untilMs = 1) => ({ childId, untilMs });
let tokens = 0;

async function newLink(): Promise<StoredLink> {
  const token = `token-${++tokens}`;
  const owner = { tenantId: "1001", intentId: "019a00000000aabbccddeeff" };
  expect(await write(addLink(table, token, owner))).toEqual(done);
  return { token, ...owner };
}

describe("a link", () => {
  test("is found by its token, which is given once", async () => {
    const link = await newLink();
    expect(await findLink(table, link.token)).toEqual(link);
    expect(await findLink(table, "nobody's")).toBeUndefined();
    expect(await write(addLink(table, link.token, { tenantId: "1002", intentId: "x" }))).toEqual(refused);
  });

  test("gets a new holder only in place of the one that it was read with", async () => {
    const link = await newLink();
    expect(await write(holdLink(table, link, by("a")))).toEqual(done);
    expect(await write(holdLink(table, link, by("b")))).toEqual(refused);
    expect(await write(holdLink(table, { ...link, holder: "c" }, by("b")))).toEqual(refused);
    expect(await write(holdLink(table, { ...link, holder: "a" }, by("b")))).toEqual(done);
    expect(await findLink(table, link.token)).toEqual({ ...link, holder: "b", heldUntilMs: 1 });
  });

  test("that many payments want to hold at once gets one of them as its holder", async () => {
    const link = await newLink();
    const verdicts = await Promise.all(
      Array.from({ length: 20 }, (_, index) => write(holdLink(table, link, by(`${index}`)))),
    );
    expect(verdicts.filter((verdict) => verdict.done)).toHaveLength(1);
  });

  test("is closed once, and has no holder after that", async () => {
    const link = await newLink();
    await write(holdLink(table, link, by("a")));
    expect(await write(closeLink(table, link.token, "a"))).toEqual(done);
    expect(await write(closeLink(table, link.token, "b"))).toEqual(refused);
    expect(await write(holdLink(table, { ...link, holder: "a" }, by("b")))).toEqual(refused);
    expect(await findLink(table, link.token)).toEqual({ ...link, holder: "a", heldUntilMs: 1, closedBy: "a" });
  });

  test("is kept for longer by its holder alone, and never for less", async () => {
    const link = await newLink();
    await write(holdLink(table, link, by("a", 10)));
    expect(await write(keepLink(table, link.token, by("a", 20)))).toEqual(done);
    expect(await write(keepLink(table, link.token, by("a", 15)))).toEqual(refused);
    expect(await write(keepLink(table, link.token, by("b", 30)))).toEqual(refused);
    expect(await findLink(table, link.token)).toEqual({ ...link, holder: "a", heldUntilMs: 20 });
    await write(closeLink(table, link.token, "a"));
    expect(await write(keepLink(table, link.token, by("a", 30)))).toEqual(refused);
  });

  test("is freed by its holder's end alone", async () => {
    const link = await newLink();
    await write(holdLink(table, link, by("a")));
    expect(await write(freeLink(table, link.token, "b"))).toEqual(refused);
    expect(await write(freeLink(table, link.token, "a"))).toEqual(done);
    expect(await findLink(table, link.token)).toEqual(link);
    expect(await write(holdLink(table, link, by("b")))).toEqual(done);
  });

  test("that is not there can be neither held nor closed", async () => {
    const nobodys = { token: "nobody's", tenantId: "1001", intentId: "x" };
    expect(await write(holdLink(table, nobodys, by("a")))).toEqual(refused);
    expect(await write(closeLink(table, nobodys.token, "a"))).toEqual(refused);
  });
});

describe("a quote of a link", () => {
  const session = { tenantId: "1001", linkId: "link", quoteId: "quote" };

  test("is paid by one payment, which is found by it", async () => {
    expect(await findSession(table, session)).toBeUndefined();
    expect(await write(takeSession(table, session, "child"))).toEqual(done);
    expect(await write(takeSession(table, session, "other"))).toEqual({ done: false, failed: ["session"] });
    expect(await findSession(table, session)).toBe("child");
    for (const other of [{ tenantId: "1002" }, { linkId: "x" }, { quoteId: "x" }]) {
      expect(await findSession(table, { ...session, ...other })).toBeUndefined();
    }
  });
});

describe("a payer's secret", () => {
  const secret = { tenantId: "1001", linkId: "link", secretHash: "digest" };

  test("finds the newest payment that was begun with it, on its own link alone", async () => {
    expect(await findBySecret(table, secret)).toBeUndefined();
    for (const id of ["child", "newer"]) {
      expect(await write(rememberSecret(table, secret, id))).toEqual(done);
      expect(await findBySecret(table, secret)).toBe(id);
    }
    for (const other of [{ tenantId: "1002" }, { linkId: "x" }, { secretHash: "x" }]) {
      expect(await findBySecret(table, { ...secret, ...other })).toBeUndefined();
    }
  });
});

test("so many payments from one source may be unpaid at once, and each that ends makes room for another", async () => {
  const source = { tenantId: "1001", linkId: "link", source: "digest" };
  const begun = await Promise.all(Array.from({ length: 9 }, () => write(addUnpaid(table, source, 5))));
  expect(begun.filter((verdict) => verdict.done)).toHaveLength(5);
  expect(await countUnpaid(table, source)).toBe(5);
  expect(await write(removeUnpaid(table, source))).toEqual(done);
  expect(await write(addUnpaid(table, source, 5))).toEqual(done);
  expect(await write(addUnpaid(table, source, 5))).toEqual({ done: false, failed: ["source"] });
  expect(await countUnpaid(table, { ...source, linkId: "other" })).toBe(0);
});
