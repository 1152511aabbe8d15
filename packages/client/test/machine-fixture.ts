import type { Machine } from "../src/machine.ts";
import type { Answer } from "../src/retries.ts";

/** A sent request. */
export type Sent = Readonly<{ url: string; method: string; headers: Headers; body: unknown; redirect: unknown }>;

/** An answer, no answer, or an answer that depends on the request. */
export type Reply = Response | Error | ((sent: Sent, signal: AbortSignal) => Promise<Response>);

/** A machine whose clock only sleeping moves. Its service gives the replies in order, and repeats the last for ever. */
export function openMachine(replies: readonly (() => Reply)[], random = () => 0.5) {
  const sent: Sent[] = [];
  const slept: number[] = [];
  let nowMs = 0;
  let keys = 0;
  const machine: Machine = {
    fetch: async (url, { method = "GET", headers, body, redirect, signal } = {}) => {
      const request = { url: String(url), method, headers: new Headers(headers), body, redirect };
      const reply = replies[Math.min(sent.length, replies.length - 1)]?.();
      sent.push(request);
      if (reply instanceof Error) throw reply;
      if (typeof reply === "function") return reply(request, signal ?? new AbortController().signal);
      if (reply === undefined) throw new Error("nothing is answered");
      return reply;
    },
    now: () => nowMs,
    random,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      slept.push(ms);
      nowMs += ms;
    },
    newKey: () => `made-${++keys}`,
  };
  return { machine, sent, slept };
}

/** An answer of the service as a response. */
export const answered =
  ({ status, code, retryAfterSeconds }: Answer, body: object = {}): (() => Response) =>
  () =>
    Response.json(
      { ...(code !== undefined && { code }), ...body },
      {
        status,
        headers: {
          "X-Request-Id": "r1",
          ...(retryAfterSeconds !== undefined && { "Retry-After": String(retryAfterSeconds) }),
        },
      },
    );

export const ok = (data: object, beside: object = {}): (() => Response) =>
  answered({ status: 200 }, { data, ...beside });
