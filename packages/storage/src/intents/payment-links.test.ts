import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Table } from "../table/table.ts";
import { startTable } from "../table/table-fixture.ts";
import { type Action, transact } from "../table/transact.ts";
import { addLink, closeLink, findLink, findSession, holdLink, type StoredLink, takeSession } from "./payment-links.ts";

let table: Table;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ table, stop } = await startTable());
});
afterAll(() => stop());

const write = (action: Action) => transact(table, () => [action]);
const done = { done: true };
const refused = { done: false, failed: ["link"] };
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
    expect(await write(holdLink(table, link, "a"))).toEqual(done);
    expect(await write(holdLink(table, link, "b"))).toEqual(refused);
    expect(await write(holdLink(table, { ...link, holder: "c" }, "b"))).toEqual(refused);
    expect(await write(holdLink(table, { ...link, holder: "a" }, "b"))).toEqual(done);
    expect(await findLink(table, link.token)).toEqual({ ...link, holder: "b" });
  });

  test("that many payments want to hold at once gets one of them as its holder", async () => {
    const link = await newLink();
    const verdicts = await Promise.all(
      Array.from({ length: 20 }, (_, index) => write(holdLink(table, link, `${index}`))),
    );
    expect(verdicts.filter((verdict) => verdict.done)).toHaveLength(1);
  });

  test("is closed once, and has no holder after that", async () => {
    const link = await newLink();
    await write(holdLink(table, link, "a"));
    expect(await write(closeLink(table, link.token, "a"))).toEqual(done);
    expect(await write(closeLink(table, link.token, "b"))).toEqual(refused);
    expect(await write(holdLink(table, { ...link, holder: "a" }, "b"))).toEqual(refused);
    expect(await findLink(table, link.token)).toEqual({ ...link, holder: "a", closedBy: "a" });
  });

  test("that is not there can be neither held nor closed", async () => {
    const nobodys = { token: "nobody's", tenantId: "1001", intentId: "x" };
    expect(await write(holdLink(table, nobodys, "a"))).toEqual(refused);
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
