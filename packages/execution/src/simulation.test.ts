import { expect, test } from "vitest";
import { runEpisode } from "./simulation/episode-fixture.ts";

// The long run is `pnpm simulate`; a failure names the seed that repeats it there.
test.each([1, 2, 3, 4])(
  "whatever is lost, late, doubled or dead, money moves once and is accounted for (seed %i)",
  async (seed) => {
    const { calls, intents } = await runEpisode({ seed, operations: 200 });
    expect(calls).toBeGreaterThan(600);
    expect(Object.keys(intents)).toEqual(expect.arrayContaining(["completed", "cancelled"]));
  },
  60_000,
);

test("a seed repeats a run exactly", async () => {
  const episode = { seed: 7, operations: 60 };
  expect(await runEpisode(episode)).toEqual(await runEpisode(episode));
}, 60_000);
