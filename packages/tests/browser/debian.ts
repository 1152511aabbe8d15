import { runCommand } from "../deployed/command.ts";

/** A package manager that is cut short leaves a machine broken: this ends what hangs, and nothing that is slow. */
const INSTALL_MS_MAX = 1_800_000;

/** Installs packages of Debian. Throws where that is not allowed, or the machine is another. */
export async function installPackages(...names: readonly string[]): Promise<void> {
  if (process.getuid?.() !== 0) throw new Error("only root installs packages");
  const options = ["--quiet", "--yes", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=600"];
  const limits = { timeoutMs: INSTALL_MS_MAX, env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } };
  await runCommand("apt-get", ["update", "--quiet"], limits);
  await runCommand("apt-get", ["install", ...options, ...names], limits);
}
