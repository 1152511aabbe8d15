import type { Mutant } from "./mutants.ts";

/** `not judged`: it lives, and a test that may have killed it fails by itself. */
export type Fate = "killed" | "timed out" | "survived" | "not reached" | "not judged";
export type Outcome = Readonly<{ mutant: Mutant; fate: Fate }>;

const isDead = ({ fate }: Outcome): boolean => fate === "killed" || fate === "timed out";
export const isAlive = (outcome: Outcome): boolean => !isDead(outcome);
const isJudged = ({ fate }: Outcome): boolean => fate !== "not judged";

/** A line about a mutant: its place, its fate, the original code and the replacement. */
export const describe = ({ mutant: { file, line, original, replacement }, fate }: Outcome): string =>
  `${file}:${line} ${fate}\n  - ${onOneLine(original)}\n  + ${onOneLine(replacement)}`;

function onOneLine(text: string): string {
  const flat = text.replace(/\s+/g, " ");
  return flat.length > 160 ? `${flat.slice(0, 100)} ... ${flat.slice(-50)}` : flat;
}

/**
 * The share of the judged mutants that died, for each file and for all of them. The last line says which files of tests
 * could not judge, or that all could.
 */
export function scores(outcomes: readonly Outcome[], unable: readonly string[]): string {
  const byFile = Object.entries(Object.groupBy(outcomes, ({ mutant }) => mutant.file)).toSorted();
  const rows = [...byFile.map(([file, of = []]) => row(file, of)), row("all", outcomes)];
  const left = outcomes.filter((outcome) => !isJudged(outcome)).length;
  const verdict =
    unable.length === 0
      ? "Every mutant was judged."
      : `NOT JUDGED: ${left} of ${outcomes.length} mutants. These tests fail without any mutant: ${unable.join(", ")}`;
  return [...rows, verdict].join("\n");
}

function row(name: string, outcomes: readonly Outcome[]): string {
  const judged = outcomes.filter(isJudged);
  const dead = judged.filter(isDead).length;
  const percent = judged.length === 0 ? "-" : String(Math.floor((100 * dead) / judged.length));
  const left = outcomes.length - judged.length;
  const counted = `${percent.padStart(4)} %  ${String(dead).padStart(4)} of ${String(judged.length).padStart(4)}`;
  return `${counted}  ${name}${left === 0 ? "" : `, ${left} not judged`}`;
}
