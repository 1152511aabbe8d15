import type { Failure } from "@intents/domain/failure.ts";
import { expect, test } from "vitest";
import { toErrorAnswer } from "./error-answers.ts";
import { errorTable } from "./errors.ts";

const unavailable = [
  { kind: "rail_unavailable" },
  { kind: "maintenance", retryAfterSeconds: 9 },
  { kind: "busy", retryAfterSeconds: 1 },
  { kind: "store_failed", retryAfterSeconds: 5 },
] as const satisfies readonly Failure[];

test("every 503 says when to come back", () => {
  const rows = Object.entries(errorTable).filter(([, { status }]) => status === 503);
  expect(unavailable.map(({ kind }) => kind)).toEqual(rows.map(([kind]) => kind));
  expect(unavailable.map((failure) => toErrorAnswer(failure, 0).headers["Retry-After"])).toEqual(["5", "9", "1", "5"]);
});

test("an answer that a key stays bound to is never worth the same request again", () => {
  const rows: readonly Readonly<{ bindsKey: boolean; retry?: string }>[] = Object.values(errorTable);
  expect(rows.filter(({ bindsKey, retry }) => bindsKey && retry !== undefined)).toEqual([]);
});

test.each([
  ["not_found", /compare its id/],
  ["wrong_status", /go on from its status/],
  ["in_flight", /send the very same one again after Retry-After/],
  ["duplicate_transaction", /send it again later/],
  ["link_not_found", /check its address/],
  // A payer of a link has no Idempotency-Key.
  ["outcome_unknown", /send the very same request again, with its Idempotency-Key if it has one/],
] as const)("%s names what to do next", (kind, next) => {
  expect(errorTable[kind].message).toMatch(next);
});
