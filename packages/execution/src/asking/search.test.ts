import { expect, test } from "vitest";
import { afterAnswer, afterFailure, type Part } from "./search.ts";

/** Puts a question about `count` payments and all that follows it, to a rail that fails those with a poisoned one. */
function search(count: number, poisoned: ReadonlySet<number>, other = 0) {
  const first: Part<number> = { about: Array.from({ length: count }, (_, payment) => payment) };
  const waiting: Part<number>[] = [first];
  const atFault = new Set<number>();
  let questions = 0;
  for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
    questions += 1;
    if (part.about.some((payment) => poisoned.has(payment))) {
      const next = afterFailure(part, part.about.at(other));
      if (next !== undefined) waiting.push(next);
      continue;
    }
    const { parts, atFault: found } = afterAnswer(part, (one, another) => one === another);
    waiting.push(...parts);
    for (const { payment, isAsked } of found) {
      atFault.add(payment);
      // One that is only concluded is asked about once more.
      if (!isAsked) questions += 1;
    }
  }
  return { questions, atFault };
}

test.each([2, 3, 10, 99, 100])("one payment of %i is found wherever it is, by few questions", (count) => {
  for (let payment = 0; payment < count; payment++) {
    const { questions, atFault } = search(count, new Set([payment]), payment === 0 ? 1 : 0);
    expect([...atFault]).toEqual([payment]);
    expect(questions).toBeLessThanOrEqual(2 * Math.log2(100) + 2);
  }
});

test.each([2, 5, 50, 99])("%i payments of 100 are found, and nobody else, by few questions each", (count) => {
  for (const step of [1, 3, 7, 9]) {
    const poisoned = new Set(Array.from({ length: count }, (_, index) => 1 + ((index * step) % 99)));
    const { questions, atFault } = search(100, poisoned);
    expect(atFault).toEqual(poisoned);
    expect(questions / poisoned.size).toBeLessThanOrEqual(2 * Math.log2(100) + 2);
  }
});

test("a rail that fails everything is put two questions, and nobody is at fault", () => {
  expect(search(100, new Set(Array.from({ length: 100 }, (_, payment) => payment)))).toEqual({
    questions: 2,
    atFault: new Set(),
  });
});
