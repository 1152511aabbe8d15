import { describe, expect, test } from "vitest";
import { askAgainAfter } from "./pace.ts";
import { intentStatuses, isTerminal } from "./statuses.ts";

const AT_MS = Date.UTC(2026, 10, 21, 9);
const statusHistory = [{ at: new Date(AT_MS).toISOString() }];
const FIVE_MINUTES_MS = 300_000;

describe("the time to ask again", () => {
  test.each(intentStatuses.map((status) => ({ status })))("of $status is as SPEC recommends", ({ status }) => {
    const after = [0, FIVE_MINUTES_MS - 1, FIVE_MINUTES_MS].map((passedMs) =>
      askAgainAfter({ status, statusHistory }, AT_MS + passedMs),
    );
    const slow = status === "executing" ? 60 : 30;
    expect(after).toEqual(isTerminal(status) ? [undefined, undefined, undefined] : [30, 30, slow]);
  });

  test("counts from when the intent came to be executing, not from when it was made", () => {
    const history = [...statusHistory, { at: new Date(AT_MS + FIVE_MINUTES_MS).toISOString() }];
    expect(askAgainAfter({ status: "executing", statusHistory: history }, AT_MS + FIVE_MINUTES_MS + 1)).toBe(30);
  });
});
