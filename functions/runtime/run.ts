import { Logger } from "@aws-lambda-powertools/logger";
import { measured } from "@intents/deployment/metrics.ts";
import type { Milestone } from "@intents/domain/intents/milestone.ts";
import { toLoggedFault } from "@intents/domain/logged-fault.ts";
import { openRun } from "@intents/execution/open-run.ts";
import type { RecipientTrouble } from "@intents/execution/run.ts";
import { now, random, settings } from "./environment.ts";
import { table } from "./nudging-table.ts";

const logger = new Logger({ serviceName: "payments" });

/** Logs a payment's milestone as a business metric by rail and currency, without tenant or person. */
function note({ rail, currency, ...passed }: Milestone): void {
  const by = { rail, currency };
  if (passed.kind === "submitted") logger.info("submitted", { ...by, ...measured("Submits", 1, by, now()) });
  else {
    const seconds = Math.round(passed.afterMs / 1000);
    const settled = /completed$/.test(passed.outcome) && measured("SettleSeconds", seconds, by, now());
    logger.info("ended", { ...by, outcome: passed.outcome, seconds, ...settled });
  }
}

/** Logs the recipient whose work failed, so that an alarm about a batch leads to the recipient. */
function warn({ fault, ...recipient }: RecipientTrouble): void {
  if (fault === undefined) logger.warn("lost track of a recipient", recipient);
  else logger.error("work on a recipient failed", { ...recipient, error: toLoggedFault(fault) });
}

/** The means of executions in this container. */
export const run = { ...openRun(settings, { table, now, random }), note, warn };
