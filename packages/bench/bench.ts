import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bundleFunctions, ensureBundles, projectFolders } from "@intents/infra/bundle.ts";
import { measureExports } from "./exports.ts";
import type { Row } from "./figures.ts";
import { measureCalls, measureImports } from "./functions.ts";
import { measureLimiterAccuracy } from "./limiter-accuracy.ts";
import { measureLists } from "./lists.ts";
import { describeMachine } from "./machine.ts";
import { measurePayers } from "./payers.ts";
import type { Measure, Plan } from "./plan.ts";
import { measureReplay } from "./replay.ts";
import { measureStart } from "./start-and-memory.ts";
import { measureLimiterCost, measureThroughput } from "./throughput.ts";

/** The measurements in the order in which they run; those that are not asked for are left out. */
const measurements: readonly Readonly<{ names: readonly string[]; measure: Measure }>[] = [
  { names: ["create", "retrieve"], measure: measureThroughput },
  { names: ["replay"], measure: measureReplay },
  { names: ["import"], measure: measureImports },
  { names: ["call"], measure: measureCalls },
  { names: ["start", "memory"], measure: measureStart },
  { names: ["limiter"], measure: measureLimiterCost },
  { names: ["accuracy"], measure: measureLimiterAccuracy },
  { names: ["payers"], measure: measurePayers },
  { names: ["exports"], measure: measureExports },
  { names: ["lists"], measure: measureLists },
];

const ROUNDS = 5;
const FIGURES = /(?<=<!-- figures -->\n)[\s\S]*(?=<!-- end of figures -->)/;

const { values } = parseArgs({
  options: { only: { type: "string" }, rounds: { type: "string" }, write: { type: "boolean" } },
});

async function main(): Promise<void> {
  const names = measurements.flatMap((measurement) => measurement.names);
  const wanted = values.only?.split(",") ?? names;
  const rounds = Number(values.rounds ?? ROUNDS);
  const unknown = wanted.filter((name) => !names.includes(name));
  if (unknown.length > 0 || !Number.isInteger(rounds) || rounds < 1) {
    process.stderr.write(`Usage: pnpm bench [--only ${names.join(",")}] [--rounds ${ROUNDS}] [--write]\n`);
    process.exitCode = 1;
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  process.once("exit", () => rmSync(folder, { recursive: true }));
  process.once("SIGINT", () => process.exit(1));

  const title = describeMachine();
  process.stdout.write(`${title.join("\n")}\nmedians of ${rounds} rounds (least..most)\n\n`);
  const plan: Plan = { rounds, folder, wants: (name) => wanted.includes(name), ...(await bundleAll(folder)) };
  const rows: Row[] = [];
  for (const measurement of measurements) {
    if (!measurement.names.some(plan.wants)) continue;
    const measured = await measurement.measure(plan);
    rows.push(...measured);
    process.stdout.write(measured.map((row) => `${toLine(row)}\n`).join(""));
  }
  if (values.write === true) writeFigures([...title, `medians of ${rounds} rounds (least..most)`], rows);
}

/** Makes all bundles, with the build's own settings, in a folder of this run. */
async function bundleAll(folder: string): Promise<Pick<Plan, "dist" | "functions">> {
  const dist = join(folder, "dist");
  await ensureBundles({ ...projectFolders, dist });
  const functions = readdirSync(dist).filter((name) => existsSync(join(dist, name, "index.cjs")));
  await bundleFunctions({ ...projectFolders, dist, functions: join(import.meta.dirname, "bundled") });
  return { dist, functions };
}

const toLine = ({ name, ours, baseline, ratio, goal, verdict }: Row): string =>
  [name.padEnd(58), ours.padEnd(34), baseline.padEnd(34), ratio.padEnd(20), goal.padEnd(22), verdict]
    .join(" ")
    .trimEnd();

/** Writes the figures of this run over those of the last one. */
function writeFigures(title: readonly string[], rows: readonly Row[]): void {
  const file = join(projectFolders.root, "docs/benchmarks.md");
  if (!existsSync(file)) throw new Error("docs/benchmarks.md is missing");
  const table = [
    ...title.map((line) => `- ${line}`),
    "",
    "| | ours | baseline | ratio | goal | |",
    "|---|---|---|---|---|---|",
    ...rows.map(
      ({ name, ours, baseline, ratio, goal, verdict }) =>
        `| ${[name, ours, baseline, ratio, goal, verdict].join(" | ")} |`,
    ),
  ];
  writeFileSync(file, readFileSync(file, "utf8").replace(FIGURES, `${table.join("\n")}\n`));
}

await main();
