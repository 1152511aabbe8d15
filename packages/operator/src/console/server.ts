import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Refusal } from "../refusal.ts";
import type { Access } from "./access.ts";

const LOCAL_ADDRESS = "127.0.0.1";

/** A page or a file. */
export type Answer = Readonly<{ status: number; headers: Readonly<Record<string, string>>; body: string | Uint8Array }>;

/** Answers a request for what lies at a name in the console's folder. */
export type Respond = (name: string, query: URLSearchParams) => Promise<Answer>;

/** A page without anything of the console in it, for whoever is not let in. */
const plain = (status: number, text: string, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status,
  headers: { "content-type": "text/plain; charset=utf-8", "content-security-policy": "default-src 'none'", ...headers },
  body: `${text}\n`,
});

/** Headers of every answer: nobody else may frame, load or learn anything of it, and nothing of it stays anywhere. */
const everywhere = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
} as const;

/**
 * Serves the console to this machine alone, at `port` or at a free one for 0. Refused is whoever asks under another name
 * than the address (DNS rebinding), from another site, with another method than GET, or without the session's cookie.
 * Nothing is logged.
 */
export async function serveConsole(access: Access, respond: Respond, port: number) {
  const server = createServer((request, response) => {
    const { port: own } = server.address() as AddressInfo;
    const host = `${LOCAL_ADDRESS}:${own}`;
    // An answer that cannot be sent fails one page, and not the console.
    answer({ access, respond, host }, request)
      .then((answered) => send(response, answered))
      .catch(() => send(response, plain(500, "The console failed")));
  });
  server.listen(port, LOCAL_ADDRESS);
  try {
    await once(server, "listening");
  } catch (error) {
    throw new Refusal(`The console cannot listen on port ${port}: ${(error as NodeJS.ErrnoException).code}`);
  }
  const { port: own } = server.address() as AddressInfo;
  return { address: `http://${LOCAL_ADDRESS}:${own}${access.entrance}`, close: () => server.close() };
}

type Means = Readonly<{ access: Access; respond: Respond; host: string }>;

async function answer({ access, respond, host }: Means, request: IncomingMessage): Promise<Answer> {
  const { method, url = "/", headers } = request;
  if (headers.host !== host) return plain(403, "The console is at its own address only");
  if (method !== "GET" && method !== "HEAD") return plain(405, "The console only reads", { allow: "GET, HEAD" });
  if (isForeign(headers, `http://${host}`)) return plain(403, "The console answers its own pages only");
  const { pathname, searchParams } = new URL(url, `http://${host}`);
  const { folder } = access;
  if (!pathname.startsWith(folder)) return notLetIn;
  const name = pathname.slice(folder.length);
  if (name.startsWith("enter/")) {
    // A look ahead at an address, as some chat programs do it, opens nothing and leaves the visit to its owner.
    if (method === "HEAD") return notLetIn;
    const cookie = access.enter(name.slice("enter/".length));
    return cookie === undefined ? notLetIn : plain(303, "", { location: folder, "set-cookie": cookie });
  }
  return access.isInside(request) ? respond(name, searchParams) : notLetIn;
}

const notLetIn = plain(403, "The address is good for one visit: start the console again for a new one");

/** Whether a page of another origin asks. Browsers tell, of every request in one of these ways. */
const isForeign = ({ origin, ...headers }: IncomingMessage["headers"], own: string): boolean =>
  (origin !== undefined && origin !== own) || /^(cross|same)-site$/.test(String(headers["sec-fetch-site"] ?? ""));

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, { ...everywhere, ...headers, "content-length": Buffer.byteLength(body) });
  response.end(body);
}
