import { randomUUID } from "node:crypto";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Context } from "aws-lambda";

type Handler = (event: unknown, context: Context) => unknown;

export type Functions = Readonly<{
  /**
   * Runs one function as Lambda does. Rejects with what the function threw, with FunctionTimeout, or because there is
   * no such function.
   */
  invoke: (name: string, event: unknown) => Promise<unknown>;
}>;

/** The function did not answer in time. Here it cannot be stopped, so that it may still run on. */
export class FunctionTimeout extends Error {}

export const REGION = "us-east-1";
export const ACCOUNT = "000000000000";

/** The time that functions are told they have; and the wait for their answer, which is API Gateway's own limit. */
const RUN_MS = 28_000;
const ANSWER_MS = 29_000;
const MEMORY_MB = "512";

/** The bundled functions under `dist`, each loaded when it is first called. */
export function openFunctions(dist: string, answerMs = ANSWER_MS): Functions {
  const load = createRequire(join(dist, "index.cjs"));
  const handlers = new Map<string, Handler>();

  const handlerOf = (name: string): Handler => {
    const known = handlers.get(name);
    if (known !== undefined) return known;
    const file = join(dist, name, "index.cjs");
    // A bundle that was loaded before is bound to the stores of then.
    delete load.cache[file];
    const { handler } = load(file) as { handler?: unknown };
    if (typeof handler !== "function") throw new Error(`The function ${name} exports no handler`);
    handlers.set(name, handler as Handler);
    return handler as Handler;
  };

  return {
    invoke: (name, event) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new FunctionTimeout(`${name} took over ${answerMs} ms`)), answerMs);
        const settled = <Settle extends (value: unknown) => void>(settle: Settle) => {
          return (value: unknown) => {
            clearTimeout(timer);
            settle(value);
          };
        };
        Promise.resolve()
          .then(() => handlerOf(name)(event, contextOf(name)))
          .then(settled(resolve), settled(reject));
      }),
  };
}

function contextOf(name: string): Context {
  const untilMs = Date.now() + RUN_MS;
  return {
    functionName: name,
    functionVersion: "$LATEST",
    invokedFunctionArn: `arn:aws:lambda:${REGION}:${ACCOUNT}:function:${name}`,
    memoryLimitInMB: MEMORY_MB,
    awsRequestId: randomUUID(),
    logGroupName: `/aws/lambda/${name}`,
    logStreamName: "local",
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => Math.max(0, untilMs - Date.now()),
    // The type still asks for these members of the callback style, which this runtime no longer has.
    done: nothing,
    fail: nothing,
    succeed: nothing,
  };
}

const nothing = (): void => undefined;
