import { rateRoutes } from "@intents/contract/rates.ts";
import type { Answered } from "./gateway/gateway.ts";
import type { Service } from "./service.ts";

/** The seeded keys. Everybody knows them, so that they exist on this machine only. */
const KEYS = [
  ["demo:demo-secret", "tenant 1001, every permission"],
  ["basic:basic-secret", "tenant 1002, no permissions"],
] as const;

/** The first things that a user needs to know, on one screen. */
export function banner({ url, dataDir, parts }: Service): string {
  const [[key]] = KEYS;
  const { on, example } = rateRoutes.createQuote;
  const [method, path] = on.split(" ");
  return `
  Payment Intent Service   ${url}   open it in a browser

  X-API-Key   ${KEYS.map(([name, what]) => `${name.padEnd(20)}${what}`).join("\n              ")}
  Data        ${dataDir === "memory" ? "in memory: gone when this ends" : dataDir}
  Running     ${parts.join(", ")}
  Operate     packages/operator/bin/operator todo

  Try
    curl -H 'X-API-Key: ${key}' ${url}/v2/users/me
    curl -H 'X-API-Key: ${key}' -H 'Content-Type: application/json' -X ${method} ${url}${path} \\
      -d '${JSON.stringify(example)}'

  Guides and every call: ${url}/docs. Ctrl-C ends it.

`;
}

/** A request in one line, with the id by which its answer, and the log, name it. */
export function answerLine({ method, resource, status, durationMs, requestId }: Answered): string {
  const time = new Date().toTimeString().slice(0, 8);
  return `  ${time}  ${status}  ${durationMs.toFixed(0).padStart(5)} ms  ${method.padEnd(6)} ${resource}  ${requestId}\n`;
}
