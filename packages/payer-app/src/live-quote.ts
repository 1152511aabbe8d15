import { useEffect, useRef, useState } from "preact/hooks";
import type { Entry } from "./amount-step.tsx";
import type { Api } from "./api.ts";
import { type HeldQuote, holdQuote } from "./held-quote.ts";
import type { Problem } from "./problem.ts";

type Listener = Readonly<{
  onRenewed: (before: HeldQuote, after: HeldQuote) => void;
  onRefused: (problem: Problem) => void;
}>;

/** A renewal that failed is tried again after this long. */
const RENEW_AGAIN_MS = 10_000;

/** The quote for what the payer entered: renewed in silence when it expires, unless it is `frozen`. */
export function useLiveQuote(api: Api, frozen: boolean, { onRenewed, onRefused }: Listener) {
  const [current, setCurrent] = useState<Readonly<{ entry: Entry; held: HeldQuote }>>();
  const [asking, setAsking] = useState(false);

  const enter = async (entry: Entry): Promise<HeldQuote | undefined> => {
    setAsking(true);
    const reply = await api.quote(entry.country, entry.amount);
    setAsking(false);
    if (!reply.ok) {
      onRefused(reply.problem);
      return undefined;
    }
    const held = holdQuote(reply.value, reply.answeredAtMs, performance.now());
    setCurrent({ entry, held });
    return held;
  };

  const renew = async () => {
    if (current === undefined) return;
    const { entry, held } = current;
    const renewed = await enter(entry);
    if (renewed !== undefined) onRenewed(held, renewed);
    else setCurrent({ entry, held: { ...held, untilMs: performance.now() + RENEW_AGAIN_MS } });
  };

  // The timer outlives renderings: it is to call what the last of them made.
  const latest = useRef(renew);
  latest.current = renew;
  useEffect(() => {
    if (current === undefined || asking || frozen) return;
    const timer = setTimeout(() => latest.current(), Math.max(0, current.held.untilMs - performance.now()));
    return () => clearTimeout(timer);
  }, [current, asking, frozen]);

  return { ...current, asking, enter, renew };
}
