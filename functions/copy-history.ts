import { Logger } from "@aws-lambda-powertools/logger";
import { copyEntry, isRefused } from "@intents/storage/audit/copies.ts";
import { openFiles } from "@intents/storage/files/files.ts";
import { type FailedItem, settleInTurns } from "@intents/storage/table/in-turns.ts";
import { isHistory } from "@intents/storage/table/key-owners.ts";
import type { Key } from "@intents/storage/table/keys.ts";
import type { DynamoDBStreamEvent } from "aws-lambda";
import { settings } from "./runtime/environment.ts";
import { logChanged, logUncopied } from "./runtime/log-lines.ts";

const logger = new Logger({ serviceName: "copy-history" });
const history = openFiles(settings.HISTORY_BUCKET);
const SIDE_BY_SIDE = 16;
/** An entry is tried so often, beside the tries of the SDK, before others are no longer held up by it. */
const TRIES = 3;

type Entry = Key & Readonly<{ doc: string }>;

/**
 * The main table's stream: copies what is added to the audit and the ledger, and reports what is changed there. While
 * the bucket takes nothing, the stream repeats all of it. An entry that the bucket refuses while it takes others is
 * reported, and left to `operator ledger copy`: the stream would hold up every later entry for a day.
 */
export const handler = async ({ Records }: DynamoDBStreamEvent): Promise<void> => {
  const entries = Records.flatMap(({ eventName, dynamodb }): Entry[] => {
    const [PK = "", SK = ""] = [dynamodb?.Keys?.["PK"]?.S, dynamodb?.Keys?.["SK"]?.S];
    if (!isHistory(PK)) return [];
    if (eventName !== "INSERT") logChanged(logger, { PK, SK }, eventName);
    const doc = dynamodb?.NewImage?.["doc"]?.S;
    return doc === undefined ? [] : [{ PK, SK, doc }];
  });
  let [left, failed]: [readonly Entry[], FailedItem[]] = [entries, []];
  for (let tries = 0; tries < TRIES && left.length > 0; tries++) {
    failed = [];
    await settleInTurns(left, SIDE_BY_SIDE, ({ doc, ...key }) => copyEntry(history, key, doc), { failed, nameOf });
    const names = new Set(failed.map(({ about }) => about));
    left = left.filter((entry) => names.has(nameOf(entry)));
  }
  const takesOthers = left.length < entries.length;
  for (const { about, reason } of failed) {
    if (!takesOthers && !isRefused(reason)) throw reason;
    logUncopied(logger, about, reason);
  }
};

const nameOf = ({ PK, SK }: Entry): string => `${PK} ${SK}`;
