import { expect, test } from "vitest";
import { runEpisode } from "./episode.ts";

// The long run is `pnpm simulate`; a failed life names the seed that repeats it there.
test("whatever is lost, late, doubled or dead, money moves once and is accounted for", async () => {
  const { calls, intents, kinds } = await runEpisode({ seed: 95, operations: 130 });
  expect(calls).toBeGreaterThan(500);
  const names = Object.keys(kinds).map((kind) => kind.split(":")[0]);
  const wanted = [
    "submit",
    "operator",
    "settings",
    "stumble",
    "fate",
    "close",
    "lie",
    "preview",
    "erase",
    "trespass",
    "webhook",
  ];
  expect(names).toEqual(expect.arrayContaining(wanted));
  expect(Object.keys(intents)).toEqual(expect.arrayContaining(["completed", "cancelled"]));
});
