import { useEffect, useRef, useState } from "preact/hooks";
import type { Api, Reply } from "../api/api.ts";
import type { Problem } from "../api/problem.ts";
import type { Quote } from "../api/wire.ts";
import { type Entry, isSameEntry } from "./entry.ts";
import { type HeldQuote, holdQuote } from "./held-quote.ts";

type Listener = Readonly<{
  onRenewed: (before: HeldQuote, after: HeldQuote) => void;
  onRefused: (problem: Problem) => void;
}>;

/** A renewal that failed is tried again after this long. */
const RENEW_AGAIN_MS = 10_000;
/** An entry is priced once the payer has not typed for this long. */
const PREVIEW_MS = 400;

/** The quote for the payer's entry. It is renewed silently when it expires, unless it is `frozen`. */
export function useLiveQuote(api: Api, frozen: boolean, { onRenewed, onRefused }: Listener) {
  const [current, setCurrent] = useState<Readonly<{ entry: Entry; held: HeldQuote }>>();
  /** The values in the form, which may differ from those that were priced. */
  const [typed, setTyped] = useState<Entry>();
  const [asking, setAsking] = useState(false);
  const { ask, soon } = useQuestion(api);
  const hold = (entry: Entry, { value, answeredAtMs }: Extract<Reply<Quote>, { ok: true }>): HeldQuote => {
    const held = holdQuote(value, answeredAtMs, performance.now());
    setCurrent({ entry, held });
    return held;
  };

  const price = async (entry: Entry): Promise<HeldQuote | undefined> => {
    setAsking(true);
    const reply = await ask(entry);
    setAsking(false);
    if (reply.ok) return hold(entry, reply);
    onRefused(reply.problem);
    return undefined;
  };

  const enter = async (entry: Entry): Promise<HeldQuote | undefined> =>
    current && isSameEntry(entry, current.entry) ? current.held : price(entry);

  /** Prices the values in the form while the payer still types. A refusal is shown only when the payer goes on. */
  const preview = (entry: Entry | undefined) => {
    setTyped(entry);
    const isWanted = !frozen && !asking && !isSameEntry(entry, current?.entry);
    soon(isWanted ? entry : undefined, (reply, asked) => reply.ok && hold(asked, reply));
  };

  const renew = async () => {
    if (!current) return;
    const { entry, held } = current;
    const renewed = await price(entry);
    if (renewed) onRenewed(held, renewed);
    else setCurrent({ entry, held: { ...held, untilMs: performance.now() + RENEW_AGAIN_MS } });
  };

  // The timer outlives renderings, and must call the function of the latest one.
  const latest = useRef(renew);
  latest.current = renew;
  useEffect(() => {
    if (!current || asking || frozen) return;
    const timer = setTimeout(() => latest.current(), Math.max(0, current.held.untilMs - performance.now()));
    return () => clearTimeout(timer);
  }, [current, asking, frozen]);

  return { ...current, typed, isOfForm: isSameEntry(typed, current?.entry), asking, enter, preview, renew };
}

type Question = Readonly<{ entry: Entry; reply: Promise<Reply<Quote>> }>;

/** Asks for quotes: at once or soon, and never twice at a time for the same entry. */
function useQuestion(api: Api) {
  const onItsWay = useRef<Question | undefined>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const dropTimer = () => {
    clearTimeout(timer.current);
    timer.current = undefined;
  };

  const put = (entry: Entry): Promise<Reply<Quote>> => {
    const before = onItsWay.current;
    if (before && isSameEntry(entry, before.entry)) return before.reply;
    const question = { entry, reply: api.quote(entry.country, entry.amount) };
    onItsWay.current = question;
    void question.reply.then(() => {
      if (onItsWay.current === question) onItsWay.current = undefined;
    });
    return question.reply;
  };

  const ask = (entry: Entry): Promise<Reply<Quote>> => {
    dropTimer();
    return put(entry);
  };
  /** The reply is passed on unless another entry was asked about, or was scheduled, before it came. */
  const soon = (entry: Entry | undefined, onReply: (reply: Reply<Quote>, entry: Entry) => void) => {
    dropTimer();
    if (!entry) return;
    const mine = setTimeout(async () => {
      const reply = await put(entry);
      if (timer.current === mine) onReply(reply, entry);
    }, PREVIEW_MS);
    timer.current = mine;
  };
  return { ask, soon };
}
