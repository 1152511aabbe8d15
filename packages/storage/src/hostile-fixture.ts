import { createHash } from "node:crypto";
import { type DynamoDBClient, InternalServerError, TransactionCanceledException } from "@aws-sdk/client-dynamodb";

/** One call in this many goes wrong once. */
const ONE_IN = 40;

const told = { message: "hostile by default", $metadata: { httpStatusCode: 500 } };

/** What may come of a call. `perform` carries it out; the SDK asks again after every error that it calls transient. */
const troubles = {
  "the loss of its answer": async (perform: () => Promise<unknown>) => {
    await perform();
    throw new InternalServerError(told);
  },
  "an error before it": () => Promise.reject(new InternalServerError(told)),
  "a conflict": () => Promise.reject(cancelledBy("TransactionConflict")),
  throttling: () => Promise.reject(cancelledBy("ThrottlingError")),
};

const cancelledBy = (Code: string) =>
  new TransactionCanceledException({ ...told, $metadata: {}, CancellationReasons: [{ Code }] });

/** A conditional update that is repeated fails its own condition, which costs whoever wrote it a turn; see timers.ts. */
const troublesOf: Readonly<Record<string, readonly (keyof typeof troubles)[]>> = {
  TransactWriteItemsCommand: ["the loss of its answer", "an error before it", "a conflict", "throttling"],
  PutItemCommand: ["the loss of its answer", "an error before it"],
  UpdateItemCommand: ["an error before it"],
  GetItemCommand: ["the loss of its answer", "an error before it"],
  QueryCommand: ["the loss of its answer", "an error before it"],
  BatchGetItemCommand: ["the loss of its answer", "an error before it"],
};

/**
 * For tests: has a client's calls go wrong now and then as DynamoDB's do under load, the same way for the same seed
 * (H62). Nothing that is built on the store may show it.
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
