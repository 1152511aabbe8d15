import { afterAnswer, afterFailure, type Part } from "@intents/execution/asking/search.ts";
import { withWorker } from "./rail.ts";
import type { Step, World } from "./search.ts";

/** A question about payments: of a sweep or of a search, by the service's own rule; or about one payment alone. */
type Question = Part<number> & Readonly<{ kind: "swept" | "alone" }>;

type Asking = Readonly<{
  isDown: boolean;
  ended: readonly number[];
  /** The payments that are asked alone, the next one first. */
  alone: readonly number[];
  /** Questions that the rail failed in a row, as far as they matter; the payments probed meanwhile, the last one last. */
  failures: 0 | 1 | 2;
  probed: readonly number[];
  isLeftAlone: boolean;
  /** Whether the sweeps' cursor has passed the payments' points; a sweep, and whether the cursor is as it has read it. */
  isPassed: boolean;
  sweeps: readonly Readonly<{ at: "idle" | "begun" | "half done"; isFresh: boolean }>[];
  questions: readonly Question[];
  wrong: "" | "left alone for one payment" | "divided in silence";
}>;
const idle = { at: "idle", isFresh: false } as const;
const without = (some: readonly number[], others: readonly number[]) => some.filter((each) => !others.includes(each));
const everyOf = ({ about, search }: Question) => [...about, ...(search?.rest ?? []), ...(search?.failed.flat() ?? [])];

/**
 * Sweeps and questions to a rail that may be down, and stumbles over poisoned payments. What follows a question is told
 * by the functions of the service itself. Where payments can end, they do so when the rail tells of them, and have one
 * point: who loses it loses the payment. Else they have points for ever. Where there are two payments, questions of sweeps
 * are doubled, and sweeps begin while questions are out; else not, so that worlds stay small.
 */
