import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { changesForCallers } from "./changes.ts";

const changelog = `# Changes

## Unreleased

### For callers

- [Lists](guides/lists.md#sort) sort as [decided](decisions/016-list-language.md) by [ISO](https://iso.org).

### For operators and deployers

- An alarm.

## 0.1.0

### For callers

- Payments.
`;

test("callers read their part of each version, with links to guides alone", () => {
  expect(changesForCallers(changelog)).toBe(`## Unreleased

- [Lists](lists.md#sort) sort as decided by [ISO](https://iso.org).

## 0.1.0

- Payments.
`);
});

test("the project's changelog has a part for callers in each version, and tells all others apart", () => {
  const text = readFileSync(new URL("../../../../docs/CHANGELOG.md", import.meta.url), "utf8");
  const headings = [...text.matchAll(/^##+ (.*)$/gm)].map(([, heading = ""]) => heading);
  const parts = ["For callers", "For operators and deployers"];
  const versions = headings.filter((heading) => !parts.includes(heading));
  expect(headings).toEqual(versions.flatMap((version) => [version, ...parts]));
  for (const version of versions) expect(changesForCallers(text)).toContain(`## ${version}\n\n- `);
});
