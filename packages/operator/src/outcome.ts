import { RailUnavailable } from "@intents/execution/rails/ask.ts";
import { StoreBusy } from "@intents/storage/table/transact.ts";
import { CommanderError } from "commander";
import { exitCodes, Refusal } from "./refusal.ts";

/** How a command ended that threw: its exit code, and the line that its user has not been told yet. */
export type Outcome = Readonly<{ code: number; line?: string }>;

/** The codes of Node.js for a service that is not there, or whose name or way to it is not. */
const unreachable: readonly unknown[] = [
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ETIMEDOUT",
  "EHOSTUNREACH",
];

/** How a command ended. Throws an error that only a bug explains. */
export function outcomeOf(error: unknown): Outcome {
  // Commander has printed the mistake in the command line; help and version are no mistakes.
  if (error instanceof CommanderError) return { code: error.exitCode === 0 ? 0 : exitCodes.usage };
  if (error instanceof Refusal)
    return { code: exitCodes[error.kind], ...(error.message !== "" && { line: error.message }) };
  if (!(error instanceof Error)) throw error;
  if (error instanceof RailUnavailable || error instanceof StoreBusy) return cut(error.message);
  // The local service was killed, so that it could not remove the file that tells where it is.
  if ("code" in error && unreachable.includes(error.code)) return cut(`The service does not answer: ${error.message}`);
  if (/^Region (is missing|not accepted)/.test(error.message))
    return cut("No region is named: set AWS_REGION, or use a profile that has one (AWS_PROFILE)");
  // These are the AWS SDK's errors: the stage is not deployed, not allowed, not in reach, or there are no credentials.
  if ("$metadata" in error || /^(CredentialsProvider|Timeout)Error$/.test(error.name))
    return cut(`${error.name}: ${error.message}`);
  throw error;
}

const cut = (line: string): Outcome => ({ code: exitCodes.unreachable, line });
