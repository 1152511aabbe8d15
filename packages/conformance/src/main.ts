import { launchService } from "../../acceptance/service/service.ts";
import { tryClient } from "./clients.ts";
import { schemathesis } from "./fuzz.ts";
import { cellsOf, clientNames, generators, rowOf } from "./generators.ts";
import { linters } from "./lint.ts";
import { findNodeTools, findPythonTools, haste, type Missing, runInSight } from "./tools.ts";

/** How a trial ended, in words. */
type Result<Name> = Readonly<{ name: Name; ended: "well" | "skipped" | "wrong"; told: string; seconds: number }>;

const commands: Readonly<Record<string, (args: readonly string[]) => Promise<readonly Result<string>[]>>> = {
  lint: () =>
    inTurn(Object.keys(linters), async (name) => {
      const tools = await findNodeTools();
      if ("missing" in tools) return tools;
      const linter = linters[name];
      if (linter !== undefined) await runInSight(linter(tools));
      return undefined;
    }),
  fuzz: (options) =>
    withService((url) =>
      inTurn(["schemathesis"], async () => {
        const tools = await findPythonTools();
        if ("missing" in tools) return tools;
        await runInSight(schemathesis(tools.python, url, options));
        return undefined;
      }),
    ),
  clients: (wanted) =>
    withService(async (url) => {
      const names = clientNames.filter((name) => wanted.length === 0 || wanted.includes(name));
      const results = await inTurn(names, (name) => tryClient(name, url));
      say(["", rowOf(["language", "generator", "options", "result", "seconds"]), "|---|---|---|---|---|"].join("\n"));
      for (const { name, ended, seconds } of results)
        say(rowOf([...cellsOf(generators[name]), ended, seconds.toFixed(0)]));
      return results;
    }),
};

const say = (text: string): boolean => process.stdout.write(`${text}\n`);

/** Tries one after another, and tells how each did by its name. */
async function inTurn<Name extends string>(
  names: readonly Name[],
  attempt: (name: Name) => Promise<Missing | undefined>,
): Promise<Result<Name>[]> {
  const results: Result<Name>[] = [];
  for (const name of names) {
    const startMs = performance.now();
    const end = await attempt(name).then(
      (missing) =>
        missing === undefined
          ? ({ ended: "well", told: "well" } as const)
          : ({ ended: "skipped", told: `skipped: ${missing.missing}` } as const),
      (error: unknown) => ({ ended: "wrong", told: error instanceof Error ? error.message : String(error) }) as const,
    );
    results.push({ name, ...end, seconds: (performance.now() - startMs) / 1000 });
    say(`${name}: ${end.told}`);
  }
  return results;
}

async function withService<Result>(work: (url: string) => Promise<Result>): Promise<Result> {
  const service = await launchService(haste);
  try {
    return await work(service.url);
  } finally {
    await service.stop();
  }
}

const [name = "", ...args] = process.argv.slice(2);
const results = (await commands[name]?.(args)) ?? [];
if (commands[name] === undefined) say(`Usage: main.ts ${Object.keys(commands).join("|")}`);
// A tool that this machine cannot have is no fault; a run in which nothing was tried shows nothing.
const isWell = results.some(({ ended }) => ended === "well") && results.every(({ ended }) => ended !== "wrong");
process.exitCode = isWell ? 0 : 1;
