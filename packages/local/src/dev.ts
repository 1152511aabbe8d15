import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { projectFolders } from "@intents/infra/bundle.ts";
import { watch } from "chokidar";
import { findLaunchers, whenOneEnds } from "./launchers.ts";

/** `pnpm dev`: the service, started anew when one of its sources has changed. Its options are those of Node.js. */
const { root } = projectFolders;
const START = join(root, "packages/local/src/start.mjs");
const SOURCES = ["functions", "packages", "infra"];
const IGNORED = /\/(node_modules|packages\/tests)(\/|$)|\.test\.ts$/;
/** An editor, and a change of branch, write several files at once. */
const SETTLED_MS = 150;

let service: ChildProcess;
let reloading: Promise<void> | undefined;

function start(): void {
  service = spawn(process.execPath, [...process.argv.slice(2), START, "--fetch"], {
    // The service ends with the channel, should this process be killed.
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  });
  service.once("exit", () => {
    if (reloading === undefined)
      process.stdout.write("The service has ended. It starts again when a source changes.\n");
  });
}

/** Starts the service anew, once however many files changed. It answers first what has arrived. */
async function reload(changed: string): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
  process.stdout.write(`${changed} has changed.\n`);
  await end();
  start();
}

async function end(): Promise<void> {
  if (service.exitCode !== null || service.signalCode !== null) return;
  service.kill("SIGTERM");
  await once(service, "exit");
}

// Editors and Git put a new file in the old one's place, which Node's own watcher sees once and never again.
watch([...SOURCES], { cwd: root, ignored: (path) => IGNORED.test(path), ignoreInitial: true }).on(
  "all",
  (_, changed) => {
    if (reloading !== undefined) return;
    reloading = reload(changed).finally(() => {
      reloading = undefined;
    });
  },
);

const stop = async (): Promise<void> => {
  // Further changes of files start nothing.
  await reloading;
  reloading = Promise.resolve();
  await end();
  process.exit(0);
};
process.once("SIGINT", stop).once("SIGTERM", stop);
void findLaunchers().then(whenOneEnds).then(stop);
start();
