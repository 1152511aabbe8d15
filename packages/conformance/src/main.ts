import { launchService } from "../../acceptance/service/service.ts";
import { clients, tryClient } from "./clients.ts";
import { schemathesis } from "./fuzz.ts";
import { linters } from "./lint.ts";
import { findNodeTools, findPythonTools, haste, type Missing, runInSight } from "./tools.ts";

/** Resolves with whether all went well: what cannot be tried on this machine did not. */
const commands: Readonly<Record<string, (args: readonly string[]) => Promise<boolean>>> = {
  lint: () =>
    inTurn(Object.entries(linters), async ([, linter]) => {
      await runInSight(linter(had(await findNodeTools())));
    }),
  fuzz: (options) =>
    withService((url) =>
      inTurn([["schemathesis"]], async () => {
        await runInSight(schemathesis(had(await findPythonTools()).python, url, options));
      }),
    ),
  clients: (wanted) =>
    withService((url) =>
      inTurn(
        Object.entries(clients).filter(([name]) => wanted.length === 0 || wanted.includes(name)),
        async ([name, findClient]) => {
          await tryClient(name, had(await findClient()), url);
        },
      ),
    ),
};

const say = (text: string): boolean => process.stdout.write(`${text}\n`);

/** Tries one after another, and tells how each did by its name. */
async function inTurn<Named extends readonly [string, ...unknown[]]>(
  all: readonly Named[],
  attempt: (one: Named) => Promise<void>,
): Promise<boolean> {
  let isWell = all.length > 0;
  for (const one of all) {
    const problem = await attempt(one).then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    isWell &&= problem === undefined;
    say(`${one[0]}: ${problem ?? "well"}`);
  }
  return isWell;
}

function had<Found extends object>(found: Found | Missing): Found {
  if ("missing" in found) throw new Error(`skipped, ${found.missing}`);
  return found;
}

async function withService(work: (url: string) => Promise<boolean>): Promise<boolean> {
  const service = await launchService(haste);
  try {
    return await work(service.url);
  } finally {
    await service.stop();
  }
}

const [name = "", ...args] = process.argv.slice(2);
const command = commands[name];
if (command === undefined) say(`Usage: main.ts ${Object.keys(commands).join("|")}`);
process.exitCode = (await command?.(args)) === true ? 0 : 1;
