import { spawn } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { runEpisode } from "./episode.ts";

const EPISODE_OPERATIONS = 400;

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    operations: { type: "string" },
    minutes: { type: "string" },
    workers: { type: "string" },
    /** The step from one life's seed to the next: the number of workers. */
    stride: { type: "string" },
  },
});
const firstSeed = Number(values.seed ?? Date.now() % 1_000_000);
const total = Number(values.operations ?? (values.minutes === undefined ? 20_000 : Number.POSITIVE_INFINITY));
const workers = Number(values.workers ?? Math.min(availableParallelism(), Math.ceil(total / EPISODE_OPERATIONS)));

/** Simulates life after life, each from a seed of its own, until the wanted amount is done. */
async function simulate(): Promise<void> {
  const endMs = performance.now() + Number(values.minutes ?? Number.POSITIVE_INFINITY) * 60_000;
  let done = 0;
  for (let seed = firstSeed; done < total && performance.now() < endMs; seed += Number(values.stride ?? 1)) {
    const tally = await runEpisode({ seed, operations: Math.min(EPISODE_OPERATIONS, total - done) });
    done += tally.operations;
    process.stdout.write(`seed ${seed}: ${JSON.stringify(tally)}\n`);
  }
}

/** Runs workers that simulate a share of the seeds each; the first that fails ends them all. */
async function share(): Promise<void> {
  const children = Array.from({ length: workers }, (_, index) => {
    const operations = Number.isFinite(total) ? ["--operations", String(Math.ceil(total / workers))] : [];
    const minutes = values.minutes === undefined ? [] : ["--minutes", values.minutes];
    const seeds = ["--seed", String(firstSeed + index), "--stride", String(workers), "--workers", "1"];
    const self = fileURLToPath(import.meta.url);
    return spawn(process.execPath, [self, ...seeds, ...operations, ...minutes], { stdio: "inherit" });
  });
  await Promise.all(
    children.map(async (child) => {
      const [code] = (await once(child, "close")) as [number | null];
      if (code === 0) return;
      process.exitCode = 1;
      for (const other of children) other.kill();
    }),
  );
}

await (workers > 1 ? share() : simulate());
