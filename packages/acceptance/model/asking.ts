import { withWorker } from "./rail.ts";
import type { Step, World } from "./search.ts";

/** A question about payments: of a sweep, a half of a failed question, or about one payment alone. */
type Question = Readonly<{ kind: "swept" | "part" | "alone"; about: readonly number[] }>;

type Asking = Readonly<{
  isDown: boolean;
  ended: readonly number[];
  /** The payments that are asked alone, the next one first. */
  alone: readonly number[];
  /** Whether the rail is taken for silent, and is not asked for a while; the payment that it was last asked about alone. */
  isSilent: boolean;
  isLeftAlone: boolean;
  last: number;
  /** Whether the sweeps' cursor has passed the payments' points; a sweep, and whether the cursor is as it has read it. */
  isPassed: boolean;
  sweeps: readonly Readonly<{ at: "idle" | "begun" | "half done"; isFresh: boolean }>[];
  questions: readonly Question[];
  wrong: "" | "left alone for one payment" | "halved in silence";
}>;
const idle = { at: "idle", isFresh: false } as const;
const without = (some: readonly number[], others: readonly number[]) => some.filter((each) => !others.includes(each));

/**
 * Sweeps and questions to a rail that may be down, and stumbles over poisoned payments. Where payments can end, they do
 * so when the rail tells of them, and have one point: who loses it loses the payment. Else they have points for ever.
 * Messages are doubled where there are two payments, so that worlds stay small.
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
  const heard = (asking: Asking, about: readonly number[]): Asking => ({
    ...{ ...asking, isSilent: false, last: about.length === 1 ? Number(about[0]) : asking.last },
    ended: canEnd ? all.filter((each) => asking.ended.includes(each) || about.includes(each)) : [],
    alone: mistake === "a payment that answers is still asked alone" ? asking.alone : without(asking.alone, about),
  });
  /** The payment failed alone: it is asked alone from then on, after the others. */
  const failed = (asking: Asking, last: number) => ({
    ...asking,
    last,
    alone: [...without(asking.alone, [last]), last],
  });
  const halved = (asking: Asking, about: readonly number[]): Asking => {
    const halves = [about.slice(0, Math.ceil(about.length / 2)), about.slice(Math.ceil(about.length / 2))];
    return posted(asking, ...halves.map((half) => ({ kind: "part", about: half }) as const));
  };

  /** Asks about one payment of a question that failed, or of one to a silent rail: another payment each time. */
  function probe(asking: Asking, about: readonly number[]): Asking {
    const next = about.find((each) => each > asking.last) ?? Number(about[0]);
    const one = mistake === "a probe is always about the same payment" && asking.last >= 0 ? asking.last : next;
    if (tells(asking, [one])) {
      return asking.isSilent ? handedBack(heard(asking, [one])) : halved(heard(asking, [one]), without(about, [one]));
    }
    const isKept = mistake === "a payment whose probe fails is not asked alone";
    return handedBack({
      ...(isKept ? { ...asking, last: one } : failed(asking, one)),
      isSilent: true,
      isLeftAlone: true,
    });
  }

  function ask(asking: Asking, { kind, about }: Question): Asking {
    const isWhole = mistake === "a question that fails is put again whole";
    if (asking.isLeftAlone) return kind === "alone" ? asking : handedBack(asking);
    if (kind === "swept" && asking.isSilent && !isWhole) return probe(asking, about);
    if (tells(asking, about)) return heard(asking, about);
    if (kind === "alone" && mistake === "a payment that fails alone silences its rail") {
      return { ...asking, isSilent: true, isLeftAlone: true, wrong: "left alone for one payment" };
    }
    if (isWhole) return handedBack({ ...asking, isSilent: true, isLeftAlone: true });
    if (about.length === 1) return failed(asking, Number(about[0]));
    if (kind === "alone") return asking;
    if (kind === "part") return halved(asking, about);
    if (mistake !== "a question that fails is halved at once") return probe(asking, about);
    return halved({ ...asking, wrong: asking.isDown ? "halved in silence" : "" }, about);
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
    else if (!isPassed && !isLeftAlone)
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
      yield ["asking/question.ts ask", posted(asking, { kind: "alone", about })];
    for (const question of questions) {
      const rest = { ...asking, questions: questions.filter((each) => each !== question) };
      yield ["asking/question.ts ask", ask(rest, question)];
      if (question.kind === "swept" && payments === 2)
        yield ["queue: doubles the message", ask(asking, question), "fault"];
    }
    for (const index of sweeps.keys()) yield* sweep(asking, index);
  }

  const none = { ended: [], alone: [], isSilent: false, isLeftAlone: false, last: -1, isPassed: false, questions: [] };
  const begin = { ...none, sweeps: [idle], wrong: "" } as const;
  return {
    begins: [true, false].map((isDown) => ({ ...begin, isDown })),
    steps,
    laws: {
      "a payment has a point ahead, a question, or its turn alone": ({ isPassed, ended, alone, questions }) =>
        !canEnd ||
        !isPassed ||
        without(all, [...ended, ...alone, ...questions.flatMap(({ about }) => about)]).length === 0,
      "one payment at a time is asked alone": ({ questions }) =>
        questions.filter(({ kind }) => kind === "alone").length <= 1,
      "a payment that fails alone silences no rail": ({ wrong }) => wrong !== "left alone for one payment",
      "nothing is halved in silence": ({ wrong }) => wrong !== "halved in silence",
    },
    // No healthy payment's end waits for a poisoned one; and where payments go on, all poisoned ones are told apart.
    isEnd: ({ ended, alone }) =>
      canEnd ? without(all, [...poisoned, ...ended]).length === 0 : alone.toSorted().join() === poisoned.join(),
  };
}
