import { randomUUID } from "node:crypto";
import type { EventBridgeEvent } from "aws-lambda";
import { ACCOUNT, type Functions, REGION } from "../functions.ts";

export type Stoppable = Readonly<{
  /** Begins nothing new, and resolves when all that runs has ended. */
  stop: () => Promise<void>;
}>;

type Rule = Readonly<{
  functions: Functions;
  name: string;
  everyMs: number;
  report: (problem: string) => void;
  /** The event, if the rule names one of its own. */
  input?: object;
}>;

/** An EventBridge rule: runs the function `name` at every whole `everyMs`, but never twice at a time. */
export function startSchedule({ functions, name, everyMs, report, input }: Rule): Stoppable {
  let running: Promise<void> | undefined;
  const tick = async () => {
    try {
      await functions.invoke(name, input ?? scheduledEvent(name, Date.now()));
    } catch (error) {
      report(`${name}: ${String(error)}`);
    }
    running = undefined;
  };
  const timer = setInterval(() => {
    running ??= tick();
  }, everyMs);
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}

const scheduledEvent = (name: string, nowMs: number): EventBridgeEvent<"Scheduled Event", Record<string, never>> => ({
  version: "0",
  id: randomUUID(),
  "detail-type": "Scheduled Event",
  source: "aws.events",
  account: ACCOUNT,
  time: `${new Date(nowMs).toISOString().slice(0, 19)}Z`,
  region: REGION,
  resources: [`arn:aws:events:${REGION}:${ACCOUNT}:rule/${name}`],
  detail: {},
});
