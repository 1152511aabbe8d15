import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

/** A request, and the only status that counts as its answer. */
export type Asked = Readonly<{ method: "GET" | "POST"; body?: string; status: number }>;

const CONNECTIONS = 8;
/** Answers count after this time: before its first whole second, a rate limiter cannot foresee a key's requests. */
const WARM_UP_MS = 2_200;
const MEASURED_MS = 2_000;
const HEAD_END = "\r\n\r\n";

/**
 * Answers per second over 8 connections, each of which repeats the request as soon as it is answered, by these keys in
 * turn. It uses bare sockets: load tools take up to half a core, which a small machine then lacks for the service.
 */
export async function throughputOf(address: string, asked: Asked, keys: readonly string[]): Promise<number> {
  const url = new URL(address);
  const requests = keys.map((key) => toText(url, asked, key));
  let [turn, answered, isOver] = [0, 0, false];
  const repeat = async () => {
    for await (const _ of answersOf(url, asked, () => requests[turn++ % requests.length] ?? "")) {
      answered += 1;
      if (isOver) return;
    }
    throw new Error(`${address} closed the connection`);
  };
  const connections = Promise.all(Array.from({ length: CONNECTIONS }, repeat));
  await Promise.race([pause(WARM_UP_MS), connections]);
  const [before, startMs] = [answered, performance.now()];
  await Promise.race([pause(MEASURED_MS), connections]);
  const perSecond = ((answered - before) / (performance.now() - startMs)) * 1_000;
  isOver = true;
  await connections;
  return perSecond;
}

function toText({ host, pathname }: URL, { method, body = "" }: Asked, key: string): string {
  const content = body === "" ? [] : ["Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`];
  const head = [`${method} ${pathname} HTTP/1.1`, `Host: ${host}`, `X-API-Key: ${key}`, ...content];
  return head.join("\r\n") + HEAD_END + body;
}

/** Sends request after request over one connection, and yields once for each answer. Throws for any other answer. */
async function* answersOf({ hostname, port }: URL, { status }: Asked, next: () => string): AsyncGenerator<void> {
  const socket = connect(Number(port), hostname).setNoDelay().setEncoding("latin1");
  socket.write(next());
  let received = "";
  for await (const text of socket) {
    received += text;
    const headEnd = received.indexOf(HEAD_END);
    if (headEnd === -1) continue;
    const bodyBytes = Number(/^content-length: (\d+)/im.exec(received)?.[1]);
    if (!received.startsWith(`HTTP/1.1 ${status} `) || Number.isNaN(bodyBytes)) throw new Error(received);
    if (received.length < headEnd + HEAD_END.length + bodyBytes) continue;
    received = "";
    yield;
    socket.write(next());
  }
}
