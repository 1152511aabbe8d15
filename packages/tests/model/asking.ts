import { afterAnswer, afterFailure, everyOf, type Part } from "@intents/execution/polling/search.ts";
import type { Step, World } from "./search.ts";

/** The questions about payments, of sweeps and searches, follow each other by the service's own rule. */
type Asking = Readonly<{
  /** `never`: this rail is never down. */
  isDown: boolean | "never";
  ended: readonly number[];
  /** The payments that are asked alone, the next one first. */
  alone: readonly number[];
  /** Failed questions in a row, where 2 stands for more; the payments probed since the last answer, oldest first. */
  failures: 0 | 1 | 2;
  probed: readonly number[];
  isLeftAlone: boolean;
  /** `isPassed`: the cursor is past the payments' points. `isFresh`: it has not moved since the sweep read it. */
  isPassed: boolean;
  sweep: Readonly<{ at: "idle" | "begun" | "half done"; isFresh: boolean }>;
  questions: readonly Part<number>[];
}>;
const idle = { at: "idle", isFresh: false } as const;
const without = (some: readonly number[], others: readonly number[]) => some.filter((each) => !others.includes(each));

/**
 * Sweeps and questions to a rail that may be down, and stumbles over poisoned payments. Where payments can end, they do so
 * when the rail tells of them, and have one point: if it is lost, nobody asks about the payment again. Else they have
 * points for ever. Only worlds of two payments double questions, and begin sweeps before all questions are answered.
 */
