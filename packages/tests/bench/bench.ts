import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bundleFunctions, ensureBundles, projectFolders } from "@intents/infra/bundle.ts";
import { FAILED, type Row } from "./figures.ts";
import { measureImports } from "./imports.ts";
import { measureLists } from "./lists.ts";
import type { Plan } from "./plan.ts";
import { environmentOf, startService } from "./processes.ts";
import { measureRequests } from "./requests.ts";
import { measureStart } from "./start.ts";

/** The measurements in the order in which they run. */
const measurements: Readonly<Record<string, (plan: Plan) => Promise<Row[]>>> = {
  ...{ requests: measureRequests, start: measureStart, imports: measureImports, lists: measureLists },
};

const DOCUMENT = join(projectFolders.root, "docs/benchmarks.md");
const FIGURES = /(?<=<!-- figures -->\n)[\s\S]*(?=<!-- end of figures -->)/;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: "string", default: Object.keys(measurements).join() },
      rounds: { type: "string", default: "5" },
      records: { type: "string", default: "100000" },
      write: { type: "boolean" },
    },
  });
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  process.once("exit", () => rmSync(folder, { recursive: true }));
  process.once("SIGINT", () => process.exit(1));
  const report: string[] = [];
  const print = (...lines: readonly string[]) => {
    report.push(...lines);
    process.stdout.write(lines.map((line) => `${line}\n`).join(""));
  };
  print(...describeMachine(), `- medians of ${values.rounds} rounds (least..most)`, "");
  print("| | ours | baseline | ratio | goal | |", "|---|---|---|---|---|---|");
  const plan = { rounds: Number(values.rounds), records: Number(values.records), ...(await prepare(folder)) };
  for (const name of values.only.split(",")) {
    const rows = await measurements[name]?.(plan);
    if (rows === undefined) throw new Error(`There is no measurement ${name}`);
    print(...rows.map((row) => `| ${Object.values(row).join(" | ")} |`));
    if (rows.some(({ verdict }) => verdict.startsWith(FAILED))) process.exitCode = 1;
  }
  const document = readFileSync(DOCUMENT, "utf8").replace(FIGURES, () => `${report.join("\n")}\n`);
  if (values.write) writeFileSync(DOCUMENT, document);
}

/** Makes all bundles, with the build's own settings, in a folder of this run, and records the bare server's calls. */
async function prepare(folder: string): Promise<Pick<Plan, "dist" | "tapes">> {
  const [dist, tapes] = [join(folder, "dist"), join(folder, "tapes.json")];
  await ensureBundles({ ...projectFolders, dist });
  await bundleFunctions({ ...projectFolders, dist, functions: join(import.meta.dirname, "bundled") });
  const service = await startService(dist);
  const env = { ...process.env, ...environmentOf(service) };
  execFileSync(process.execPath, [join(import.meta.dirname, "record.ts"), tapes], { env });
  await service.stop();
  return { dist, tapes };
}

/** The machine and the tree that the figures were measured on. */
function describeMachine(): string[] {
  const git = (...args: string[]) =>
    spawnSync("git", args, { cwd: projectFolders.root, encoding: "utf8" }).stdout?.trim();
  const commit =
    (git("rev-parse", "--short", "HEAD") || "unknown") + (git("status", "--porcelain") ? ", with changes" : "");
  const machine = `${cpus().length} cores (${cpus()[0]?.model}), ${Math.round(totalmem() / 2 ** 30)} GB`;
  return [
    `- ${machine}, load average ${loadavg()[0]?.toFixed(1)} at the start`,
    `- node ${process.version}, commit ${commit}`,
  ];
}

await main();
