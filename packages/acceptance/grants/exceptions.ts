/** A test that goes the way for which a grant is, with the same code in its own process: a file, and words of its name. */
type Shown = readonly [file: string, words: string];

/** Grants that no call of the whole suite uses under its function's role, and why the functions keep them. */
export type Exception = Readonly<{
  why: string;
  shownBy?: Shown;
  /** The names of functions, or all, each with the grants. */
  of: Readonly<Record<string, readonly string[]>>;
}>;

const released: Shown = [
  "packages/acceptance/crash/payer-sessions.whole.test.ts",
  "leaves the payment cancelled and the link free",
];
const spread: Shown = ["packages/execution/src/asking/tick.test.ts", "the numbers of shards only grow"];
/** Each group is a row of docs/grants.md. */
export const exceptions: readonly Exception[] = [
  {
    why: "AWS alone calls it, in the name of the function: logs, traces, the queues and the stream that invoke it",
    of: {
      "*": ["createLogStream log", "putLogEvents log", "putTraceSegments all", "putTelemetryRecords all"],
      "advance-intent": queue("queue").concat(queue("lane")),
      "deliver-webhooks": queue("webhooks"),
      "copy-history": ["describeStream", "getRecords", "getShardIterator", "listStreams"].map(
        (does) => `${does} stream`,
      ),
    },
  },
  {
    why: "S3 asks for it when somebody follows a link that the function has signed",
    shownBy: ["packages/storage/src/files/exports.test.ts", "that is asked for again is the same object"],
    of: { commissions: ["get documents/exports/*"] },
  },
  {
    why: "production alone has it: the rail's secret",
    shownBy: ["packages/rails/src/http/secrets.test.ts", "are its current version and the one before"],
    of: same(["advance-intent", "daily", "payment-intents", "payment-links"], ["getSecretValue secret"]),
  },
  {
    why: "production alone has it: a lane of questions for each rail",
    shownBy: ["packages/execution/src/asking/schedule.test.ts", "takes what the rail is asked"],
    of: same(["advance-intent", "dispatch-due", "sandbox-testing"], ["sendMessage lane"]),
  },
  {
    why: "production alone has it: copies of the history",
    shownBy: ["functions/copy-history.test.ts", "is copied as it stands"],
    of: { "copy-history": ["put history/T#*#LEDGER#*", "put history/T#*#READ#*"] },
  },
  {
    why: "the way back of a submit that the rail refused after its worker died: the claim is released",
    shownBy: released,
    of: {
      "advance-intent": [...["delete T#*#REISSUE#*", "delete documents/payers/kept/*"], "read T#*#LINKDOCUMENT#*"],
      "payment-intents": [
        ...["delete T#*#REISSUE#*", "delete documents/payers/kept/*"],
        ...["read T#*#LINKDOCUMENT#*", "update T#*#LINKDOCUMENT#*"],
      ],
      "payment-links": ["delete T#*#KEY#*", "delete T#*#REISSUE#*", "update T#*#KEY#*"],
    },
  },
  {
    why: "what a rail says late or against its own word opens a record, and a payment may end while it is asked about",
    shownBy: ["packages/execution/src/settle/commissions.test.ts", "earns its commission once"],
    of: {
      "payment-intents": [
        ...["put T#*#COMMISSION#*", "put T#*#COMMISSION_CORRECTION", "put T#*#RECONCILIATION", "put T#*#REVIEW"],
        "query byOwner T#*#OUTSTANDING",
      ],
      "payment-links": [
        ...["put T#*#COMMISSION_CORRECTION", "put T#*#RECONCILIATION", "put T#*#REVIEW", "read T#*#RECONCILIATION"],
      ],
    },
  },
  {
    why: "the payment ids of a batch whose worker died before all were taken",
    shownBy: ["packages/acceptance/crash/batches.test.ts", "ends with one payment per leg"],
    of: { "advance-intent": ["put PAYMENT#*"] },
  },
  {
    why: "a timer in a partition that no tick covered yet: whoever writes the first one says so",
    shownBy: spread,
    of: same(["advance-intent", "commissions", "payment-links", "sandbox-testing"], ["update SETTING#SPREAD"]),
  },
  {
    why: "the hourly check of webhooks that nobody looks after",
    shownBy: ["packages/operator/src/tasks.test.ts", "one with unsent events, are told"],
    of: {
      "dispatch-due": [
        "query byDue T#*#DELIVERY#*#WAITING",
        ...["read T#*#DELIVERY#*", "read T#*#EVENT#*", "read T#*#WEBHOOK"],
      ],
    },
  },
  {
    why: "an export of many months that cannot be read to its end is given up",
    shownBy: ["packages/storage/src/files/exports.test.ts", "whose rows cannot all be read is not stored"],
    of: { commissions: ["abortMultipartUpload documents/exporting/*"] },
  },
  {
    why: "books and rails that do not agree, unless a record tells why",
    shownBy: ["packages/execution/src/rails/match.test.ts", "until a record tells of it"],
    of: { daily: ["read T#*#RECONCILIATION"] },
  },
];

function queue(name: string): readonly string[] {
  return ["receiveMessage", "deleteMessage", "getQueueAttributes"].map((does) => `${does} ${name}`);
}

function same(functions: readonly string[], grants: readonly string[]): Exception["of"] {
  return Object.fromEntries(functions.map((name) => [name, grants]));
}
