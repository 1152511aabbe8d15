/** A worker that goes through many things, and the test in which one of them fails for good and all others are dealt with. */
export type Worker = Readonly<{
  /** The things that it goes through. */
  worker: string;
  file: string;
  /** The function that drives it without a request, and by which message or job, if there are several. */
  drivenBy?: string;
  /** The name of that test. */
  test: string;
  /** The file of that test, if it is not the one named after `file`. */
  testFile?: string;
}>;

/** Every worker that goes through many things (H24). Each tells what has failed. */
export const workers: readonly Worker[] = [
  {
    worker: "the rails and shards of a tick",
    file: "packages/execution/src/polling/tick.ts",
    drivenBy: "dispatch-due",
    test: "a rail whose lane fails for good delays no other, and no timer",
  },
  {
    worker: "the cursors that the hourly check mends",
    file: "packages/execution/src/unattended/index-check.ts",
    test: "a cursor that fails to be moved for good keeps no other where it is, and is named",
  },
  {
    worker: "the timers of a shard",
    file: "packages/execution/src/polling/dispatch.ts",
    drivenBy: "advance-intent shard",
    test: "with a timer that fails to be leased for good sends all others, and names it",
  },
  {
    worker: "the watches of a sweep",
    file: "packages/execution/src/polling/sweep.ts",
    drivenBy: "advance-intent sweep",
    test: "a sweep with a watch that cannot be read asks about all others, and names it",
  },
  {
    worker: "the payments of a question",
    file: "packages/execution/src/polling/question.ts",
    drivenBy: "advance-intent question",
    test: "that stumbles over one payment for good tells the ends of all others, and that one is named",
    testFile: "packages/execution/src/polling/stumbling.test.ts",
  },
  {
    worker: "the recipients of a batch",
    file: "packages/execution/src/batches/advance.ts",
    test: "after an outage of %i ms, each healthy end in a batch is known within %i intervals, and the two recipients that fail for good are named",
    testFile: "packages/execution/src/batches/trouble.whole.test.ts",
  },
  {
    worker: "the events that an endpoint is sent",
    file: "packages/execution/src/webhooks/round.ts",
    test: "an event whose delivery cannot be kept delays no other, and is named",
    testFile: "packages/execution/src/webhooks/deliver.test.ts",
  },
  {
    worker: "the endpoints of a tenant",
    file: "packages/execution/src/webhooks/tenant.ts",
    drivenBy: "deliver-webhooks",
    test: "an endpoint that cannot be dealt with delays no other of its tenant, and is named",
    testFile: "packages/execution/src/webhooks/deliver.test.ts",
  },
  {
    worker: "the commissions of a request",
    file: "packages/execution/src/commissions/requests.ts",
    test: "a decision about a request that has lost one commission for good reaches all others, and the request names it (%s, %j)",
    testFile: "packages/execution/src/commissions/lost-commission.test.ts",
  },
  {
    worker: "the messages of a delivery",
    file: "functions/advance-intent.ts",
    test: "a message of a kind that only another version knows comes back, as one that cannot be read",
  },
  {
    worker: "the jobs of a day",
    file: "packages/execution/src/daily.ts",
    test: "a job that fails is logged and keeps none of the others from being done, but fails the day",
  },
  {
    worker: "the kept copies of payers' uploads",
    file: "packages/execution/src/documents/upload-sweep.ts",
    drivenBy: "daily sweep-uploads",
    test: "with a copy that fails to be deleted for good deletes all others, and names it",
  },
  {
    worker: "the documents whose time is over",
    file: "packages/execution/src/documents/retention.ts",
    drivenBy: "daily sweep-documents",
    test: "a document that fails to be deleted for good keeps no other, and is named",
  },
  {
    worker: "the payments that nobody looks after",
    file: "packages/execution/src/unattended/daily-check.ts",
    drivenBy: "daily find-unattended",
    test: "a payment whose timer cannot be restored delays no other, and is named",
  },
  {
    worker: "the payments that are compared with their rails",
    file: "packages/execution/src/rails/match.ts",
    drivenBy: "daily match-ledger",
    test: "a payment that fails to be compared for good delays no other, and is named",
  },
  {
    worker: "the rails that tell what they hold",
    file: "packages/execution/src/rails/match.ts",
    test: "cannot be compared while a rail does not tell what it holds, and those of another rail can",
  },
  {
    worker: "the entries of the history that are copied",
    file: "functions/copy-history.ts",
    drivenBy: "copy-history",
    test: "an entry whose copy fails for good delays no other, and is named",
  },
  {
    worker: "the payments of a person who is erased",
    file: "packages/execution/src/subjects/erase.ts",
    test: "a payment that fails to be erased for good keeps no other, and is named",
  },
  {
    worker: "the documents of a person that are exported",
    file: "packages/execution/src/subjects/export.ts",
    test: "a document that fails to be read for good keeps nothing else out of an export, and is named",
    testFile: "packages/execution/src/subjects/erase.test.ts",
  },
];

/** Files with a loop of that kind, or messages, that are no such worker, and why. */
export const others: Readonly<Record<string, string>> = {
  "advance-intent alone": "one payment, by which its rail fails for good: that is told by todo and by an alarm",
  "advance-intent timer": "one record: batches and requests, which have many parts, stand by their files",
  "functions/deliver-webhooks.ts": "messages that are hints, each dealt with by itself and repeated by the next tick",
  "functions/commissions.ts": "one answer to one caller, which is whole or refused",
  "packages/execution/src/documents/payer-uploads.ts": "the documents of one claim, which has all of them or fails",
  "packages/execution/src/drafts/create.ts": "the documents of one draft, which has all of them or fails",
  "packages/execution/src/operations/batch.ts": "an operator's change of one batch, which is repeated as a whole",
  "packages/execution/src/rails/ask.ts": "the rails that tell what they hold: the match has their row",
  "packages/execution/src/search/describe.ts": "one answer to one operator, which is whole or refused",
  "packages/execution/src/search/find.ts": "one answer to one operator, which is whole or refused",
  "packages/execution/src/subjects/documents.ts": "the documents of one payment: erasure and export have the rows",
  "packages/execution/src/subjects/find.ts": "only reads who is meant: erasure and export have the rows",
  "packages/execution/src/subjects/names.ts": "the copies of names, which erasure goes through",
  "packages/execution/src/webhooks/lag.ts": "only reads how far endpoints are",
  "packages/execution/src/webhooks/send.ts": "the parts of one answer",
  "packages/execution/src/testing/payments.ts": "one answer to one tester, in a sandbox",
};
