import { expect } from "vitest";
import type { ErrorBody, Reply } from "./client.ts";

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** At least two sentences: the cause, and the next step. */
const SENTENCES = "[A-Z][^.[]*\\. [A-Z].*\\.$";

/** The error envelope and nothing besides it: SPEC, "Errors". Codes are `[AAA0000]`; some errors have none. */
export function expectEnvelope({ status, body }: Reply<unknown>, statusCode: number, code?: string): void {
  expect(body).toEqual({
    statusCode,
    ...(code !== undefined && { code }),
    message: expect.stringMatching(
      new RegExp(`^${code === undefined ? "" : `\\[${code.slice(1, -1)}\\] `}${SENTENCES}`),
    ),
    timestamp: expect.stringMatching(ISO_TIME),
    details: expect.any(Object),
  });
  expect(status).toBe(statusCode);
}

/** The page that tells a browser of a refusal, in English. */
export function expectNotice({ status, headers, body }: Reply<unknown>, statusCode: number, title: string): void {
  expect([status, headers.get("content-type")]).toEqual([statusCode, "text/html; charset=utf-8"]);
  expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(body).toContain(`<html lang="en" dir="ltr">`);
  expect(body).toContain(`<h1>${title}</h1>`);
}

/** The array-style 400 with a problem that opens with each of `paths`, in any order, and no other problem. */
export function expectShape(reply: Reply<ErrorBody>, ...paths: readonly string[]): void {
  const listed = { path: expect.any(String), reason: expect.any(String) };
  expect(reply.body).toEqual({
    statusCode: 400,
    error: "Bad Request",
    message: problemsOf(reply),
    details: { errors: problemsOf(reply).map(() => listed), next: expect.stringMatching(/^Correct .*again/) },
  });
  expect(reply.status).toBe(400);
  expect(pathsOf(reply).toSorted()).toEqual(paths.toSorted());
  const sentences = errorsOf(reply).map(({ path, reason }) => `${path} ${reason}`);
  expect(problemsOf(reply).map((problem) => problem.replace(/^property /, ""))).toEqual(sentences);
}

const errorsOf = ({ body }: Reply<ErrorBody>) =>
  (body.details?.["errors"] ?? []) as readonly Readonly<{ path: string; reason: string }>[];

/** The dotted paths of the problems of an array-style 400. */
const pathsOf = (reply: Reply<ErrorBody>): readonly string[] => errorsOf(reply).map(({ path }) => path);

export const problemsOf = ({ body }: Reply<ErrorBody>): readonly string[] => [body.message].flat();
