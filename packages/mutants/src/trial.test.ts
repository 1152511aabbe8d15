import { describe, expect, test } from "vitest";
import type { Bench } from "./bench.ts";
import type { Judgement } from "./judge.ts";
import { mutantsOf } from "./mutants.ts";
import type { Fate } from "./report.ts";
import { tryAll } from "./trial.ts";

const chosen = [
  ...mutantsOf("packages/a/src/a.ts", "const x =\n  a &&\n  b;\n").slice(0, 2),
  ...mutantsOf("packages/b/src/b.ts", "const y = c && d;\n").slice(0, 1),
].map((mutant, id) => ({ id, mutant }));
const testsOf = (file: string) => (file.startsWith("packages/a/") ? ["quick", "slow"] : ["other"]);

const passed = (ms: number, ...reached: number[]): Judgement => ({ passed: true, ms, reached, words: "" });
const failed: Judgement = { passed: false, ms: 9, reached: [], words: "Test timed out" };

/** A bench with the answers of each file of tests while all mutants sleep, one after another. */
function benchOf(asleep: Readonly<Record<string, readonly (Judgement | undefined)[]>>, deadly: readonly string[]) {
  const asked: string[] = [];
  const bench: Bench = {
    ask: async ({ mutant, test }) => {
      asked.push(`${mutant} ${test}`);
      if (mutant >= 0) return deadly.includes(`${mutant} ${test}`) ? failed : passed(1);
      const answers = asleep[test] ?? [passed(1)];
      return answers[Math.min(asked.filter((each) => each === `-1 ${test}`).length, answers.length) - 1];
    },
    stop: () => {},
  };
  return { asked, bench };
}

async function tried(...[asleep, deadly]: Parameters<typeof benchOf>) {
  const { asked, bench } = benchOf(asleep, deadly);
  const words: string[] = [];
  const heardUnable = (test: string, why: string) => void words.push(`${test}: ${why}`);
  const { outcomes, unable } = await tryAll([bench], { chosen, testsOf }, { heardUnable, heardOutcome: () => {} });
  return { asked, words, unable, fates: outcomes.map(({ fate }): Fate => fate) };
}

describe("a mutant", () => {
  test("is killed by the quickest test that reaches it, survives those that pass, or is reached by none", async () => {
    const { asked, ...told } = await tried({ quick: [passed(1, 0, 1)], slow: [passed(5, 0, 1)] }, [
      "0 quick",
      "1 slow",
    ]);
    expect(told).toEqual({ words: [], unable: [], fates: ["killed", "killed", "not reached"] });
    expect(asked.slice(3)).toEqual(["0 quick", "1 quick", "1 slow"]);
    expect((await tried({ quick: [passed(1, 0)] }, [])).fates[0]).toBe("survived");
  });

  test("that lives is not judged where a file of its tests fails by itself, and one that others kill is", async () => {
    const { fates, unable, words } = await tried({ quick: [passed(1, 0, 1)], slow: [failed] }, ["0 quick"]);
    expect(fates).toEqual(["killed", "not judged", "not reached"]);
    expect([unable, words]).toEqual([["slow"], ["slow: Test timed out"]]);
  });

  test("is not judged where a file of its tests does not end", async () => {
    const { fates, unable } = await tried({ quick: [undefined], other: [passed(1, 2)] }, []);
    expect([fates, unable]).toEqual([["not judged", "not judged", "survived"], ["quick"]]);
  });

  test("is judged by a file of tests that passes at its second try", async () => {
    const { fates, unable } = await tried({ quick: [failed, passed(1, 0, 1)] }, ["0 quick"]);
    expect([fates, unable]).toEqual([["killed", "survived", "not reached"], []]);
  });
});
