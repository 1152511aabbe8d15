import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { Judgement, Question, Setup } from "./judge.ts";

/** A set of judges, each of which answers one question at a time; a judge that does not finish is replaced. */
export type Bench = Readonly<{
  /** The judgement of a question; undefined when the tests took longer than `limitMs`. */
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
