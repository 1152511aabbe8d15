import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { endpointsOf } from "./document.ts";
import { methodsOf } from "./methods.ts";
import { writeSource } from "./source.ts";

const document = JSON.parse(readFileSync(new URL("../../../../docs/openapi.json", import.meta.url), "utf8"));
const source = writeSource(document);
const folder = join(import.meta.dirname, "..");

test.each(Object.entries(source))(
  "%s is that of docs/openapi.json; `pnpm run openapi` writes it",
  async (name, text) => {
    await expect(text).toMatchFileSnapshot(join(folder, name));
  },
);

test("no file is left of what the document has no more", () => {
  const written = ["api", "schemas"].flatMap((part) =>
    readdirSync(join(folder, part)).map((name) => `${part}/${name}`),
  );
  expect(written.toSorted()).toEqual(Object.keys(source).toSorted());
});

test("every route that takes a key is one method of one resource", () => {
  const names = methodsOf(document).map(({ resource, name }) => `${resource}.${name}`);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toHaveLength(endpointsOf(document).length);
  expect(names).toContain("paymentIntents.submit");
});
