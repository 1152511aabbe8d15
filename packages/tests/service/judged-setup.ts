import { acting } from "@intents/execution/test/acting-fixture.ts";
import { afterAll, expect } from "vitest";
import { denials, judgeRequests } from "./judged-requests.ts";

// In `test:whole`, tests of the unit tier that do the work of a function, crashes included, do it by what it is granted.

const IS_JUDGED = Symbol.for("requests of functions are judged");
const worker = globalThis as { [IS_JUDGED]?: true };
if (worker[IS_JUDGED] === undefined) judgeRequests(() => acting.getStore());
worker[IS_JUDGED] = true;

afterAll(() => {
  expect(denials.splice(0)).toEqual([]);
});
