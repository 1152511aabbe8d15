import { expect, test } from "vitest";
import { isCurrent, tagOf } from "./tags.ts";

const data = { _id: "s1" };
const tag = tagOf(JSON.stringify({ data }));

test.each([
  [undefined, true],
  [`"${tag}"`, true],
  [`W/"${tag}"`, true],
  [`"other", "${tag}"`, true],
  ["*", true],
  ['"other"', false],
  [tag, false],
  ["", false],
])("a change with If-Match %j is of the resource as it is: %s", (ifMatch, expected) => {
  expect(isCurrent(ifMatch, data)).toBe(expected);
});
