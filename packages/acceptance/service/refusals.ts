import { expect } from "vitest";
import type { ErrorBody, Reply } from "./client.ts";

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The error envelope and nothing besides it: SPEC, "Errors". Codes are `[AAA0000]`; some errors have none. */
export function expectEnvelope({ status, body }: Reply<unknown>, statusCode: number, code?: string): void {
  expect(body).toEqual({
    statusCode,
    ...(code !== undefined && { code }),
    message: expect.stringMatching(code === undefined ? /^[^[]/ : new RegExp(`^\\[${code.slice(1, -1)}\\] \\S`)),
    timestamp: expect.stringMatching(ISO_TIME),
    details: expect.any(Object),
  });
  expect(status).toBe(statusCode);
}

/** The array-style 400 with a problem that opens with each of `paths`, in any order, and no other problem. */
export function expectShape({ status, body }: Reply<ErrorBody>, ...paths: readonly string[]): void {
  expect(body).toEqual({ statusCode: 400, error: "Bad Request", message: expect.any(Array) });
  expect(status).toBe(400);
  const named = [body.message].flat().map((problem) => problem.replace(/^property /, "").split(" ")[0] ?? "");
  expect(named.toSorted()).toEqual(paths.toSorted());
}

export const problemsOf = ({ body }: Reply<ErrorBody>): readonly string[] => [body.message].flat();
