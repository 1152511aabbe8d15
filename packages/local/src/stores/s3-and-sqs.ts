import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Server, Socket } from "node:net";
import { type FauxqsServer, startFauxqs } from "fauxqs";
import { ACCOUNT, REGION } from "../functions.ts";
import { isOwn, isOwnLink } from "./secret.ts";

export type S3AndSqs = Readonly<{
  endpoint: string;
  queue: LocalQueue;
  /** The queues of questions to rails. */
  lanes: readonly LocalQueue[];
  /** The queues of webhooks: of quick receivers, and of the others. */
  webhooks: readonly LocalQueue[];
  stop: () => Promise<void>;
}>;

type LocalQueue = Readonly<{ url: string; name: string; endpoint: string }>;

const QUEUE = "advance-intents";
const LANES = ["questions-1", "questions-2"];
const WEBHOOKS = ["webhooks", "webhooks-apart"];
const DEAD_LETTERS = "advance-intents-dlq";
const RECEIVES_MAX = 5;
/** Longer than a function may run. In AWS it is six times that, too long to wait after a crash on this machine. */
const VISIBILITY_SECONDS = 30;

/**
 * Starts S3 with these buckets and SQS with its queues and dead letters, kept in `folder` (in memory without one). With a
 * secret they answer calls that bring it as their session token, and links to single files.
 */
export async function startS3AndSqs(
  folder: string | undefined,
  buckets: readonly string[],
  secret?: string,
): Promise<S3AndSqs> {
  const server = await startFauxqs({
    port: 0,
    logger: false,
    defaultRegion: REGION,
    ...(folder !== undefined && { dataDir: folder }),
  });
  const forgetGuard = guardPort(server.port, secret);
  for (const bucket of buckets) server.createBucket(bucket);
  createQueues(server);
  const endpoint = `http://127.0.0.1:${server.port}`;
  const queueOf = (name: string): LocalQueue => ({ url: `${endpoint}/${ACCOUNT}/${name}`, name, endpoint });
  return {
    endpoint,
    queue: queueOf(QUEUE),
    lanes: LANES.map(queueOf),
    webhooks: WEBHOOKS.map(queueOf),
    stop: async () => {
      await server.stop();
      forgetGuard();
    },
  };
}

function createQueues(server: FauxqsServer): void {
  if (server.inspectQueue(DEAD_LETTERS) === undefined) server.createQueue(DEAD_LETTERS);
  const deadLetterTargetArn = `arn:aws:sqs:${REGION}:${ACCOUNT}:${DEAD_LETTERS}`;
  const attributes = {
    VisibilityTimeout: String(VISIBILITY_SECONDS),
    RedrivePolicy: JSON.stringify({ deadLetterTargetArn, maxReceiveCount: RECEIVES_MAX }),
  };
  for (const name of [QUEUE, ...LANES, ...WEBHOOKS]) {
    if (server.inspectQueue(name) === undefined) server.createQueue(name, { attributes });
  }
}

/** Lets only this machine connect: the store listens on every address of the machine, and asks for no key by itself. */
function guardPort(port: number, secret: string | undefined): () => void {
  let asks = secret === undefined;
  const guard = (message: unknown) => {
    const { socket } = message as { socket: Socket & { server: Server } };
    if (socket.localPort !== port) return;
    if (socket.remoteAddress !== "127.0.0.1") socket.destroy();
    // The store's own server is met with its first connection, before it reads a request.
    if (!asks && secret !== undefined) askFor(secret, port, socket.server);
    asks = true;
  };
  subscribe("net.server.socket", guard);
  return () => unsubscribe("net.server.socket", guard);
}

/** Puts a guard before the answers of a server: it refuses who brings neither the secret nor a link to a file. */
function askFor(secret: string, port: number, server: Server): void {
  const answers = server.listeners("request");
  server.removeAllListeners("request");
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const { method, url = "", headers } = request;
    const isLink = method === "GET" && isOwnLink(url, headers, port, secret);
    if (!isLink && !isOwn(headers, port, secret)) response.writeHead(403, { Connection: "close" }).end();
    else for (const answer of answers) answer.call(server, request, response);
  });
}
