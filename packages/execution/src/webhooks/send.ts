import { lookup as systemLookup } from "node:dns";
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { type Egress, mayConnect, urlProblem } from "./egress.ts";

/** A receiver has so long to answer. */
export const ANSWER_MS_MAX = 15_000;
/** The read part of an answer, and the kept part. */
const READ_BYTES_MAX = 65_536;
const KEPT_BYTES = 1_024;

/** The outcome of an attempt: the receiver's status, or the reason why there was none. */
export type Answer =
  | Readonly<{ status: number; body: string; retryAfterMs: number }>
  | Readonly<{ status?: undefined; problem: string }>;

/** One signed request. */
export type Outgoing = Readonly<{ url: string; headers: Readonly<Record<string, string>>; body: string }>;
export type Send = (request: Outgoing) => Promise<Answer>;

/** The name of an address that may not be called. */
const FORBIDDEN = "ADDRESS_NOT_ALLOWED";

/**
 * Sends requests to receivers of tenants alone. It judges each address when it connects, so that a name gains nothing
 * by resolving differently the second time. Redirects are not followed.
 */
export function openSender(egress: Egress, lookup: typeof systemLookup = systemLookup): Send {
  const judged: LookupFunction = (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, []);
      const isAllowed = addresses.length > 0 && addresses.every(({ address }) => mayConnect(hostname, address, egress));
      if (!isAllowed) return callback(Object.assign(new Error(FORBIDDEN), { code: FORBIDDEN }), []);
      const [{ address, family } = { address: "", family: 0 }] = addresses;
      return options.all === true ? callback(null, addresses) : callback(null, address, family);
    });
  };
  const agents = {
    "http:": { ask: httpRequest, agent: new HttpAgent({ keepAlive: true, lookup: judged } as object) },
    "https:": { ask: httpsRequest, agent: new HttpsAgent({ keepAlive: true, lookup: judged } as object) },
  };
  return async ({ url, headers, body }) => {
    // Rules may have changed since the endpoint was made.
    if (urlProblem(url, egress) !== undefined) return { problem: FORBIDDEN };
    const { protocol, hostname } = new URL(url);
    const literal = hostname.replace(/^\[|\]$/g, "");
    if (isIP(literal) !== 0 && !mayConnect(hostname, literal, egress)) return { problem: FORBIDDEN };
    const { ask, agent } = agents[protocol as keyof typeof agents];
    const signal = AbortSignal.timeout(ANSWER_MS_MAX);
    return new Promise<Answer>((resolve) => {
      const failed = (error: Error & { code?: string }) =>
        resolve({ problem: signal.aborted ? "TIMEOUT" : (error.code ?? error.name) });
      const request = ask(url, { method: "POST", agent, headers, signal, lookup: judged } as object, (answer) => {
        readAnswer(answer).then(resolve, failed);
      });
      request.on("error", failed).end(body);
    });
  };
}

async function readAnswer(answer: IncomingMessage): Promise<Answer> {
  const { statusCode: status = 0, headers } = answer;
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of answer) {
    parts.push(part as Buffer);
    bytes += (part as Buffer).length;
    if (bytes > READ_BYTES_MAX) answer.destroy();
    if (bytes > READ_BYTES_MAX) break;
  }
  // A stream of text may end within a character, which is left out then.
  const body = new TextDecoder().decode(Buffer.concat(parts).subarray(0, KEPT_BYTES), { stream: true });
  return { status, body, retryAfterMs: retryAfterIn(headers["retry-after"]) };
}

/** The pause that a receiver asks for, in seconds or as a date. */
function retryAfterIn(value: string | undefined): number {
  if (value === undefined) return 0;
  const ms = /^\d{1,9}$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : 0;
}
