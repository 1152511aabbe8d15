import type { LinkTerms } from "@intents/domain/links/payment-link.ts";
import { afterAll, describe, expect, test } from "vitest";
import { lagging, startTable } from "../../test/table-fixture.ts";
import { type Action, transact } from "../table/transact.ts";
import { addLink, closeLink, findLink, freeLink, type Hold, holdLink, keepLink, type StoredLink } from "./links.ts";
import {
  addUnpaid,
  countUnpaid,
  findBySecret,
  findSession,
  rememberSecret,
  removeUnpaid,
  takeSession,
} from "./sessions.ts";

const { table, stop } = await startTable();
afterAll(stop);

const write = (...actions: Action[]) => transact(table, () => actions);
const AT_MS = Date.UTC(2026, 10, 21, 9);
const done = { done: true };
const refused = { done: false, failed: ["link"] };
const by = (childId: string, untilMs = 1) => ({ childId, untilMs });
let tokens = 0;
const terms: LinkTerms = {
  ...{ recipientName: "School", amountType: "open", currency: "AUD", recipients: [] },
  payFromCountryLocked: false,
  isSingleUse: true,
};

async function newLink(): Promise<StoredLink> {
  const token = `token-${++tokens}`;
  const owner = { tenantId: "1001", intentId: `link-${tokens}`, terms };
  expect(await write(addLink(table, token, owner, AT_MS))).toEqual(done);
  return { token, ...owner, state: { isUnderReview: false }, changedAtMs: AT_MS };
}

/** The state of a link that a payment holds. */
const stateOf = (id: string, untilMs = 1) => ({ isUnderReview: false, holder: { id, untilMs } });
const reread = async ({ token }: StoredLink): Promise<StoredLink> => {
  const link = await findLink(table, token);
  if (link === undefined) throw new Error("The link is gone");
  return link;
};
const hold = async (link: StoredLink, payment: Hold, nowMs = AT_MS) => write(...holdLink(table, link, payment, nowMs));
const close = async (link: StoredLink, childId: string) => write(...closeLink(table, link, childId, AT_MS));
const free = async (link: StoredLink, childId: string) => write(...freeLink(table, link, childId, AT_MS));

describe("a link", () => {
  test("is found by its token as it is at this moment, and its token is given once", async () => {
    const link = await newLink();
    expect(await findLink(table, link.token)).toEqual(link);
    expect(await findLink(table, "nobody's")).toBeUndefined();
    expect(await findLink(lagging(table), link.token)).toEqual(link);
    expect(await findLink(lagging(table), link.token, { isStrong: false })).toBeUndefined();
    expect(await write(addLink(table, link.token, { tenantId: "1002", intentId: "x", terms }, AT_MS))).toEqual(refused);
  });

  test("gets a new holder only in place of the one that it was read with", async () => {
    const link = await newLink();
    expect(await hold(link, by("a"))).toEqual(done);
    expect(await hold(link, by("b"))).toEqual(refused);
    const held = await reread(link);
    expect(await hold({ ...held, state: stateOf("c") }, by("b"))).toEqual(refused);
    expect(await hold(held, by("b"))).toEqual(done);
    expect(await reread(link)).toEqual({ ...link, state: stateOf("b"), changes: 2 });
  });

  test("that many payments want to hold at once gets one of them as its holder", async () => {
    const link = await newLink();
    const verdicts = await Promise.all(Array.from({ length: 20 }, (_, index) => hold(link, by(`${index}`))));
    expect(verdicts.filter((verdict) => verdict.done)).toHaveLength(1);
  });

  test("is closed once, and has no holder after that", async () => {
    const link = await newLink();
    await hold(link, by("a"));
    const held = await reread(link);
    expect(await close(held, "a")).toEqual(done);
    expect(await close(held, "b")).toEqual(refused);
    const closed = await reread(link);
    expect(await close(closed, "b")).toEqual(refused);
    expect(await hold(closed, by("b"))).toEqual(refused);
    expect(closed).toEqual({ ...link, state: { ...stateOf("a"), closedBy: "a" }, changes: 2 });
  });

  test("is kept for longer by its holder alone, and never for less", async () => {
    const link = await newLink();
    await hold(link, by("a", 10));
    expect(await write(keepLink(table, link.token, by("a", 20)))).toEqual(done);
    expect(await write(keepLink(table, link.token, by("a", 15)))).toEqual(refused);
    expect(await write(keepLink(table, link.token, by("b", 30)))).toEqual(refused);
    const held = await reread(link);
    expect(held).toEqual({ ...link, state: stateOf("a", 20), changes: 1 });
    await close(held, "a");
    expect(await write(keepLink(table, link.token, by("a", 30)))).toEqual(refused);
  });

  test("is freed by its holder's end alone", async () => {
    const link = await newLink();
    await hold(link, by("a"));
    const held = await reread(link);
    expect(await free(held, "b")).toEqual(refused);
    expect(await free(link, "a")).toEqual(refused);
    expect(await free(held, "a")).toEqual(done);
    const freed = await reread(link);
    expect(freed).toEqual({ ...link, changes: 2 });
    expect(await hold(freed, by("b"))).toEqual(done);
  });

  test("is never dated before its last change, by whatever clock", async () => {
    const link = await newLink();
    await hold(link, by("a"), AT_MS - 2_000);
    expect(await reread(link)).toMatchObject({ changedAtMs: AT_MS });
    await hold(await reread(link), by("b"), AT_MS + 1);
    expect(await reread(link)).toMatchObject({ changedAtMs: AT_MS + 1 });
  });

  test("that is not there can be neither held nor closed", async () => {
    const nobodys = { token: "nobody's", tenantId: "1001", intentId: "x", terms, state: { isUnderReview: false } };
    expect(await hold(nobodys, by("a"))).toEqual(refused);
    expect(await close(nobodys, "a")).toEqual(refused);
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