export function askingWorld(count: number, poisoned: readonly number[], canEnd: boolean, mistake = ""): World<Asking> {
  const all = [...Array(count).keys()];
  const isSmall = count === 2;
  const isWhole = mistake === "a question that fails is put again whole";
  const tells = ({ isDown }: Asking, about: readonly number[]) =>
    isDown !== true && !about.some((each) => poisoned.includes(each));
  const posted = (asking: Asking, ...more: readonly Part<number>[]): Asking => {
    const texts = [...asking.questions, ...more].flatMap((each) => (each.about.length > 0 ? JSON.stringify(each) : []));
    return { ...asking, questions: [...new Set(texts)].toSorted().map((text) => JSON.parse(text) as Part<number>) };
  };
  const handedBack = (asking: Asking): Asking => {
    const isFresh = asking.sweep.isFresh && mistake === "a sweep under way overlooks a rewind";
    return { ...asking, isPassed: false, sweep: { ...asking.sweep, isFresh } };
  };
  /** The answer about these is heard, and clears the count of failures. */
  const heard = (asking: Asking, about: readonly number[]): Asking => ({
    ...{ ...asking, failures: 0, probed: [], isLeftAlone: false },
    ended: canEnd ? all.filter((each) => asking.ended.includes(each) || about.includes(each)) : [],
    alone: mistake === "a payment that answers is still asked alone" ? asking.alone : without(asking.alone, about),
  });
  /** The failure is counted with the payment that is probed by it, and the rail is left alone. */
  const noted = (asking: Asking, one: number): Asking => ({
    ...{ ...asking, failures: asking.failures === 0 ? 1 : 2, isLeftAlone: true },
    probed: [...without(asking.probed, [one]), one],
  });

  /** The payments of which one serves to find out whether the rail answers: those not probed yet, else the first probed. */
  function othersOf({ probed, alone, ended }: Asking, about: readonly number[]): readonly (number | undefined)[] {
    const own = about.length > 1 ? about : [];
    const each = [...own, ...without(all, [...about, ...ended, ...alone])];
    if (mistake === "a probe is always about the same payment") return [each[0]];
    const fresh = [without(own, probed), without(each, probed)].find((some) => some.length > 0);
    return fresh ?? [each.toSorted((one, other) => probed.indexOf(one) - probed.indexOf(other))[0]];
  }

  /** Yields every outcome of a question, as `ask` has it, with `probe`, `goOn` and `doubt`. */
  function* ask(asking: Asking, given: Part<number>): Generator<Asking> {
    const others = without(everyOf(given), asking.alone);
    const question = others.length < everyOf(given).length ? { about: [...new Set(others)] } : given;
    const { about, search } = question;
    const [first = -1] = about;
    if (about.length === 0) yield asking;
    else if (asking.isLeftAlone && !(search && asking.failures === 1))
      yield search ? posted(asking, question) : handedBack(asking);
    else if (asking.failures > 0 && !search && !isWhole) {
      for (const single of othersOf(asking, about).map((other) => other ?? first)) {
        const rest = { about: without(about, [single]), search: { failed: [], witness: single } };
        yield tells(asking, [single]) ? posted(heard(asking, [single]), rest) : handedBack(noted(asking, single));
      }
    } else if (tells(asking, about)) {
      const { parts, atFault } = afterAnswer(question, (one, each) => one === each);
      const after = heard(asking, about);
      const found = mistake === "a payment at fault is not asked alone" ? [] : atFault.map(({ payment }) => payment);
      yield posted({ ...after, alone: [...without(after.alone, found), ...without(found, after.ended)] }, ...parts);
    } else {
      for (const other of search ? [undefined] : othersOf(asking, about)) {
        const next = isWhole ? undefined : afterFailure(question, other);
        const alone = mistake === "all payments of a failed question are at fault" ? about : asking.alone;
        const known = search && next ? asking : noted({ ...asking, alone }, next?.about[0] ?? first);
        yield next ? posted(known, next) : handedBack(known);
      }
    }
  }

  function* sweep(asking: Asking): Generator<Step<Asking>> {
    const { isPassed, isLeftAlone, ended, alone } = asking;
    const { at, isFresh } = asking.sweep;
    const begun = { ...asking, sweep: { at: "begun", isFresh: true } } as const;
    if (at === "idle" && !isPassed && !isLeftAlone && (isSmall || asking.questions.length === 0))
      yield ["polling/sweep.ts findSweepCursor", begun];
    if (at === "idle") return;
    yield ["a worker dies", { ...asking, sweep: idle }, "fault"];
    const after: Asking = { ...asking, sweep: at === "begun" ? { at: "half done", isFresh } : idle };
    if ((at === "half done") !== (mistake === "the cursor moves before its questions are sent"))
      yield ["polling/sweep.ts moveSweepCursor", { ...after, isPassed: isPassed || isFresh }];
    else yield ["polling/sweep.ts sweep", posted(after, { about: without(all, [...ended, ...alone]) })];
  }

  function* steps(asking: Asking): Generator<Step<Asking>> {
    const { isDown, isLeftAlone, isPassed, alone, questions } = asking;
    if (isDown === true) yield ["rail: is back", { ...asking, isDown: false }];
    else if (isDown === false) yield ["rail: is down", { ...asking, isDown: true }, "fault"];
    if (isLeftAlone) yield ["time: the pause ends", { ...asking, isLeftAlone: false }];
    if (isPassed && !canEnd) yield ["time: the next points", handedBack(asking)];
    const next = mistake === "payments that are asked alone are asked together" ? alone : alone.slice(0, 1);
    const turned = { ...asking, alone: [...without(alone, next), ...next] };
    if (next.length > 0 && !isLeftAlone)
      yield ["polling/ask-alone.ts askAlone", tells(asking, next) ? heard(asking, next) : turned];
    for (const question of questions) {
      const rest = { ...asking, questions: questions.filter((each) => each !== question) };
      for (const after of ask(rest, question)) yield ["polling/question.ts ask", after];
      if (isSmall) for (const after of ask(asking, question)) yield ["queue: doubles the message", after, "fault"];
    }
    yield* sweep(asking);
  }

  const none = { ended: [], alone: [], failures: 0, probed: [], isLeftAlone: false, isPassed: false } as const;
  return {
    begins: ([true, false, "never"] as const).map((isDown) => ({ ...none, questions: [], sweep: idle, isDown })),
    steps,
    laws: {
      "a payment has a point ahead, a question, or its turn alone": ({ isPassed, ended, alone, questions }) =>
        !canEnd || !isPassed || without(all, [...ended, ...alone, ...questions.flatMap(everyOf)]).length === 0,
      "a rail that is never down finds no healthy payment at fault": ({ isDown, alone }) =>
        isDown !== "never" || without(alone, poisoned).length === 0,
    },
    // No healthy payment's end waits for a poisoned one; and where payments go on, all poisoned ones are told apart.
    isEnd: ({ ended, alone }) =>
      canEnd ? without(all, [...poisoned, ...ended]).length === 0 : alone.toSorted().join() === poisoned.join(),
  };
}
