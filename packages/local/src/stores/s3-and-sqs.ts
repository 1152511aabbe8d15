import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { type FauxqsServer, startFauxqs } from "fauxqs";
import { ACCOUNT, REGION } from "../functions.ts";

export type S3AndSqs = Readonly<{
  endpoint: string;
  queue: LocalQueue;
  /** The queues of questions to rails. */
  lanes: readonly LocalQueue[];
  stop: () => Promise<void>;
}>;

type LocalQueue = Readonly<{ url: string; name: string; endpoint: string }>;

const QUEUE = "advance-intents";
const LANES = ["questions-1", "questions-2"];
const DEAD_LETTERS = "advance-intents-dlq";
const RECEIVES_MAX = 5;
/** Longer than a function may run. In AWS it is six times that, too long to wait after a crash on this machine. */
const VISIBILITY_SECONDS = 30;

/** Starts S3 with these buckets and SQS with its queues and dead letters, kept in `folder` (in memory without one). */
export async function startS3AndSqs(folder: string | undefined, ...buckets: readonly string[]): Promise<S3AndSqs> {
  const server = await startFauxqs({
    port: 0,
    logger: false,
    defaultRegion: REGION,
    ...(folder !== undefined && { dataDir: folder }),
  });
  const forgetGuard = guardPort(server.port);
  for (const bucket of buckets) server.createBucket(bucket);
  createQueues(server);
  const endpoint = `http://127.0.0.1:${server.port}`;
  const queueOf = (name: string): LocalQueue => ({ url: `${endpoint}/${ACCOUNT}/${name}`, name, endpoint });
  return {
    endpoint,
    queue: queueOf(QUEUE),
    lanes: LANES.map(queueOf),
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
  for (const name of [QUEUE, ...LANES]) {
    if (server.inspectQueue(name) === undefined) server.createQueue(name, { attributes });
  }
}

/** Lets only this machine connect: the store listens on every address of the machine, and asks for no key. */
function guardPort(port: number): () => void {
  const guard = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    if (socket.localPort === port && socket.remoteAddress !== "127.0.0.1") socket.destroy();
  };
  subscribe("net.server.socket", guard);
  return () => unsubscribe("net.server.socket", guard);
}
