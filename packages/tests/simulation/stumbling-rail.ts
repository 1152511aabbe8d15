import { AsyncLocalStorage } from "node:async_hooks";
import type { RequestListener } from "node:http";
import { setImmediate as turn } from "node:timers/promises";
import type { Rail } from "@intents/domain/rails/rail.ts";
import { openHttpRail } from "@intents/rails/http/client.ts";
import { answerSignatureOf, SIGNATURE_HEADER } from "@intents/rails/http/contract.ts";
import { httpTerms, toRequest } from "@intents/rails/test/http-fixture.ts";

const SECRET = "a-shared-secret-of-the-tests";
/** A rail that hangs does so until the client gives up. */
const HANG_MS = 20_000;

/** The ways in which a rail fails a question as a whole. */
export const failures = ["502", "503", "429", "unreadable", "unsigned", "hangs"] as const;
export type Failing = (typeof failures)[number];

/** An answer, before it is signed. */
type Reply = Readonly<{ status: number; body: string; headers?: Readonly<Record<string, string>>; isSigned: boolean }>;

const problem = JSON.stringify({ outcome: "unknown", reason: "simulated" });
const replies: Readonly<Record<Exclude<Failing, "hangs">, Reply>> = {
  "502": { status: 502, body: "Bad Gateway", isSigned: true },
  "503": { status: 503, body: problem, isSigned: true },
  "429": { status: 429, body: problem, headers: { "retry-after": "5" }, isSigned: true },
  unreadable: { status: 200, body: "{", isSigned: true },
  unsigned: { status: 200, body: JSON.stringify({ payments: [] }), isSigned: false },
};

/** A question as the rail got it. `isInVain`: it was answered with nothing. */
export type Put = Readonly<{ atMs: number; about: readonly string[]; isInVain: boolean }>;

/** The rail's side: which questions fail and how, and how payments stand. */
export type Failures = Readonly<{
  now: () => number;
  failing: Failing;
  isFailed: (executionIds: readonly string[]) => boolean;
  isSettled: (executionId: string) => boolean;
}>;

/** The answer to a question; undefined where the rail hangs. */
function replyTo(body: string, { failing, isFailed, isSettled }: Failures): Reply | undefined {
  const { payments } = JSON.parse(body) as { payments: { tenantId: string; executionId: string }[] };
  if (isFailed(payments.map(({ executionId }) => executionId)))
    return failing === "hangs" ? undefined : replies[failing];
  const legs = [{ order: 0, outcome: "cleared" }];
  const answers = payments.map((key) => {
    const answer = isSettled(key.executionId) ? { kind: "settled", legs } : { kind: "pending" };
    return { ...key, answer };
  });
  return { status: 200, body: JSON.stringify({ payments: answers }), isSigned: true };
}

const signed = ({ status, body, headers, isSigned }: Reply, signature: string): Record<string, string> => ({
  ...headers,
  ...(isSigned && { [SIGNATURE_HEADER]: answerSignatureOf({ signature, status, body }, SECRET) }),
});

/** A piece of work, which waits while the rail hangs. */
type Work = { isWaiting: boolean; fault?: unknown };

/** The rail's side behind node:http; it answers at once, or ends the connection where it would hang. */
export function answerOverHttp(behaviour: Failures): RequestListener {
  return async (incoming, response) => {
    const reply = replyTo(await (await toRequest(incoming)).text(), behaviour);
    if (reply === undefined) {
      incoming.destroy();
      return;
    }
    const signature = String(incoming.headers[SIGNATURE_HEADER.toLowerCase()]);
    response.writeHead(reply.status, signed(reply, signature)).end(reply.body);
  };
}

/**
 * The client of docs/rail-api.yaml, to a rail whose time is simulated: in memory, or served at `servedUrl`. `running`
 * counts work that it holds up.
 */
export function openFailingRail(behaviour: Failures, servedUrl?: string) {
  const { now } = behaviour;
  const questions: Put[] = [];
  const waiting: { atMs: number; goOn: () => void }[] = [];
  const worker = new AsyncLocalStorage<Work>();
  const running = new Set<Work>();

  const fetch: typeof globalThis.fetch = async (url, request = {}) => {
    const { body, headers } = request;
    const about = (JSON.parse(String(body)).payments as { executionId: string }[]).map(
      ({ executionId }) => executionId,
    );
    const reply = replyTo(String(body), behaviour);
    questions.push({ atMs: now(), about, isInVain: reply === undefined || behaviour.isFailed(about) });
    if (reply !== undefined && servedUrl !== undefined) return globalThis.fetch(url, request);
    if (reply !== undefined) {
      const signature = String((headers as Record<string, string>)[SIGNATURE_HEADER]);
      return new Response(reply.body, { status: reply.status, headers: signed(reply, signature) });
    }
    const mine = worker.getStore();
    await new Promise<void>((resolve) => {
      const goOn = () => {
        if (mine !== undefined) mine.isWaiting = false;
        resolve();
      };
      waiting.push({ atMs: now() + HANG_MS, goOn });
      if (mine !== undefined) mine.isWaiting = true;
    });
    throw new DOMException("simulated", "TimeoutError");
  };
  const rail: Rail = openHttpRail({
    ...{ url: servedUrl ?? "http://rail.example", terms: httpTerms, secrets: async () => [SECRET], fetch, now },
    random: (count) => new Uint8Array(count),
  });

  /** Resolves once a piece of work has ended, or waits because the rail hangs; throws its fault. */
  async function rest(mine: Work): Promise<void> {
    while (running.has(mine) && !mine.isWaiting) await turn();
    if (mine.fault !== undefined) throw mine.fault;
  }

  /** Begins a piece of work, until it ends or the rail holds it up. */
  async function begin(work: () => Promise<unknown>): Promise<void> {
    const mine: Work = { isWaiting: false };
    running.add(mine);
    void worker
      .run(mine, work)
      .catch((fault: unknown) => {
        mine.fault = fault;
      })
      .finally(() => running.delete(mine));
    await rest(mine);
  }

  /** Lets the work go on that has waited for longest. */
  async function goOn(): Promise<void> {
    waiting.shift()?.goOn();
    for (const mine of running) await rest(mine);
  }

  return {
    rail,
    questions,
    begin,
    goOn,
    nextMs: () => waiting[0]?.atMs ?? Number.POSITIVE_INFINITY,
    running: () => running.size,
  };
}
