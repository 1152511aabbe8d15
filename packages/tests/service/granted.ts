import { readFileSync } from "node:fs";
import type { Call, Statement } from "@intents/infra/judge-fixture.ts";
import type { StoreCall } from "@intents/local/events/calls.ts";

/** The policies of all functions by their names, as the tests of this tier found them before they began. */
export const readPolicies = (): Readonly<Record<string, readonly Statement[]>> =>
  JSON.parse(readFileSync(process.env["FUNCTION_POLICIES"] ?? "", "utf8"));

type Named = Pick<StoreCall, "store" | "command" | "targets" | "attributes">;

const tables: Readonly<Record<string, string>> = {
  "payment-intents": "main",
  windows: "windows",
  "sandbox-rail": "rail",
};

/** Tests give tables of a function names of their own: `main-<uuid>`. */
const nameOf = (table: string): string => /^\w+/.exec(table)?.[0] ?? table;

/**
 * The permissions that IAM would check for a function's call: one for each write of a transaction, one for all keys of
 * a batch of reads, two for a copy (its read and its write).
 */
export function askedOf({ store, command, targets, attributes = [] }: Named): Call[] {
  if (store === "SQS") {
    const on = targets.some((target) => target.startsWith("webhooks")) ? "webhooks" : "queue";
    return [{ action: actionOf(command), on }];
  }
  if (store === "S3") return targets.flatMap((target) => objectCalls(command, target));
  const named = targets.map((target) => {
    const [, table = "", index, key = "", write] = /^([\w-]+)(?:\.(\w+))? (\S*).*?(?: \((\w+)\))?$/s.exec(target) ?? [];
    return {
      on: [tables[table] ?? nameOf(table), ...(index === undefined ? [] : ["index", index])].join("/"),
      key,
      write,
    };
  });
  if (command === "TransactWriteItems")
    return named.map(({ on, key, write = "" }) => ({ action: actionOf(write), on, leadingKeys: [key] }));
  const leadingKeys = named.map(({ key }) => key);
  return named.slice(0, 1).map(({ on }) => ({ action: actionOf(command), on, leadingKeys, attributes }));
}

/** The IAM action behind a command of a service, where it has another name than the command. */
const actions: Readonly<Record<string, string>> = {
  Put: "dynamodb:PutItem",
  Update: "dynamodb:UpdateItem",
  Delete: "dynamodb:DeleteItem",
  ConditionCheck: "dynamodb:ConditionCheckItem",
  GetItem: "dynamodb:GetItem",
  PutItem: "dynamodb:PutItem",
  UpdateItem: "dynamodb:UpdateItem",
  DeleteItem: "dynamodb:DeleteItem",
  Query: "dynamodb:Query",
  Scan: "dynamodb:Scan",
  BatchGetItem: "dynamodb:BatchGetItem",
  GetObject: "s3:GetObject",
  HeadObject: "s3:GetObject",
  PutObject: "s3:PutObject",
  CreateMultipartUpload: "s3:PutObject",
  UploadPart: "s3:PutObject",
  CompleteMultipartUpload: "s3:PutObject",
  AbortMultipartUpload: "s3:AbortMultipartUpload",
  DeleteObject: "s3:DeleteObject",
  SendMessageBatch: "sqs:SendMessage",
};

/** The action that IAM would check for a command. Throws for a command that no table row names. */
function actionOf(command: string): string {
  const action = actions[command];
  if (action === undefined) throw new Error(`The IAM action of ${command} is not known`);
  return action;
}

/** A copy names its source behind its target, a list its prefix in the place of an object. */
function objectCalls(command: string, target: string): Call[] {
  const [bucket, key = "", source] = target.split(" ");
  const objects = bucket === "history" ? "history" : "documents";
  if (command === "ListObjectsV2") return [{ action: "s3:ListBucket", on: "bucket", prefix: key }];
  if (command !== "CopyObject") return [{ action: actionOf(command), on: `${objects}/${key}` }];
  return [
    { action: "s3:GetObject", on: `documents/${source}` },
    { action: "s3:PutObject", on: `documents/${key}` },
  ];
}
