import { useEffect, useRef } from "preact/hooks";

/**
 * Asks something again and again: at once when the page becomes visible, never while it is hidden. `ask` returns how
 * many milliseconds to wait until the next time, or undefined at the end; `asked` is how often it was asked before.
 * Returns a function that asks at once.
 */
export function useAsking(key: string, ask: (asked: number) => Promise<number | undefined>, waitMs = 0): () => void {
  const now = useRef(() => {});
  useEffect(() => {
    let asked = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let ended = false;
    const wait = (ms: number) => {
      clearTimeout(timer);
      timer = setTimeout(next, ms);
    };
    const next = async () => {
      clearTimeout(timer);
      if (ended || document.hidden) return;
      const pauseMs = await ask(asked++);
      if (pauseMs === undefined) ended = true;
      else if (!ended) wait(pauseMs);
    };
    now.current = () => {
      asked = 0;
      void next();
    };
    const onVisible = () => now.current();
    document.addEventListener("visibilitychange", onVisible);
    wait(waitMs);
    return () => {
      ended = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", onVisible);
    };
  }, [key]);
  return () => now.current();
}
