import { access, constants } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { chromium } from "playwright-core";
import { runCommand } from "../deployed/command.ts";
import { reasonIn } from "../deployed/installation.ts";
import { installPackages } from "./debian.ts";

/** The Chromium to test with, or why this machine has none. */
export type Chromium = Readonly<{ executablePath: string } | { missing: string }>;

const DOWNLOAD_MS_MAX = 600_000;

/** Finds the Chromium at `CHROMIUM_PATH`, else an installed one, else tries to install one. */
export async function findChromium(): Promise<Chromium> {
  const { CHROMIUM_PATH } = process.env;
  const usual = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome", chromium.executablePath()];
  const places = CHROMIUM_PATH === undefined ? usual : [CHROMIUM_PATH];
  const found = await firstProgram(places);
  if (found !== undefined) return { executablePath: found };
  if (CHROMIUM_PATH !== undefined) return { missing: `CHROMIUM_PATH names no program: ${CHROMIUM_PATH}` };
  const problem = await install();
  const installed = await firstProgram(places);
  return installed === undefined
    ? { missing: `no Chromium, and none can be installed: ${problem}` }
    : { executablePath: installed };
}

async function firstProgram(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) {
    const runs = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (runs) return path;
  }
  return undefined;
}

/** Installs the system's package where that is allowed, else Playwright's own build; tells why no way worked. */
async function install(): Promise<string> {
  const cli = join(dirname(createRequire(import.meta.url).resolve("playwright-core/package.json")), "cli.js");
  const build = () => runCommand(process.execPath, [cli, "install", "chromium"], { timeoutMs: DOWNLOAD_MS_MAX });
  const problems: string[] = [];
  for (const way of [() => installPackages("chromium", "fonts-liberation"), build]) {
    try {
      await way();
      return "";
    } catch (error) {
      problems.push(reasonIn(error));
    }
  }
  return problems.join("; ");
}
