import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { askingWorld } from "./asking.ts";
import { payableWorld } from "./payable.ts";
import { PROGRESS, search, type World } from "./search.ts";

const slow = (mistake?: string) => payableWorld(2, 2, "none", mistake);
const released = (mistake?: string) => payableWorld(2, 2, "releases", mistake);
const held = (mistake?: string) => payableWorld(2, 2, "holds", mistake);
const ending = (mistake?: string) => askingWorld(2, [0], true, mistake);
const ending3 = (mistake?: string) => askingWorld(3, [0], true, mistake);
const lasting = (mistake?: string) => askingWorld(2, [0], false, mistake);

/** The result of a search in a world of which some parts are replaced. */
const found = (world: unknown, change: (whole: World<unknown>) => Partial<World<unknown>>) => {
  const whole = world as World<unknown>;
  return search({ ...whole, ...change(whole) });
};

describe("in every state all laws hold, and an end can be reached, of", () => {
  const worlds = [
    ["a submit and a later one, two workers that may be slow", 1743, slow()],
    ["one submit, three workers that may be slow", 711, payableWorld(3, 1, "none")],
    ["two submits, two workers, an operator who releases", 569, released()],
    ["a batch that is held and resumed, two workers", 1192, held()],
    ["questions about a healthy payment and a poisoned one", 12210, ending()],
    ["questions about two healthy payments and a poisoned one", 693, ending3()],
    ["questions about two healthy payments and two poisoned ones", 2330, askingWorld(4, [0, 2], true)],
    ["questions about payments that go on, one of them poisoned", 7522, lasting()],
    ["questions about three payments that go on, one of them poisoned", 820, askingWorld(3, [0], false)],
    ["three submits, two workers that may be slow", 6765, payableWorld(2, 3, "none")],
    ["three submits, three workers, an operator who releases", 2523, payableWorld(3, 3, "releases")],
    ["a batch that is held and resumed, three workers", 1629, payableWorld(3, 2, "holds")],
  ] as const;
  const steps = new Set<string>();
  test.each(worlds)("%s: %d states", (_, states, world) => {
    const result = found(world, (whole) => ({
      *steps(state) {
        for (const step of whole.steps(state)) {
          steps.add(step[0]);
          yield step;
        }
      },
    }));
    expect(result).toEqual({ states, way: [] });
  });

  test("steps that stand for functions of the service", () => {
    const functions = [...steps].filter((step) => step.includes(".ts "));
    expect(functions).toHaveLength(16);
    const missing = functions.filter((step) => {
      const [path = "", name = ""] = step.split(" ");
      const text = readFileSync(new URL(`../../execution/src/${path}`, import.meta.url), "utf8");
      return !new RegExp(`\\b${name}\\b`).test(text);
    });
    expect(missing).toEqual([]);
  });
});

describe("the model sees a planted mistake:", () => {
  const notPaid = "what is released is not paid";
  const booked = "the books hold what the rail accepted, once";
  const told = "nobody is paid once an operator was told of a hold";
  const point = "a payment has a point ahead, a question, or its turn alone";
  const mistakes: readonly (readonly [mistake: string, world: (mistake: string) => unknown, law: string])[] = [
    ["a claim is not conditional", slow, "nothing is paid twice"],
    ["a commit is not conditional", slow, booked],
    ["a release is not conditional", slow, "what is paid is claimed or committed"],
    ["a take-over has a new executionId", slow, "nothing is paid twice"],
    ["a take-over keeps the attempt", slow, notPaid],
    ["a take-over ignores the lease", released, "one worker at a time asks"],
    ["a take-over is never made", slow, PROGRESS],
    ["a later attempt that reaches nobody releases", slow, notPaid],
    ["a timeout counts as not reached", slow, notPaid],
    ["a release asks nobody", slow, notPaid],
    ["an operator releases while a worker executes", released, notPaid],
    ["an operator releases while a request is on its way", released, notPaid],
    ["an operator releases what the rail has", released, "what is paid is claimed or committed"],
    ["a hold leaves a worker in flight alone", held, told],
    ["a worker reads the hold before the payment", held, told],
    ["a worker goes past a hold", held, told],
    ["a hold is told while a request is on its way", held, told],
    ["a question that fails is put again whole", ending, PROGRESS],
    ["a probe is always about the same payment", ending, PROGRESS],
    [
      "all payments of a failed question are at fault",
      ending3,
      "a rail that is never down finds no healthy payment at fault",
    ],
    ["a payment at fault is not asked alone", lasting, PROGRESS],
    ["payments that are asked alone are asked together", ending3, PROGRESS],
    ["a payment that answers is still asked alone", (mistake) => askingWorld(3, [0], false, mistake), PROGRESS],
    ["the cursor moves before its questions are sent", ending, point],
    ["a sweep under way overlooks a rewind", ending, point],
  ];
  test.each(mistakes)("%s", (mistake, world, law) => {
    const { broken } = found(world(mistake), ({ laws }) => ({
      laws: Object.fromEntries(Object.entries(laws).filter(([name]) => name === law)),
    }));
    expect(broken).toBe(law);
  });
});
