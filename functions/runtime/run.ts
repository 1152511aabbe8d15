import { openRun } from "@intents/execution/open-run.ts";
import { now, random, settings, table } from "./environment.ts";

/** The means of executions in this container. */
export const run = openRun(settings, { table, now, random });
