import { expect, test } from "vitest";
import type { Correction } from "../money-state/correction.ts";
import { copyProblems } from "./correction-copy.ts";

const correction = (number: number, changes: Partial<Correction> = {}): Correction => ({
  ...{ number, at: "2026-11-21T12:00:00.000Z", executionId: "e1", order: 0, outcome: "cameBack", recordId: "r1" },
  payerAmount: { amount: "4.00", currency: "BRL" },
  payeeAmount: { amount: "1.00", currency: "AUD" },
  ...changes,
});
const [first, second, third] = [correction(1), correction(2, { order: 1 }), correction(3, { outcome: "arrived" })];
const all = [first, second, third];
const arrived = { outcome: "arrived" } as const;

test.each<[string, readonly Correction[], readonly string[]]>([
  ["the newest of each recipient, in any order, is", [third, second], []],
  ["a missing one is not", [third], ["the correction 2 is missing in the mark"]],
  [
    "one too many is not",
    [...all.slice(1), correction(4, { order: 2 })],
    ["the mark has a correction 4 that was never made"],
  ],
  [
    "one that was replaced is not",
    [first, second],
    [
      "the mark has the number 1 instead of 3 in correction 3",
      "the mark has the outcome cameBack instead of arrived in correction 3",
    ],
  ],
  ["two of one recipient are not", all, ["the mark has two corrections of one recipient"]],
  [
    "another outcome is not",
    [correction(2, { order: 1, ...arrived }), third],
    ["the mark has the outcome arrived instead of cameBack in correction 2"],
  ],
  [
    "another amount is not",
    [second, { ...third, payerAmount: { amount: "4.01", currency: "BRL" } }],
    ["the mark has the payerAmount 4.01 BRL instead of 4.00 BRL in correction 3"],
  ],
])("%s the copy of the corrections", (_, copy, problems) => {
  expect(copyProblems(all, copy)).toEqual(problems);
});

test("without corrections there is nothing in the mark", () => {
  expect(copyProblems([], [])).toEqual([]);
  expect(copyProblems([], [first])).toEqual(["the mark has a correction 1 that was never made"]);
});
