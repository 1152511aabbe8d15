import { expect, test } from "vitest";
import { name } from "./shapes.ts";

const taken = name("A name");
const pattern = new RegExp(String(taken.meta()?.["pattern"]), "u");

test.each(["\u202a", "\u202b", "\u202c", "\u202d", "\u202e", "\u2066", "\u2067", "\u2068", "\u2069"])(
  "a text with %j, which turns amounts beside it round, is refused, by its pattern too",
  (character) => {
    const value = `University${character} of Sydney`;
    expect(taken.safeParse(value).error?.issues).toMatchObject([
      { message: "must not contain characters that turn text round" },
    ]);
    expect(value).not.toMatch(pattern);
  },
);

test("marks of a direction are dropped, and a text of nothing else is empty", () => {
  expect(taken.parse("\u200eجامعة\u200f \u061cسيدني")).toBe("جامعة سيدني");
  expect(taken.safeParse("\u200e\u200f").success).toBe(false);
  expect("\u200e\u200f").not.toMatch(pattern);
});
