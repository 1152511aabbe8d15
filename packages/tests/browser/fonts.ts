import { runCommand } from "../deployed/command.ts";
import { reasonIn } from "../deployed/installation.ts";
import { installPackages } from "./debian.ts";

/** The packages of Debian with a font for the letters of a language. */
const packageOf = {
  en: "fonts-dejavu-core",
  ar: "fonts-dejavu-core",
  zh: "fonts-droid-fallback",
  hi: "fonts-lohit-deva",
} as const;

type Language = keyof typeof packageOf;

/** For each language a font with its letters, or why this machine has none. */
export type Fonts = Readonly<Record<Language, { family: string } | { missing: string }>>;

const LOOK_MS_MAX = 120_000;

/** Finds the fonts of this machine; those that it lacks are installed where that is allowed. */
export const findFonts = async (): Promise<Fonts> => ({
  en: await findFont("en"),
  ar: await findFont("ar"),
  zh: await findFont("zh"),
  hi: await findFont("hi"),
});

async function findFont(language: Language): Promise<Fonts[Language]> {
  const look = () => runCommand("fc-list", [`:lang=${language}`, "family"], { timeoutMs: LOOK_MS_MAX });
  try {
    const found = await look();
    if (found !== "") return { family: found };
    await installPackages(packageOf[language]);
    return { family: await look() };
  } catch (error) {
    return { missing: `no font for ${language}, and none can be installed: ${reasonIn(error)}` };
  }
}
