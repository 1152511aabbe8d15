import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Row, toRow } from "./figures.ts";
import { interleave, type Plan } from "./plan.ts";

const LARGEST = 3;
const BASELINE = "bare-server";

/** A script that loads a file in a process of its own, and prints the time that takes in milliseconds. */
const PROBE = `
const startMs = performance.now();
require(process.argv[1]);
process.stdout.write(String(performance.now() - startMs));
process.exit();`;

/** The import of the largest bundles, each against that of the bare server, which has the DynamoDB clients alone. */
export async function measureImports({ dist, tapes, rounds }: Plan): Promise<Row[]> {
  const fileOf = (name: string) => join(dist, name, "index.cjs");
  const kilobytesOf = (name: string) => Math.round(statSync(fileOf(name)).size / 1_000);
  const largest = readdirSync(dist)
    .filter((name) => existsSync(fileOf(name)))
    .toSorted((one, other) => kilobytesOf(other) - kilobytesOf(one))
    .slice(0, LARGEST);
  const env = { ...process.env, TAPES: tapes };
  const importMs = (name: string) => () =>
    Number(execFileSync(process.execPath, ["-e", PROBE, fileOf(name)], { encoding: "utf8", env }));
  const timed = Object.fromEntries([BASELINE, ...largest].map((name) => [name, importMs(name)]));
  const { [BASELINE]: baseline = [], ...figures } = await interleave(2 * rounds + 1, timed);
  return Object.entries(figures).map(([name, ours]) =>
    toRow({ name: `import of ${name} (${kilobytesOf(name)} KB)`, unit: "ms", ours, baseline, goal: { atMost: 2 } }),
  );
}
