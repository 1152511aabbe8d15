import { createHash } from "node:crypto";
import { type DynamoDBClient, InternalServerError, TransactionCanceledException } from "@aws-sdk/client-dynamodb";

/** One in so many calls goes wrong once. */
const ONE_IN = 40;

const details = { message: "hostile by default", $metadata: { httpStatusCode: 500 } };

/** The ways in which a call may go wrong. `perform` carries it out; the SDK repeats it after transient errors. */
const troubles = {
  "the loss of its answer": async (perform: () => Promise<unknown>) => {
    await perform();
    throw new InternalServerError(details);
  },
  "an error before it": () => Promise.reject(new InternalServerError(details)),
  "a conflict": () => Promise.reject(cancelledBy("TransactionConflict")),
  throttling: () => Promise.reject(cancelledBy("ThrottlingError")),
};

const cancelledBy = (Code: string) =>
  new TransactionCanceledException({ ...details, $metadata: {}, CancellationReasons: [{ Code }] });

/** The troubles of each command. An update loses no answer: repeated, it would fail its own condition (timers.ts). */
const troublesOf: Readonly<Record<string, readonly (keyof typeof troubles)[]>> = {
  TransactWriteItemsCommand: ["the loss of its answer", "an error before it", "a conflict", "throttling"],
  PutItemCommand: ["the loss of its answer", "an error before it"],
  UpdateItemCommand: ["an error before it"],
  GetItemCommand: ["the loss of its answer", "an error before it"],
  QueryCommand: ["the loss of its answer", "an error before it"],
  BatchGetItemCommand: ["the loss of its answer", "an error before it"],
};

/**
 * For tests: makes some of a client's calls fail as DynamoDB's do under load, the same ones for the same seed (H62).
 * Whatever is built on the store must work as if none had failed.
 */
export function makeHostile(client: DynamoDBClient, seed: string): void {
  let calls = 0;
  const draw = () => createHash("sha256").update(`${seed} ${++calls}`).digest().readUInt32BE();
  client.middlewareStack.add(
    (next, context) => {
      // The SDK's retries of one command share its context: only its first try goes wrong.
      let isFirst = true;
      return async (args) => {
        const possible = troublesOf[String(context.commandName)];
        const drawn = draw();
        const strikes = isFirst && possible !== undefined && drawn % ONE_IN === 0;
        isFirst = false;
        if (!strikes) return next(args);
        const name = possible[Math.floor(drawn / ONE_IN) % possible.length] ?? "an error before it";
        return troubles[name](() => next(args)) as ReturnType<typeof next>;
      };
    },
    { step: "finalizeRequest", priority: "low", name: "hostile" },
  );
}
