import { describe, expect, test } from "vitest";
import { afterAnswer, afterFailure, everyOf, type Part } from "./search.ts";

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

describe("what follows a question", () => {
  const isSame = (one: number, other: number) => one === other;

  test.each<[name: string, asked: Part<number>, other: number | undefined, next: Part<number> | undefined]>([
    ["the first", { about: [1, 2] }, 2, { about: [2], search: { failed: [[1, 2]], isProbe: true } }],
    ["the first, without another payment", { about: [1] }, undefined, undefined],
    ["that of the probe", { about: [2], search: { failed: [[1, 2]], witness: 9, isProbe: true } }, 3, undefined],
    [
      "that of a half, which goes before the witness",
      { about: [1], search: { failed: [[3]], rest: [2], witness: 9 } },
      5,
      { about: [2], search: { failed: [[3], [1]], witness: 9 } },
    ],
    [
      "that of the other half",
      { about: [2], search: { failed: [[1]], witness: 9 } },
      5,
      { about: [9], search: { failed: [[1], [2]], witness: 9, isProbe: true } },
    ],
  ])("that failed, %s, is one that tells the rail's silence from a payment's", (_, asked, other, next) => {
    expect(afterFailure(asked, other)).toEqual(next);
  });

  test.each<[name: string, asked: Part<number>, follows: ReturnType<typeof afterAnswer<number>>]>([
    ["no search", { about: [1] }, { parts: [], atFault: [] }],
    ["one payment", { about: [9], search: { failed: [[1]] } }, { parts: [], atFault: [{ payment: 1, isAsked: true }] }],
    [
      "several, which are halved",
      { about: [9], search: { failed: [[1, 2, 3]] } },
      { parts: [{ about: [1], search: { failed: [], rest: [2, 3], witness: 9 } }], atFault: [] },
    ],
    [
      "several, one of which was just answered",
      { about: [1], search: { failed: [[1, 2]] } },
      { parts: [], atFault: [{ payment: 2, isAsked: false }] },
    ],
    [
      "a half, so that the other one is at fault",
      { about: [1, 2], search: { failed: [], rest: [3], witness: 9 } },
      { parts: [], atFault: [{ payment: 3, isAsked: false }] },
    ],
    [
      "nobody who could be a witness",
      { about: [], search: { failed: [[1, 2]] } },
      { parts: [{ about: [1], search: { failed: [], rest: [2] } }], atFault: [] },
    ],
  ])("that was answered, after the failure of %s, is what finds those at fault", (_, asked, follows) => {
    expect(afterAnswer(asked, isSame)).toEqual(follows);
  });

  test("speaks of all its payments", () => {
    expect(everyOf({ about: [1] })).toEqual([1]);
    const search = { failed: [[2], [3, 4]], rest: [5], witness: 9 };
    expect(everyOf({ about: [1], search })).toEqual([1, 5, 2, 3, 4]);
  });
});
