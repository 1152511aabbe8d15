import { execFileSync } from "node:child_process";
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findFunctionUses, type Target } from "@intents/infra/function-uses.ts";
import { median, type Row, toRow } from "./figures.ts";
import { interleave, type Plan } from "./plan.ts";
import { environmentOf, startService } from "./processes.ts";
import { recordEvents } from "./sample-events.ts";

/** The targets whose clients alone cost more time than the goal of functions without them allows. */
const further: readonly Target[] = ["documents", "history", "queue"];

/** A script that loads `file` in a process of its own, and prints the time that takes in milliseconds. */
const PROBE = `
const startMs = performance.now();
require(process.argv[1]);
process.stdout.write(String(performance.now() - startMs));
process.exit();`;

const bundleIn = (dist: string, name: string): string => join(dist, name, "index.cjs");
const kilobytes = (file: string): number => statSync(file).size / 1_000;

/** The import of every function's bundle, against that of the DynamoDB clients alone, and the sizes of the bundles. */
export async function measureImports({ dist, rounds, functions }: Plan): Promise<Row[]> {
  const importMs = (name: string) => () =>
    Number(execFileSync(process.execPath, ["-e", PROBE, bundleIn(dist, name)], { encoding: "utf8" }));
  const uses = await findFunctionUses();
  const needsMore = (name: string) => further.some((target) => uses.get(name)?.grants.has(target));
  const names = ["sdk-alone", ...functions];
  const figures = await interleave(2 * rounds + 1, Object.fromEntries(names.map((name) => [name, importMs(name)])));
  const { "sdk-alone": baseline = [] } = figures;
  const imports = functions.map((name) =>
    toRow({
      name: `import of ${name} (${kilobytes(bundleIn(dist, name)).toFixed()} KB)`,
      unit: "ms",
      ours: figures[name] ?? [],
      baseline,
      goal: { atMost: needsMore(name) ? 2 : 1.25 },
    }),
  );
  const sizes = functions.filter((name) => !needsMore(name)).map((name) => kilobytes(bundleIn(dist, name)));
  const largest = Math.max(...sizes);
  return [
    ...imports,
    toRow({ name: "largest bundle without S3 and SQS", unit: "KB", ours: [largest], goal: { atMost: 550 } }),
  ];
}

/** The first call of every function in a process of its own, and the median of the calls that follow. */
export async function measureCalls({ dist, folder, rounds, functions }: Plan): Promise<Row[]> {
  const service = await startService(dist);
  const events = await recordEvents(functions);
  const callMs = (name: string): { first: number; warm: number } => {
    const event = join(folder, `${name}.json`);
    writeFileSync(event, JSON.stringify(events[name]));
    const script = join(import.meta.dirname, "calls.ts");
    const env = { ...process.env, ...environmentOf(service) };
    const { first, warm } = JSON.parse(
      execFileSync(process.execPath, [script, dist, name, event], { encoding: "utf8", env }),
    );
    return { first, warm: median(warm) };
  };
  const rows: Row[] = [];
  for (const name of functions) {
    const calls = Array.from({ length: rounds }, () => callMs(name));
    rows.push(
      toRow({
        name: `warm call of ${name}, against the first`,
        unit: "ms",
        ours: calls.map(({ warm }) => warm),
        baseline: calls.map(({ first }) => first),
      }),
    );
  }
  await service.stop();
  return rows;
}