export function askingWorld(
  payments: number,
  poisoned: readonly number[],
  canEnd: boolean,
  mistake = "",
): World<Asking> {
  const all = [...Array(payments).keys()];
  const tells = ({ isDown }: Asking, about: readonly number[]) =>
    !isDown && !about.some((each) => poisoned.includes(each));
  const posted = (asking: Asking, ...more: readonly Question[]): Asking => {
    const texts = [...asking.questions, ...more].flatMap((each) => (each.about.length > 0 ? JSON.stringify(each) : []));
    return { ...asking, questions: [...new Set(texts)].toSorted().map((text) => JSON.parse(text) as Question) };
  };
  const handedBack = (asking: Asking): Asking => {
    const isLost = mistake === "a sweep under way overlooks a rewind";
    const sweeps = isLost ? asking.sweeps : asking.sweeps.map(({ at }) => ({ at, isFresh: false }));
    return { ...asking, isPassed: false, sweeps };
  };
  /** The answer about these is heard, and clears the count of failures. */
  const heard = (asking: Asking, about: readonly number[]): Asking => ({
    ...{ ...asking, failures: 0, probed: [], isLeftAlone: false },
    ended: canEnd ? all.filter((each) => asking.ended.includes(each) || about.includes(each)) : [],
    alone: mistake === "a payment that answers is still asked alone" ? asking.alone : without(asking.alone, about),
  });
  const setAlone = (asking: Asking, some: readonly number[]): Asking => ({
    ...asking,
    alone: [...without(asking.alone, some), ...without(some, asking.ended)],
  });
  /** The failure is counted with the payment that is probed by it, and the rail is left alone. */
  const noted = (asking: Asking, one?: number): Asking => ({
    ...{ ...asking, failures: asking.failures === 0 ? 1 : 2, isLeftAlone: true },
    probed: one === undefined ? asking.probed : [...without(asking.probed, [one]), one],
  });

  /** The payments of which one serves to find out whether the rail answers: those not probed yet, else the first probed. */
  function othersOf({ probed, alone, ended }: Asking, { about }: Question): readonly (number | undefined)[] {
    const own = about.length > 1 ? about : [];
    const known = [...about, ...ended, ...alone];
    const each = [...own, ...without(all, known)];
    if (mistake === "a probe is always about the same payment") return [each[0]];
    const [fresh, others] = [without(own, probed), without(without(all, known), probed)];
    if (fresh.length > 0) return fresh;
    if (others.length > 0) return others;
    return [each.toSorted((one, other) => probed.indexOf(one) - probed.indexOf(other))[0]];
  }

  /** Deals with a question that told nothing, as `doubt` does. */
  function doubt(asking: Asking, question: Question, other: number | undefined): Asking {
    const isFirst = question.search === undefined;
    if (mistake === "a question that fails is put again whole") return handedBack(noted(asking));
    if (mistake === "a question that fails is divided at once" && question.about.length > 1) {
      const [first, ...rest] = question.about.map((each) => ({ kind: "swept", about: [each] }) as const);
      return posted(
        { ...asking, wrong: asking.isDown ? "divided in silence" : "" },
        ...(first ? [first, ...rest] : []),
      );
    }
    const next = afterFailure(question, isFirst ? other : undefined);
    const known = isFirst || next === undefined ? noted(asking, (next ?? question).about[0]) : asking;
    return next === undefined ? handedBack(known) : posted(known, { kind: "swept", ...next });
  }

  /** Sends what follows an answer, as `goOn` does. */
  function goOn(asking: Asking, question: Question): Asking {
    const { parts, atFault } = afterAnswer(question, (one, each) => one === each);
    const found = mistake === "a payment at fault is not asked alone" ? [] : atFault.map(({ payment }) => payment);
    const more = parts.map((part) => ({ kind: "swept", ...part }) as const);
    return posted(setAlone(heard(asking, question.about), found), ...more);
  }

  /** Asks a silent rail about a single payment, as `probe` does: the failure is counted before. */
  function probe(asking: Asking, question: Question, single: number): Asking {
    if (!tells(asking, [single])) return handedBack(noted(asking, single));
    const search = { failed: [], witness: single };
    return posted(heard(asking, [single]), { kind: "swept", about: without(question.about, [single]), search });
  }

  function askAlone(asking: Asking, question: Question): Asking {
    const { about } = question;
    if (asking.isLeftAlone) return asking;
    if (tells(asking, about)) return heard(asking, about);
    const later = about.length === 1 ? setAlone(asking, about) : asking;
    if (mistake !== "a payment that fails alone silences its rail") return later;
    return { ...later, failures: 2, isLeftAlone: true, wrong: "left alone for one payment" };
  }

  /** Yields every outcome of a question, as `ask` has it. */
  function* ask(asking: Asking, given: Question): Generator<Asking> {
    if (given.kind === "alone") return yield askAlone(asking, given);
    const others = without(everyOf(given), asking.alone);
    const isLess = others.length < everyOf(given).length;
    const question: Question = isLess ? { kind: "swept", about: [...new Set(others)] } : given;
    const isSearch = question.search !== undefined;
    if (question.about.length === 0) yield asking;
    else if (asking.isLeftAlone && !(isSearch && asking.failures === 1)) {
      yield isSearch ? posted(asking, question) : handedBack(asking);
    } else if (asking.failures > 0 && !isSearch && mistake !== "a question that fails is put again whole") {
      for (const single of othersOf(asking, question))
        yield probe(asking, question, single ?? Number(question.about[0]));
    } else if (tells(asking, question.about)) yield goOn(asking, question);
    else for (const other of isSearch ? [undefined] : othersOf(asking, question)) yield doubt(asking, question, other);
  }

  function* sweep(asking: Asking, index: number): Generator<Step<Asking>> {
    const { at, isFresh } = asking.sweeps[index] ?? idle;
    const { isPassed, isLeftAlone, ended, alone } = asking;
    const moves = (at === "half done") !== (mistake === "the cursor moves before its questions are sent");
    const about = without(all, [...ended, ...alone]);
    const by = (to: Asking, done: Asking["sweeps"][number]) => ({ ...to, sweeps: withWorker(to.sweeps, index, done) });
    const next = at === "begun" ? ({ at: "half done", isFresh } as const) : idle;
    if (at !== "idle") yield ["a worker dies", by(asking, idle), "fault"];
    if (at !== "idle" && moves)
      yield ["asking/sweep.ts moveSweepCursor", by({ ...asking, isPassed: isPassed || isFresh }, next)];
    else if (at !== "idle") yield ["asking/sweep.ts sweep", by(posted(asking, { kind: "swept", about }), next)];
    else if (!isPassed && !isLeftAlone && (payments === 2 || asking.questions.length === 0))
      yield ["asking/sweep.ts findSweepCursor", by(asking, { at: "begun", isFresh: true })];
  }

  function* steps(asking: Asking): Generator<Step<Asking>> {
    const { isDown, isLeftAlone, isPassed, alone, questions, sweeps } = asking;
    yield isDown
      ? ["rail: is back", { ...asking, isDown: false }]
      : ["rail: is down", { ...asking, isDown: true }, "fault"];
    if (isLeftAlone) yield ["time: the pause ends", { ...asking, isLeftAlone: false }];
    if (isPassed && !canEnd) yield ["time: the next points", handedBack(asking)];
    const out = questions.filter(({ kind }) => kind === "alone").length;
    const isOne = mistake !== "payments that are asked alone are asked together";
    const about = alone.slice(out, isOne ? out + 1 : alone.length);
    if (about.length > 0 && (out === 0 || mistake === "several payments are asked alone at once"))
      yield ["asking/ask-alone.ts leaseAlone", posted(asking, { kind: "alone", about })];
    for (const question of questions) {
      const rest = { ...asking, questions: questions.filter((each) => each !== question) };
      const name = question.kind === "alone" ? "asking/ask-alone.ts askAlone" : "asking/question.ts ask";
      for (const after of ask(rest, question)) yield [name, after];
      if (question.kind === "swept" && question.search === undefined && payments === 2)
        for (const after of ask(asking, question)) yield ["queue: doubles the message", after, "fault"];
    }
    for (const index of sweeps.keys()) yield* sweep(asking, index);
  }

  const none = {
    ended: [],
    alone: [],
    failures: 0,
    probed: [],
    isLeftAlone: false,
    isPassed: false,
    questions: [],
  } as const;
  const begin = { ...none, sweeps: [idle], wrong: "" } as const;
  return {
    begins: [true, false].map((isDown) => ({ ...begin, isDown })),
    steps,
    laws: {
      "a payment has a point ahead, a question, or its turn alone": ({ isPassed, ended, alone, questions }) =>
        !canEnd || !isPassed || without(all, [...ended, ...alone, ...questions.flatMap(everyOf)]).length === 0,
      "one payment at a time is asked alone": ({ questions }) =>
        questions.filter(({ kind }) => kind === "alone").length <= 1,
      "a payment that fails alone silences no rail": ({ wrong }) => wrong !== "left alone for one payment",
      "nothing is divided in silence": ({ wrong }) => wrong !== "divided in silence",
    },
    // No healthy payment's end waits for a poisoned one; and where payments go on, all poisoned ones are told apart.
    isEnd: ({ ended, alone }) =>
      canEnd ? without(all, [...poisoned, ...ended]).length === 0 : alone.toSorted().join() === poisoned.join(),
  };
}
