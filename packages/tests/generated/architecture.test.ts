import { expect, test } from "vitest";
import { isProduct, targetsOf } from "../house/imports.ts";
import { files, sources } from "../house/tidy-fixture.ts";
import { architecturePage } from "./architecture.ts";

const file = (path: string, ...imports: string[]) => ({
  path,
  text: imports.map((name) => `import type { A } from "${name}";`).join("\n"),
});
const page =
  "# Page\n\n## packages/tests\n\nproof.\n\n```\n```\n\n## packages/low\n\nlow things.\n\n```\nfirst  one\n```\n";
const low = file("packages/low/src/first/a.ts", "../second/b.ts");
const second = file("packages/low/src/second/b.ts");
const top = file("packages/top/src/a.ts", "@intents/low/first/a.ts", "zod");
const made = (...others: ReturnType<typeof file>[]) =>
  architecturePage(page, [low, second, top, file("packages/tests/model/a.ts"), ...others]);

test("the page shows packages and their parts above what they import, and keeps what it says of them", () => {
  expect(made()).toBe(
    "# Page\n\n## packages/tests\n\nproof.\n\n```\nmodel  …\n```\n\n## packages/top\n\n…. Imports low.\n\n" +
      "## packages/low\n\nlow things. Imports nothing of ours.\n\n```\nfirst   one\nsecond  …\n```\n",
  );
  expect(made()).toBe(architecturePage(made(), [low, second, top, file("packages/tests/model/a.ts")]));
});

test.each([
  ["packages", file("packages/low/src/first/c.ts", "@intents/top/a.ts")],
  ["parts of one", file("packages/low/src/second/c.ts", "../first/a.ts")],
])("%s that import each other in a circle are refused", (_, circle) => {
  expect(() => made(circle)).toThrow(/circle: .*(low|first)/);
});

test("every part is described", () => {
  expect(files.find(({ path }) => path === "docs/architecture.md")?.text).not.toContain("…");
});

test("no file of the product imports a test, a fixture or a measurement", () => {
  const wrong = sources.filter((one) => isProduct(one) && targetsOf(one).some((path) => !isProduct({ path })));
  expect(wrong.map(({ path }) => path)).toEqual([]);
});
