import { describe, expect, test } from "vitest";
import { type Mutant, mutantsOf, plant, sample } from "./mutants.ts";

const changed = (text: string): string[] => mutantsOf("a.ts", text).map(applied(text));
const applied =
  (text: string) =>
  ({ change: { node, replacement } }: Mutant): string =>
    text.slice(0, node.start) + replacement + text.slice(node.end);

describe("a source", () => {
  test.each([
    ["if (a < b) f();", ["if (true) f();", "if (false) f();", "if (a <= b) f();", "if (a >= b) f();", "if (a < b) ;"]],
    ["x = a && b;", [";", "x = a || b;", "x = a;", "x = b;"]],
    ["x = a ?? !b;", [";", "x = a;", "x = !b;", "x = a ?? b;"]],
    [
      "for (; i < 2; i++);",
      ["for (; false; i++);", "for (; i <= 2; i++);", "for (; i >= 2; i++);", "for (; i < 3; i++);"],
    ],
    ["const f = async () => await g();", ["const f = async () => undefined;", "const f = async () => g();"]],
    [
      "function f() { return x - 1; }",
      ["function f() {}", "function f() { return x + 1; }", "function f() { return x - 2; }"],
    ],
    ['const x = ["a", b];', ["const x = [b];", 'const x = ["a"];', 'const x = ["", b];']],
    ["const x = { a, ...b };", ["const x = {...b};", "const x = {a};"]],
    [
      "const x = a?.b?.[c].d(e?.f);",
      ["const x = a.b?.[c].d(e?.f);", "const x = a?.b[c].d(e?.f);", "const x = a?.b?.[c].d(e.f);"],
    ],
    ["const x = a.filter(f).some(g);", ["const x = a.filter(f).every(g);", "const x = a.some(g);"]],
    ["const x = /^a$/u.test(b);", ["const x = /a$/u.test(b);", "const x = /^a/u.test(b);"]],
    [
      'const x = { ConditionExpression: "a = :a" };',
      expect.arrayContaining(['const x = { ConditionExpression: "a <> :a" };']),
    ],
  ])("%s has its mutants", (text, mutants) => {
    expect(changed(text)).toEqual(mutants);
  });

  test.each([
    'type A = "a" | 1; let x: A;',
    'import { a } from "./a.ts";',
    'throw new Error("none");',
    "const f = <A>(a: A) => { type B = A[0]; };",
  ])("%s has none where nothing runs, or only words would change", (text) => {
    expect(changed(text).filter((mutant) => !mutant.includes("=> {}"))).toEqual([]);
  });
});

const PROGRAM = `
export const run = (a, b) => {
  const log = [];
  const twice = (x) => x * 2 - 1;
  function note(x) { log.push(x); }
  if (a > b && !(a === 3)) note("more");
  if (a > 0) if (b > 1) note("inner"); else note("else of the inner");
  for (let i = 0; i < a && log.length < 9; i++) { if (i % 2 === 0) note(twice(i)); }
  note({ a, sum: a + b, ...(b > 1 && { deep: [[a], [b]] }) });
  note(a ? (b ? "both" : "one") : \`none \${a}\`);
  note(log.filter((x) => x !== 1).some((x) => x === "more"));
  note(log.at(a)?.sum?.toFixed(1 + b));
  return [...log, a <= b || b];
};`;

describe("planted into one program", () => {
  const load = async (text: string) => (await import(`data:text/javascript,${encodeURIComponent(text)}`)).run;
  const results = (run: (a: number, b: number) => unknown): unknown[] =>
    [
      [0, 0],
      [1, 2],
      [3, 1],
      [4, 3],
    ].map(([a = 0, b = 0]) => {
      try {
        return run(a, b);
      } catch (error) {
        return String(error);
      }
    });
  const wake = (awake: number) => Object.assign(globalThis, { isMutant: (id: number) => id === awake });

  test("every mutant sleeps until it is woken, and then does what it would do alone", async () => {
    const mutants = mutantsOf("a.ts", PROGRAM).map((mutant, id) => ({ id, mutant }));
    expect(mutants.length).toBeGreaterThan(60);
    const planted = await load(plant(PROGRAM, mutants));
    wake(-1);
    expect(results(planted)).toEqual(results(await load(PROGRAM)));
    for (const { id, mutant } of mutants) {
      wake(id);
      expect([mutant.original, mutant.replacement, results(planted)]).toEqual([
        ...[mutant.original, mutant.replacement],
        results(await load(applied(PROGRAM)(mutant))),
      ]);
    }
  });
});

describe("a sample", () => {
  const some = mutantsOf("a.ts", PROGRAM);
  const names = (mutants: readonly Mutant[]) =>
    mutants.map(({ original, replacement }) => `${original} ${replacement}`);

  test("is the same wherever the text moves, and another one for another seed", () => {
    const moved = sample(mutantsOf("b.ts", `// Moved.\n\n${PROGRAM}`), 10, "seed");
    expect(names(moved)).toEqual(names(sample(some, 10, "seed")));
    expect(moved).toHaveLength(10);
    expect(names(sample(some, 10, "other"))).not.toEqual(names(moved));
  });

  test("is all there is when that is less than asked for", () => {
    expect(sample(some, 1_000, "seed")).toEqual(some);
  });
});
