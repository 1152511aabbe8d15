import { toLoggedFault } from "@intents/domain/logged-fault.ts";

/** A job that runs once a day, until `deadlineMs` (milliseconds since 1970) at the latest. Gives the fields to log. */
export type DailyJob = (deadlineMs: number) => Promise<Readonly<Record<string, unknown>>>;

type Log = Readonly<Record<"info" | "error", (message: string, fields: Record<string, unknown>) => void>>;

/**
 * Runs the jobs one after the other, each with an equal share of the time that is left, and logs one line for each.
 * Throws when one of them failed, but only after all of them have run.
 */
export async function runDaily(
  jobs: Readonly<Record<string, DailyJob>>,
  deadlineMs: number,
  now: () => number,
  log: Log,
): Promise<void> {
  const named = Object.entries(jobs);
  const failed: string[] = [];
  for (const [index, [job, run]] of named.entries()) {
    const shareMs = (deadlineMs - now()) / (named.length - index);
    try {
      log.info("daily job", { job, outcome: "done", ...(await run(now() + shareMs)) });
    } catch (error) {
      failed.push(job);
      log.error("daily job", { job, outcome: "failed", error: toLoggedFault(error) });
    }
  }
  if (failed.length > 0) throw new Error(`Daily jobs failed: ${failed.join(", ")}`);
}
