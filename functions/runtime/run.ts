import { openRun } from "@intents/execution/open-run.ts";
import { now, random, settings, table } from "./environment.ts";

/** What executions work with in this container. */
export const run = openRun(settings, { table, now, random });
