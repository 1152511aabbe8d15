import { Logger } from "@aws-lambda-powertools/logger";
import { copyEntry } from "@intents/storage/audit/copies.ts";
import { openFiles } from "@intents/storage/files/files.ts";
import { mapInTurns } from "@intents/storage/table/in-turns.ts";
import { isHistory } from "@intents/storage/table/key-owners.ts";
import type { DynamoDBRecord, DynamoDBStreamEvent } from "aws-lambda";
import { settings } from "./runtime/environment.ts";

const logger = new Logger({ serviceName: "copy-history" });
const history = openFiles(settings.HISTORY_BUCKET);
const SIDE_BY_SIDE = 16;

/** The main table's stream: copies what is added to the audit and the ledger, and reports what is changed there. */
export const handler = async ({ Records }: DynamoDBStreamEvent): Promise<void> => {
  await mapInTurns(Records, SIDE_BY_SIDE, async ({ eventName, dynamodb }: DynamoDBRecord) => {
    const [PK = "", SK = ""] = [dynamodb?.Keys?.["PK"]?.S, dynamodb?.Keys?.["SK"]?.S];
    if (!isHistory(PK)) return;
    if (eventName !== "INSERT") logger.error("history", { outcome: "history_changed", PK, SK, eventName });
    const doc = dynamodb?.NewImage?.["doc"]?.S;
    if (doc !== undefined) await copyEntry(history, { PK, SK }, doc);
  });
};
