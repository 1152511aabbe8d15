import type { Failure } from "@intents/domain/failure.ts";
import { expect, test } from "vitest";
import { toErrorAnswer } from "./error-answers.ts";
import type { ErrorRow } from "./error-row.ts";
import { type ErrorName, errorTable } from "./errors.ts";
import { faultTable } from "./faults.ts";
import { payerAdvice } from "./payer-advice.ts";
import type { Route } from "./route.ts";
import { routes } from "./routes.ts";

const unavailable = [
  { kind: "maintenance", retryAfterSeconds: 9 },
  { kind: "busy", retryAfterSeconds: 1 },
  { kind: "store_failed", retryAfterSeconds: 5 },
  { kind: "rail_unavailable" },
] as const satisfies readonly Failure[];

test("every 503 says when to come back", () => {
  const rows = Object.entries(errorTable).filter(([, { status }]) => status === 503);
  expect(unavailable.map(({ kind }) => kind)).toEqual(rows.map(([kind]) => kind));
  expect(unavailable.map((failure) => toErrorAnswer(failure, 0).headers["Retry-After"])).toEqual(["9", "1", "5", "5"]);
});

test("an answer that a key stays bound to is never worth the same request again", () => {
  const rows: readonly Readonly<{ bindsKey: boolean; retry?: string }>[] = Object.values(errorTable);
  expect(rows.filter(({ bindsKey, retry }) => bindsKey && retry !== undefined)).toEqual([]);
});

const all: readonly [string, Omit<ErrorRow, "bindsKey"> & Readonly<{ bindsKey?: boolean }>][] = [
  ...Object.entries(errorTable),
  ...Object.entries(faultTable),
];

test.each(all)("%s says what has happened, then what to do next", (_, { message, next }) => {
  expect(message).toMatch(/^[A-Z][^.]*[^.]$/);
  expect(next).toMatch(/^[A-Z](?:[^.]|\.\b)*\.$/);
});

test.each(all)("%s names Retry-After where that is told, and no key again that is bound", (_, row) => {
  if (row.retry === "told") expect(row.next).toMatch(/Retry-After|endsOn/);
  if (row.bindsKey === true) expect(row.next).not.toMatch(/same (key|request)|again after/);
});

/** The errors of requests without a key: of public routes, and of every route. */
const ofPayers = new Set([
  ...Object.values<Route>(routes).flatMap(({ auth, errors = [] }) => (auth === "public" ? errors : [])),
  ...(["shape", "maintenance", "busy", "rate_limited", "store_failed", "upload_budget"] as const),
]);

test.each([...ofPayers])("%s asks nothing of a payer that only a tenant can do", (kind) => {
  expect(payerAdvice[kind] ?? errorTable[kind].next).not.toMatch(/intent|Idempotency-Key|new key|operator|dry-run/);
});

test("advice for payers is of errors that they meet", () => {
  expect(Object.keys(payerAdvice).filter((kind) => !ofPayers.has(kind as ErrorName))).toEqual([]);
});
