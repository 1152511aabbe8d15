import { runCommand } from "../deployed/command.ts";

/** The packages of Debian with a font for the letters of a language. */
const packageOf = {
  en: "fonts-dejavu-core",
  ar: "fonts-dejavu-core",
  zh: "fonts-droid-fallback",
  hi: "fonts-lohit-deva",
} as const;

const COMMAND_MS_MAX = 120_000;

/** A font with the letters of a language, or why this machine has none: where that is allowed, one is installed. */
export async function findFont(language: keyof typeof packageOf): Promise<{ family: string } | { missing: string }> {
  const look = () => runCommand("fc-list", [`:lang=${language}`, "family"], { timeoutMs: COMMAND_MS_MAX });
  try {
    const found = await look();
    if (found !== "") return { family: found };
    const install = `apt-get update --quiet && apt-get install --yes --quiet ${packageOf[language]}`;
    await runCommand("/bin/sh", ["-c", install], { timeoutMs: COMMAND_MS_MAX });
    return { family: await look() };
  } catch (error) {
    const problem = String(error).trimEnd().split("\n").at(-1) ?? "";
    return { missing: `no font for ${language}, and none can be installed: ${problem}` };
  }
}
