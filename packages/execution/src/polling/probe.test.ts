import type { StatusAnswer } from "@intents/domain/rails/rail.ts";
import { describe, expect, test } from "vitest";
import { isSilence, retryAfterOf } from "./probe.ts";

const silent = { kind: "unavailable", reason: "down" } as const;
const busyFor = (retryAfterMs: number): StatusAnswer => ({ ...silent, retryAfterMs });
const pending: StatusAnswer = { kind: "pending" };

describe("a rail's answer", () => {
  test.each<[answers: StatusAnswer[], is: boolean, wordMs: number | undefined]>([
    [[silent], true, undefined],
    [[silent, pending], false, undefined],
    [[pending, silent], false, undefined],
    [[busyFor(0)], true, 0],
    [[silent, busyFor(5), busyFor(9), busyFor(7)], true, 9],
    [[{ kind: "not_found" }], false, undefined],
  ])("of %j is silence: %s, with the word %s", (answers, is, wordMs) => {
    expect([isSilence(answers), retryAfterOf(answers)]).toEqual([is, wordMs]);
  });
});
