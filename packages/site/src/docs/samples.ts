import type { Call } from "./calls.ts";
import type { Language } from "./code.ts";
import { toCurl } from "./curl.ts";
import { toPython } from "./python.ts";
import { toTypeScript } from "./typescript.ts";

/** A request of a call in one language. */
type Sample = Readonly<{ language: Language; title: string; code: string }>;

/** The request of a call in each language that readers choose from, whole: with the stage's address and a key. */
export const samplesOf = (call: Call): readonly Sample[] => [
  { language: "sh", title: "curl", code: toCurl(call) },
  { language: "ts", title: "TypeScript", code: toTypeScript(call) },
  { language: "python", title: "Python", code: toPython(call) },
];
