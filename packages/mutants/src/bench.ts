import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { Judgement, Question, Setup } from "./judge.ts";

/** Judges that answer one question each at a time; one that does not come to an end is replaced. */
export type Bench = Readonly<{
  /** What came of the tests; undefined when they took longer than `limitMs`. */
  ask: (question: Question, limitMs: number) => Promise<Judgement | undefined>;
  stop: () => void;
}>;

export function openBench(setup: Setup): Bench {
  let child: Promise<ChildProcess> | undefined;
  const start = async (): Promise<ChildProcess> => {
    const started = fork(`${import.meta.dirname}/judge.ts`, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
    started.send(setup);
    await once(started, "message");
    return started;
  };
  const stop = async (): Promise<void> => {
    const running = await child;
    child = undefined;
    running?.kill("SIGKILL");
  };
  return {
    ask: async (question, limitMs) => {
      child ??= start();
      const judge = await child;
      const limit = AbortSignal.timeout(limitMs);
      const answer = once(judge, "message", { signal: limit });
      judge.send(question);
      try {
        return (await answer)[0] as Judgement;
      } catch (error) {
        if (!limit.aborted) throw error;
        await stop();
        return undefined;
      }
    },
    stop,
  };
}
