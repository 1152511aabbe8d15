import { ThrottlingException, TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import type { ExecuteAnswer, FundAnswer, StatusAnswer } from "@intents/domain/rails/rail.ts";
import { type Faults, InjectedFault } from "./scheduler.ts";

const details = { message: "simulated", $metadata: {} };
const lost = () => Promise.reject(new InjectedFault("the connection was reset"));

const conflict = () => {
  const CancellationReasons = [{ Code: "TransactionConflict" }];
  return Promise.reject(new TransactionCanceledException({ ...details, CancellationReasons }));
};

/** The ways in which a store fails. */
export const storeFaults = <Value>(command: string | undefined): Faults<Value> => ({
  "an error before it": lost,
  "the loss of its answer": (perform) => perform().then(lost, lost),
  throttling: () => Promise.reject(new ThrottlingException(details)),
  // The SDK repeats a request whose answer was lost, with the same request token.
  "the SDK's retry": (perform) => perform().then(perform, perform),
  ...(command === "TransactWriteItemsCommand" && { "a conflict": conflict }),
});

/** The ways in which a rail fails: its answers are values, and a throw would be a bug. */
export const executeFaults: Faults<ExecuteAnswer> = {
  "an unreachable rail": async () => ({ kind: "unreachable", reason: "simulated" }),
  "the loss of the rail's answer": async (perform) => {
    await perform();
    return { kind: "unknown", reason: "simulated" };
  },
  "a rail that never got it and may have": async () => ({ kind: "unknown", reason: "simulated" }),
};

export const statusFaults: Faults<StatusAnswer> = {
  "an unavailable rail": async () => ({ kind: "unavailable", reason: "simulated" }),
};

/** A rail that answers about many may fail wholly, or leave some of them out, or not know some for once. */
export const statusesFaults = (asked: readonly unknown[]): Faults<readonly StatusAnswer[]> => {
  const unavailable = { kind: "unavailable", reason: "simulated" } as const;
  return {
    "an unavailable rail": async () => asked.map(() => unavailable),
    "an answer with gaps": async (perform) =>
      (await perform()).map((answer, index) => (index % 2 === 0 ? unavailable : answer)),
    "an answer that knows nobody": async () => asked.map(() => ({ kind: "not_found" }) as const),
  };
};

export const fundFaults: Faults<FundAnswer> = {
  "an unreachable rail": async () => ({ kind: "unreachable", reason: "simulated" }),
  "the loss of the rail's answer": async (perform) => {
    await perform();
    return { kind: "unknown", reason: "simulated" };
  },
};

/** Whether an error is one of the simulation's, or was made from one. */
export function isInjected(error: unknown): boolean {
  if (error instanceof InjectedFault || error instanceof ThrottlingException) return true;
  return error instanceof Error && error.cause !== undefined && isInjected(error.cause);
}
