import { globSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { core, tooLong } from "./core.ts";

const packages = join(import.meta.dirname, "../..");
const named = Object.entries(core).flatMap(([name, nouns]) => nouns.map((noun) => `${name}/src/${noun}.ts`));
const left = Object.keys(tooLong).map((name) => `${name}.test.ts`);

test.each([...named, ...left])("%s names sources that there are", (pattern) => {
  expect(globSync(pattern, { cwd: packages })).not.toEqual([]);
});

test.each([
  ...["domain/src/intents/points.ts", "domain/src/intents/watch.ts", "domain/src/events/timeline.ts"],
  ...["domain/src/previews/preview.ts", "domain/src/privacy/erasure.ts", "execution/src/asking/sweep.ts"],
  ...["execution/src/subjects/erase.ts", "storage/src/events/feed.ts", "storage/src/intents/watches.ts"],
])("%s is of the core: a mistake there pays late, twice or tells of somebody who was forgotten", (source) => {
  expect(named.flatMap((pattern) => globSync(pattern, { cwd: packages }))).toContain(source);
});
