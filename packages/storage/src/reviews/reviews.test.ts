import type { Correction } from "@intents/domain/money-state/correction.ts";
import { storedIntent } from "@intents/domain/test/intent-fixture.ts";
import { afterAll, describe, expect, test } from "vitest";
import { writeIntent } from "../../test/intent-fixture.ts";
import { startTable } from "../../test/table-fixture.ts";
import { readFeed } from "../events/feed.ts";
import { type Action, transact } from "../table/transact.ts";
import {
  findMark,
  findReviewState,
  listReviews,
  type Mark,
  markAction,
  readCopy,
  recipientNotUnderReview,
  reviewActions,
  reviewCheck,
  reviewGuard,
  type Turn,
} from "./reviews.ts";

const { table, stop } = await startTable();
afterAll(stop);

let made = 0;
const newAbout = () => ({ tenantId: String(7000 + ++made), id: `reviewed-${made}` });

test("a review lasts from its first record to its last, and its clock never goes back", async () => {
  const about = newAbout();
  const { tenantId, id } = about;
  await writeIntent(table, undefined, storedIntent({ ...about, status: "failed" }));
  const nowMs = Date.UTC(2026, 10, 21, 9);
  const take = async (turn: Turn, executionId: string, openedAt: string, atMs: number): Promise<number> => {
    const record = { tenantId, intentId: id, executionId, kind: "contradicts_outcome", openedAt } as const;
    const actions = await reviewActions(table, record, turn, { nowMs: atMs });
    if (actions.length > 0) expect(await transact(table, () => actions)).toEqual({ done: true });
    return actions.length;
  };
  const [first, earlier] = ["2026-11-21T10:00:00.000Z", "2026-11-21T09:00:00.000Z"];
  // A turn of the review is told by an event beside the mark; within it the mark changes alone.
  expect(await take("closed", "e1", first, nowMs)).toBe(0);
  expect(await take("opened", "e1", first, nowMs)).toBe(2);
  expect(await take("opened", "e1", first, nowMs)).toBe(0);
  expect(await take("opened", "e2", earlier, nowMs + 1)).toBe(1);
  const underReview = { since: earlier, about: ["contradicts_outcome"] };
  expect(await findReviewState(table, about)).toEqual({ underReview });
  expect(await listReviews(table, tenantId)).toEqual(new Map([[id, { underReview }]]));
  expect(await take("closed", "e2", earlier, nowMs + 2)).toBe(1);
  expect(await take("closed", "e1", first, nowMs - 60_000)).toBe(2);
  expect(await findReviewState(table, about)).toEqual({});
  expect(await listReviews(table, tenantId)).toEqual(new Map());
  expect((await findMark(table, about)).stored).toEqual({ open: [], changes: 2, changedAtMs: nowMs });
  const feed = await readFeed(table, tenantId, { limit: 9, type: "paymentIntent" }, nowMs + 60_000);
  const events = feed.ok ? feed.value.items.map(({ type, status, time }) => [type, status, Date.parse(time)]) : [];
  expect(events.filter(([type]) => String(type).includes("review"))).toEqual([
    ["paymentIntent.reviewOpened", "failed", nowMs],
    ["paymentIntent.reviewClosed", "failed", nowMs],
  ]);
});

test("a review is told after the status that it names, whatever the clock of its worker says", async () => {
  const about = newAbout();
  const { tenantId, id } = about;
  const nowMs = Date.UTC(2026, 10, 21, 9);
  await writeIntent(table, undefined, storedIntent({ ...about, updatedAt: new Date(nowMs + 83).toISOString() }));
  const record = { tenantId, intentId: id, executionId: "e1", kind: "contradicts_outcome", openedAt: "" } as const;
  const actions = await reviewActions(table, record, "opened", { nowMs });
  expect(await transact(table, () => actions)).toEqual({ done: true });
  expect((await findMark(table, about)).stored).toMatchObject({ changedAtMs: nowMs + 83 });
});

describe("a condition", () => {
  const open = [{ executionId: "e:1", kind: "contradicts_outcome", openedAt: "" }] as const;
  const correctionOf = (outcome: Correction["outcome"], number = 3) =>
    ({ number, outcome, executionId: "e:2" }) as Correction;
  const [arrived, cameBack] = [correctionOf("arrived"), correctionOf("cameBack")];
  const holds = async (action: Action) => (await transact(table, () => [action])).done;
  const none: Partial<Mark> = {};

  test.each<[name: string, mark: Partial<Mark>, isFree: boolean, isAsPlanned: boolean, recipients: boolean[]]>([
    ["no mark", none, true, false, [true, true, true]],
    ["an open record of a recipient", { open }, false, false, [true, false, true]],
    ["a recipient who has the money", { corrections: [arrived] }, false, true, [true, true, false]],
    ["a recipient whose money came back", { corrections: [cameBack] }, false, true, [true, true, true]],
    ["another correction", { corrections: [correctionOf("cameBack", 4)] }, false, false, [true, true, true]],
    ["both", { open, corrections: [arrived] }, false, false, [true, false, false]],
  ])("sees %s", async (_, changes, isFree, isAsPlanned, recipients) => {
    const about = newAbout();
    const mark: Mark = { open: [], changes: 1, changedAtMs: 1, ...changes };
    if (changes !== none) await transact(table, () => [markAction(table, about, undefined, mark)]);
    expect(await holds(reviewGuard(table, about))).toBe(isFree);
    expect(await holds(reviewGuard(table, about, [arrived]))).toBe(isAsPlanned);
    for (const isReviewed of [true, false])
      expect(await holds(reviewCheck(table, about, isReviewed))).toBe(isReviewed === (changes.open !== undefined));
    for (const [order, isHeld] of recipients.entries())
      expect(await holds(recipientNotUnderReview(table, about, order))).toBe(isHeld);
    expect(await readCopy(table, about)).toEqual({ corrections: changes.corrections ?? [], astray: [] });
  });

  test("that would see something else than the mark says is found", async () => {
    const about = newAbout();
    const mark: Mark = { open: [], changes: 1, changedAtMs: 1, corrections: [arrived] };
    const { write } = markAction(table, about, undefined, mark);
    const Item = { ...write.Put?.Item, orders: ["1"], corrected: 2, arrived: undefined };
    await transact(table, () => [{ label: "torn", write: { Put: { TableName: table.name, Item } } }]);
    expect(await readCopy(table, about)).toEqual({
      corrections: [arrived],
      astray: ["orders", "arrived", "corrected"],
    });
  });
});
