import { parseArgs } from "node:util";
import { runEpisode } from "./episode-fixture.ts";

const EPISODE_OPERATIONS = 400;

const { values } = parseArgs({
  options: { seed: { type: "string" }, operations: { type: "string" }, minutes: { type: "string" } },
});
const firstSeed = Number(values.seed ?? Date.now() % 1_000_000);
const total = Number(values.operations ?? (values.minutes === undefined ? 20_000 : Number.POSITIVE_INFINITY));
const endMs = performance.now() + Number(values.minutes ?? Number.POSITIVE_INFINITY) * 60_000;

/** Life after life, each from the seed after the last one's, until as much was simulated as was asked for. */
let done = 0;
for (let seed = firstSeed; done < total && performance.now() < endMs; seed++) {
  const tally = await runEpisode({ seed, operations: Math.min(EPISODE_OPERATIONS, total - done) });
  done += tally.operations;
  process.stdout.write(`seed ${seed}: ${JSON.stringify(tally)}\n`);
}
