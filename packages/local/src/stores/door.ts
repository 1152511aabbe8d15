import { once } from "node:events";
import type { IncomingHttpHeaders } from "node:http";
import { connect, createServer, type Socket } from "node:net";
import { pipeline } from "node:stream";
import { freePort, listenHere } from "../free-port.ts";
import { isOwn } from "./secret.ts";

export type Door = Readonly<{ endpoint: string; stop: () => Promise<void> }>;

const HEAD_BYTES_MAX = 16_384;
const HEAD_END = "\r\n\r\n";
const REFUSED = "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

/**
 * A port of this machine in front of a store that asks its callers for nothing. The first request of a connection has to
 * bring the secret of this start. A browser cannot, so that no connection of its own ever reaches the store.
 */
export async function openDoor(store: Readonly<{ host: string; port: number }>, secret: string): Promise<Door> {
  const port = await freePort();
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (caller) => {
    sockets.add(caller.on("close", () => sockets.delete(caller)).on("error", () => caller.destroy()));
    whenHeadIsRead(caller, (head, read) => {
      if (!isOwn(head, port, secret)) return caller.end(REFUSED);
      const engine = connect({ ...store, noDelay: true });
      engine.write(read);
      pipeline(caller, engine, () => engine.destroy());
      return pipeline(engine, caller, () => caller.destroy());
    });
  });
  return {
    endpoint: await listenHere(server, port),
    stop: async () => {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Tells the headers of a connection's first request, with all bytes that were read until then. */
function whenHeadIsRead(caller: Socket, report: (head: IncomingHttpHeaders, read: Buffer) => unknown): void {
  let bytes = Buffer.alloc(0);
  const read = (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    const end = bytes.indexOf(HEAD_END);
    if (end === -1 && bytes.length < HEAD_BYTES_MAX) return;
    caller.off("data", read);
    report(end === -1 ? {} : headersOf(bytes.toString("latin1", 0, end)), bytes);
  };
  caller.on("data", read);
}

/** The headers of a request's head; one that is sent twice is the list of both, and so no value that is asked for. */
function headersOf(head: string): IncomingHttpHeaders {
  const headers: Record<string, string> = {};
  for (const line of head.split("\r\n").slice(1)) {
    const [name = "", ...value] = line.split(":");
    const key = name.toLowerCase();
    const text = value.join(":").trim();
    headers[key] = key in headers ? `${headers[key]}, ${text}` : text;
  }
  return headers;
}
