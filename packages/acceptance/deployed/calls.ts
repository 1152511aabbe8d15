import { appendFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import https from "node:https";

/** The file in which the functions of the emulator tell their calls, in the emulator's environment; none if they need not. */
export const CALLS_FILE = "CALLS_FILE";

/** A request of a function to a store: of S3 without its body. */
export type Told = Readonly<{
  /** The function's name in AWS. */
  by: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** The names of the stores, as the function's environment gives them. */
  environment: Readonly<Record<string, string | undefined>>;
}>;

const { env } = process;
const { TABLE_NAME, WINDOW_TABLE_NAME, RAIL_TABLE_NAME, WEBHOOK_QUEUE_URLS } = env;
const environment = { TABLE_NAME, WINDOW_TABLE_NAME, RAIL_TABLE_NAME, WEBHOOK_QUEUE_URLS };

/** Functions of the emulator load this file first. */
function tellCalls(file: string, by: string): void {
  const { request: send } = https;
  https.request = ((...args: Parameters<typeof send>) => {
    const request = send(...args);
    const end = request.end.bind(request) as (...given: unknown[]) => typeof request;
    request.end = ((...given: unknown[]) => {
      const { "x-amz-target": target, "x-amz-copy-source": source, authorization } = request.getHeaders();
      const headers = { "x-amz-target": target, "x-amz-copy-source": source } as IncomingHttpHeaders;
      const body = target === undefined ? "" : String(given[0] ?? "");
      const told: Told = { by, path: request.path, headers, body, environment };
      // AWS's SDK signs what it sends. Nothing else is for a store.
      if (String(authorization).startsWith("AWS4-")) appendFileSync(file, `${JSON.stringify(told)}\n`);
      return end(...given);
    }) as typeof request.end;
    return request;
  }) as typeof send;
}

const [file, by] = [env[CALLS_FILE], env["AWS_LAMBDA_FUNCTION_NAME"]];
if (file !== undefined && by !== undefined) tellCalls(file, by);
