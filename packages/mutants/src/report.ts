import type { Mutant } from "./mutants.ts";

export type Fate = "killed" | "timed out" | "survived" | "not reached";
export type Outcome = Readonly<{ mutant: Mutant; fate: Fate }>;

export const isAlive = ({ fate }: Outcome): boolean => fate === "survived" || fate === "not reached";

/** A line about a mutant: its place, its fate, the original code and the replacement. */
export const describe = ({ mutant: { file, line, original, replacement }, fate }: Outcome): string =>
  `${file}:${line} ${fate}\n  - ${onOneLine(original)}\n  + ${onOneLine(replacement)}`;

function onOneLine(text: string): string {
  const flat = text.replace(/\s+/g, " ");
  return flat.length > 160 ? `${flat.slice(0, 100)} ... ${flat.slice(-50)}` : flat;
}

/** The share of mutants that died, for each file and for all of them. */
export function scores(outcomes: readonly Outcome[]): string {
  const byFile = Object.entries(Object.groupBy(outcomes, ({ mutant }) => mutant.file)).toSorted();
  return [...byFile.map(([file, of = []]) => row(file, of)), row("all", outcomes)].join("\n");
}

function row(name: string, outcomes: readonly Outcome[]): string {
  const dead = outcomes.filter((outcome) => !isAlive(outcome)).length;
  const percent = Math.floor((100 * dead) / outcomes.length);
  return `${String(percent).padStart(4)} %  ${String(dead).padStart(4)} of ${String(outcomes.length).padStart(4)}  ${name}`;
}
