import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { askingWorld } from "./asking.ts";
import { batchWorld } from "./batch.ts";
import { paymentWorld } from "./payment.ts";
import { PROGRESS, search, type World } from "./search.ts";

const slow = (mistake?: string) => paymentWorld(2, 2, true, mistake);
const operated = (mistake?: string) => paymentWorld(2, 2, false, mistake);
const batch = (mistake?: string) => batchWorld(2, mistake);
const ending = (mistake?: string) => askingWorld(2, [0], true, mistake);
const ending3 = (mistake?: string) => askingWorld(3, [0], true, mistake);
const lasting = (mistake?: string) => askingWorld(3, [0], false, mistake);

/** Any world: its laws are asked about its own states alone. */
const found = (world: unknown, laws?: (all: World<unknown>["laws"]) => World<unknown>["laws"]) => {
  const whole = world as World<unknown>;
  return search({ ...whole, laws: laws?.(whole.laws) ?? whole.laws });
};

describe("in every state all laws hold, and an end can be reached, of", () => {
  const worlds = [
    ["a submit and a later one, two workers that may be slow", 3835, slow()],
    ["one submit, three workers that may be slow", 656, paymentWorld(3, 1, true)],
    ["two submits, two workers, an operator, a rail that forgets, a key that ends", 3343, operated()],
    ["a batch that is held and resumed, two workers", 9448, batch()],
    ["questions about two healthy payments and two poisoned ones", 2570, askingWorld(4, [0, 2], true)],
    ["questions about two healthy payments and a poisoned one", 674, ending3()],
    ["questions about a healthy payment and a poisoned one", 11356, ending()],
    ["questions about payments that go on, one of them poisoned", 7348, askingWorld(2, [0], false)],
    ["questions about three payments that go on, one of them poisoned", 1138, lasting()],
  ] as const;
  const steps = new Set<string>();
  test.each(worlds)("%s: %d states", (_, states, world) => {
    const { steps: taken, ...rest } = found(world);
    expect(rest).toEqual({ states, way: [] });
    for (const step of taken) steps.add(step);
  });

  test("steps that stand for functions of the service", () => {
    const functions = [...steps].filter((step) => step.includes(".ts "));
    expect(functions).toHaveLength(23);
    const missing = functions.filter((step) => {
      const [path = "", name = ""] = step.split(" ");
      const text = readFileSync(new URL(`../../execution/src/${path}`, import.meta.url), "utf8");
      return !new RegExp(`\\b${name}\\b`).test(text);
    });
    expect(missing).toEqual([]);
  });
});

describe("the model sees a planted mistake:", () => {
  const released = "what is released is not paid";
  const booked = "the books hold what the rail accepted, once";
  const held = "nobody is paid once an operator was told that the batch is held";
  const point = "a payment has a point ahead, a question, or its turn alone";
  const mistakes: readonly (readonly [mistake: string, world: (mistake: string) => unknown, law: string])[] = [
    ["a claim is not conditional on the claim", slow, "nothing is paid twice"],
    ["a commit is not conditional on the claim", slow, booked],
    ["a release is not conditional on the claim", slow, "what is paid is claimed or committed"],
    ["a take-over has a new executionId", slow, "nothing is paid twice"],
    ["a take-over keeps the attempt", slow, released],
    ["a take-over ignores the lease", operated, "one worker at a time asks"],
    ["a take-over is never made", slow, PROGRESS],
    ["a later attempt that reaches nobody releases", slow, released],
    ["a timeout counts as not reached", slow, released],
    ["a release asks nobody", slow, released],
    ["a stale claim is asked again", operated, "nothing is paid twice"],
    ["an operator releases while a worker executes", operated, released],
    ["an operator releases while a request is on its way", operated, released],
    ["an operator releases what the rail has", operated, "what is paid is claimed or committed"],
    ["a key stays bound after a duplicate", slow, "a duplicate frees its key, and no other refusal does"],
    ["a refusal frees its key", slow, "a duplicate frees its key, and no other refusal does"],
    ["a release frees a later request's key", operated, "a later request keeps its key"],
    ["a hold leaves a worker in flight alone", batch, held],
    ["a worker reads the batch before its legs", batch, held],
    ["a worker goes past a hold", batch, held],
    ["a worker goes past a leg that a broken command left held", (mistake) => batchWorld(1, mistake), PROGRESS],
    ["a claim is not conditional on the leg", batch, booked],
    ["an answer is not conditional on the leg", batch, booked],
    ["an answer keeps the attempt of its claim", batch, held],
    ["a leg whose outcome is unknown resumes as a new one", batch, "no recipient is paid twice"],
    ["an unknown outcome gets a new executionId", batch, "no recipient is paid twice"],
    ["a question that fails is put again whole", ending, PROGRESS],
    ["a question that fails is divided at once", ending, "nothing is divided in silence"],
    ["a probe is always about the same payment", ending, PROGRESS],
    ["a payment at fault is not asked alone", lasting, PROGRESS],
    ["payments that are asked alone are asked together", ending3, PROGRESS],
    ["several payments are asked alone at once", ending3, "one payment at a time is asked alone"],
    ["a payment that answers is still asked alone", lasting, PROGRESS],
    ["a payment that fails alone silences its rail", ending, "a payment that fails alone silences no rail"],
    ["the cursor moves before its questions are sent", ending, point],
    ["a sweep under way overlooks a rewind", ending, point],
  ];
  test.each(mistakes)("%s", (mistake, world, law) => {
    const { broken } = found(world(mistake), (all) =>
      Object.fromEntries(Object.entries(all).filter(([name]) => name === law)),
    );
    expect(broken).toBe(law);
  });
});
