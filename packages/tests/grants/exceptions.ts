import type { FunctionGrants, FunctionName } from "@intents/infra/function-grants.ts";

/** A test that goes the way for which a grant is, with the same code in its own process: a file, and words of its name. */
type Shown = readonly [file: string, words: string];

/** Grants that no call of the whole suite uses under its function's role, and why the functions keep them. */
export type Exception = Readonly<{
  why: string;
  shownBy?: Shown;
  of: Readonly<Partial<Record<FunctionName, FunctionGrants>>>;
}>;

const railSecret: FunctionGrants = { railSecret: ["get"] };
const railQuestion: FunctionGrants = { railQuestion: ["send"] };
const spread: FunctionGrants = { spread: ["update"] };

/** Each group is a row of docs/grants.md. */
export const exceptions: readonly Exception[] = [
  {
    why: "AWS alone calls it, in the name of the function: the queues and the stream that invoke it",
    of: {
      "advance-intent": { workMessage: ["receive"], railQuestion: ["receive"] },
      "deliver-webhooks": { webhookMessage: ["receive"] },
      "copy-history": { change: ["follow"] },
    },
  },
  {
    why: "S3 asks for it when somebody follows a link that the function has signed",
    shownBy: ["packages/storage/src/files/exports.test.ts", "that is asked for again is the same object"],
    of: { commissions: { exportFile: ["get"] } },
  },
  {
    why: "production alone has it: the rail's secret",
    shownBy: ["packages/rails/src/http/secrets.test.ts", "are its current version and the one before"],
    of: { "advance-intent": railSecret, daily: railSecret, "payment-intents": railSecret, "payment-links": railSecret },
  },
  {
    why: "production alone has it: a lane of questions for each rail",
    shownBy: ["packages/execution/src/polling/schedule.test.ts", "takes what the rail is asked"],
    of: { "advance-intent": railQuestion, "dispatch-due": railQuestion, "sandbox-testing": railQuestion },
  },
  {
    why: "production alone has it: copies of the history",
    shownBy: ["functions/copy-history.test.ts", "is copied as it stands"],
    of: { "copy-history": { historyCopy: ["put"] } },
  },
  {
    why: "the way back of a submit that the rail refused after its worker died: the claim is released",
    shownBy: ["packages/tests/crash/payer-sessions.whole.test.ts", "leaves the payment cancelled and the link free"],
    of: {
      "advance-intent": { reissue: ["delete"], payerFile: ["delete"], payerDocument: ["get", "update"] },
      "payment-intents": { reissue: ["delete"], payerFile: ["delete"], payerDocument: ["get", "update"] },
      "payment-links": { idempotencyKey: ["delete", "update"], reissue: ["delete"] },
    },
  },
  {
    why: "what a rail says late or against its own word opens a record, and a payment may end while it is asked about",
    shownBy: ["packages/execution/src/settle/commissions.test.ts", "earns its commission once"],
    of: {
      "payment-intents": {
        commission: ["put"],
        commissionCorrection: ["put"],
        reconciliation: ["get", "put"],
        review: ["put"],
        outstanding: ["query"],
      },
      "payment-links": { commissionCorrection: ["put"], reconciliation: ["put", "get"], review: ["check", "put"] },
    },
  },
  {
    why: "the payment ids of a batch whose worker died before all were taken",
    shownBy: ["packages/tests/crash/batches.test.ts", "ends with one payment per leg"],
    of: { "advance-intent": { payment: ["put"] } },
  },
  {
    why: "a timer in a partition that no tick covered yet: whoever writes the first one says so",
    shownBy: ["packages/execution/src/polling/tick.test.ts", "the numbers of shards only grow"],
    of: { "advance-intent": spread, commissions: spread, "payment-links": spread, "sandbox-testing": spread },
  },
  {
    why: "the hourly check of webhooks that nobody looks after",
    shownBy: ["packages/operator/src/tasks.test.ts", "one with unsent events, are told"],
    of: {
      "dispatch-due": {
        waitingDelivery: ["query"],
        delivery: ["get", "query"],
        event: ["query"],
        webhook: ["get", "query"],
      },
    },
  },
  {
    why: "an export of many months that cannot be read to its end is given up",
    shownBy: ["packages/storage/src/files/exports.test.ts", "whose rows cannot all be read is not stored"],
    of: { commissions: { exportPart: ["abort"] } },
  },
];
