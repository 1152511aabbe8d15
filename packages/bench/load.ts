import { once } from "node:events";
import { Agent, request as openRequest } from "node:http";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

/** The same request again and again, and the only status that counts as an answer. */
export type Load = Readonly<{ url: string; method: "GET" | "POST"; path: string; body?: string; status: number }>;

const CONNECTIONS = 8;
/** Answers are counted after this time: before its first whole second a rate limiter cannot tell how often it will be asked. */
const WARM_UP_MS = 2_200;
const MEASURED_MS = 2_000;
const LINE_END = "\r\n";

/**
 * Answers per second over 8 connections, each of which asks again as soon as it is answered, by its keys in turn. It uses bare sockets,
 * because load tools take up to half a core, which a small machine then lacks for the service.
 */
export async function throughputOf(load: Load, keys: readonly [string, ...string[]]): Promise<number> {
  let answered = 0;
  const requests = keys.map((key) => toBytes(load, key));
  const connections = Array.from({ length: CONNECTIONS }, (_, index) => {
    let turn = index;
    const next = () => {
      turn += CONNECTIONS;
      return requests[turn % requests.length] ?? Buffer.alloc(0);
    };
    return askAgain(new URL(load.url), next, load.status, () => {
      answered += 1;
    });
  });
  const failed = Promise.race(connections.map(({ failure }) => failure));
  await Promise.race([pause(WARM_UP_MS), failed]);
  const before = answered;
  const startMs = performance.now();
  await Promise.race([pause(MEASURED_MS), failed]);
  const perSecond = ((answered - before) / (performance.now() - startMs)) * 1_000;
  for (const { stop } of connections) stop();
  return perSecond;
}

function toBytes({ url, method, path, body = "" }: Load, key: string): Buffer {
  const headers = {
    Host: new URL(url).host,
    "X-API-Key": key,
    ...(body !== "" && { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) }),
  };
  const lines = [`${method} ${path} HTTP/1.1`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  return Buffer.from(lines.join(LINE_END) + LINE_END + LINE_END + body);
}

function askAgain({ hostname, port }: URL, next: () => Buffer, status: number, onAnswer: () => void) {
  const socket = connect(Number(port), hostname).setNoDelay();
  let received: Buffer = Buffer.alloc(0);
  let stopped = false;
  const failure = new Promise<never>((_, reject) => {
    const fail = (problem: string) => {
      socket.destroy();
      if (!stopped) reject(new Error(problem));
    };
    socket.on("error", (error) => fail(String(error)));
    socket.on("close", () => fail("The connection was closed"));
    socket.on("data", (chunk) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const headEnd = received.indexOf(LINE_END + LINE_END);
      if (headEnd === -1) return;
      const head = received.toString("latin1", 0, headEnd);
      const bodyBytes = Number(/^content-length: (\d+)/im.exec(head)?.[1]);
      if (!head.startsWith(`HTTP/1.1 ${status} `) || Number.isNaN(bodyBytes)) fail(received.toString());
      if (received.length < headEnd + 4 + bodyBytes) return;
      received = Buffer.alloc(0);
      onAnswer();
      if (!stopped) socket.write(next());
    });
  });
  failure.catch(() => undefined);
  socket.write(next());
  const stop = () => {
    stopped = true;
    socket.end();
  };
  return { failure, stop };
}

/**
 * The status of an answer, and the end of the rate window in which its request was counted, in seconds since 1970. For
 * an uncounted request it is the end of the second in which the answer arrived.
 */
export type Counted = Readonly<{ status: number | undefined; resetS: number }>;

const PACE_MS = 5;

/** Sends `perSecond` requests a second, however long the answers take. */
export async function askSteadily(url: string, key: string, perSecond: number, seconds: number): Promise<Counted[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const answers: Promise<Counted>[] = [];
  const startMs = performance.now();
  while (answers.length < perSecond * seconds) {
    const due = Math.min(perSecond * seconds, ((performance.now() - startMs) / 1_000) * perSecond);
    while (answers.length < due) answers.push(askOnce(url, key, agent));
    await pause(PACE_MS);
  }
  const counted = await Promise.all(answers);
  agent.destroy();
  return counted;
}

async function askOnce(url: string, key: string, agent: Agent): Promise<Counted> {
  const request = openRequest(url, { agent, headers: { "X-API-Key": key } }).end();
  const [response] = await once(request, "response");
  const { statusCode: status, headers } = response;
  response.resume();
  return { status, resetS: Number(headers["x-ratelimit-reset"] ?? Math.ceil(Date.now() / 1_000)) };
}
