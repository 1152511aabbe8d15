import type { TestProject } from "vitest/node";
import { type Chromium, findChromium } from "./chromium.ts";
import { type Fonts, findFonts } from "./fonts.ts";

declare module "vitest" {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface is added to.
  interface ProvidedContext {
    chromium: Chromium;
    fonts: Fonts;
  }
}

/** Before the tests of the tier: the one Chromium of all files and its fonts, which it looks for once, when it starts. */
export async function setup(project: TestProject): Promise<void> {
  project.provide("chromium", await findChromium());
  project.provide("fonts", await findFonts());
}
