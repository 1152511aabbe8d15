import {
  answerSignatureOf,
  parseJson,
  readText,
  SIGNATURE_HEADER,
  signatureOf,
  TIMESTAMP_HEADER,
} from "../http/contract.ts";

/** At most five requests a second. */
const PAUSE_MS = 200;
const TIMEOUT_MS = 20_000;

/** The check cannot go on: the rail does not answer, or refuses requests that are signed as they must be. */
export class CheckStopped extends Error {}

export type Means = Readonly<{
  /** Where the contract is served, without a slash at the end. */
  url: string;
  secret: string;
  now: () => number;
  pause: (ms: number) => Promise<unknown>;
}>;

export type RailReply = Readonly<{ status: number; body: string; isSigned: boolean }>;

type Request = Readonly<{
  method: "GET" | "PUT" | "POST" | "DELETE";
  path: readonly string[];
  query?: Readonly<Record<string, string>>;
  body?: object;
  /** How a request is signed wrongly on purpose. */
  wrong?: "secret" | "time";
}>;

export type Ask = (request: Request) => Promise<RailReply>;

/** Asks a rail by signed requests, five a second at most; stops at the first that it does not let in. */
export function openAsking({ url, secret, now, pause }: Means): Ask {
  return async ({ method, path, query, body: content, wrong }) => {
    await pause(PAUSE_MS);
    const address = new URL([url, ...path.map(encodeURIComponent)].join("/"));
    address.search = new URLSearchParams(query).toString();
    const body = content === undefined ? "" : JSON.stringify(content);
    const timestamp = String(now() - (wrong === "time" ? 6 * 60_000 : 0));
    const signed = { timestamp, method, path: address.pathname + address.search, body };
    const signature = signatureOf(signed, wrong === "secret" ? `not ${secret}` : secret);
    const headers = {
      "content-type": "application/json",
      [TIMESTAMP_HEADER]: timestamp,
      [SIGNATURE_HEADER]: signature,
    };
    const response = await fetch(address, {
      method,
      headers,
      redirect: "manual" as const,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body !== "" && { body }),
    }).catch((error: Error) => {
      throw new CheckStopped(
        `The rail does not answer: ${(error.cause as Error | undefined)?.message ?? error.message}`,
      );
    });
    const { status } = response;
    const text = (await readText(response)) ?? "";
    if (status === 401 && wrong === undefined)
      throw new CheckStopped(
        "The rail answers 401 to a request that is signed by RAIL_SECRET: is it the rail's secret?",
      );
    const given = response.headers.get(SIGNATURE_HEADER);
    return { status, body: text, isSigned: given === answerSignatureOf({ signature, status, body: text }, secret) };
  };
}

/** The answer that a 200 holds, or what is wrong with it. */
export const answerIn = <Reply>(
  { status, body }: RailReply,
  shape: Parameters<typeof parseJson<Reply>>[0],
): Reply | string =>
  status !== 200
    ? `answered ${status} instead of 200: ${body.slice(0, 200)}`
    : (parseJson(shape, body) ?? `an answer that breaks the schema: ${body.slice(0, 200)}`);
