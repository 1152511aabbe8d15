import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, type Data, noRateLimit, openClient } from "./client.ts";
import { childrenOf, payerOf, publishLink, type Session } from "./links.ts";
import { launchService } from "./service.ts";
import { railPayments } from "./tuition.ts";

const AT_ONCE = 12;
/** Sessions begin so shortly after each other that at any moment some are claimed, some paid and some answered. */
const APART_MS = 20;
const KILL_AFTER = 3;
const CHANCE_MS = 30;
const REPEAT_MS_MAX = 60_000;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "links-crash-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

type Begun = Readonly<{ linkId: string; token: string; body: object }>;

async function begin(client: Client): Promise<Begun> {
  const { id: linkId, token, payer } = await publishLink(client, { isSingleUse: true });
  return { linkId, token, body: { ...(await payer.sessionBody()), documentIds: [await payer.upload()] } };
}

/** Repeats a session until it is answered. Every other answer must allow it to try again. */
async function repeatUntilTold(client: Client, { token, body }: Begun): Promise<Session> {
  const untilMs = performance.now() + REPEAT_MS_MAX;
  for (;;) {
    const { status, body: answer } = await payerOf(client, token).askSession<Data<Session>>(body);
    if (status === 200) return answer.data;
    if (![409, 502, 503].includes(status)) throw new Error(`${status} ${JSON.stringify(answer)}`);
    if (performance.now() > untilMs) throw new Error(`still ${status} after ${REPEAT_MS_MAX} ms`);
    await pause(500);
  }
}

test("a service that is killed in the middle of payers' sessions makes each of them one payment", async () => {
  const env = { ...noRateLimit, DATA_DIR: folder, SUBMIT_LEASE_SECONDS: "3", SANDBOX_SETTLE_SECONDS: "0.2" };
  const killed = await launchService(env);
  const before = openClient(killed.url);
  const sessions = await Promise.all(Array.from({ length: AT_ONCE }, () => begin(before)));
  let answered = 0;
  const answers = Promise.allSettled(
    sessions.map(async ({ token, body }, index) => {
      await pause(index * APART_MS);
      await payerOf(before, token).askSession(body);
      answered += 1;
    }),
  );
  while (answered < KILL_AFTER) await pause(1);
  await pause(Math.random() * CHANCE_MS);
  expect(await killed.kill("SIGKILL")).toBeNull();
  expect((await answers).some(({ status }) => status === "rejected")).toBe(true);

  const service = await launchService(env);
  const client = openClient(service.url);
  const told = await Promise.all(sessions.map((session) => repeatUntilTold(client, session)));
  for (const [index, { paymentIntentId, nextAction }] of told.entries()) {
    const linkId = sessions[index]?.linkId ?? "";
    expect(nextAction).toHaveProperty("transactionBankDetails");
    expect(await railPayments(client, paymentIntentId)).toHaveLength(1);
    const { children, total } = await childrenOf(client, linkId);
    expect(children.map(({ id }) => id)).toEqual([paymentIntentId]);
    expect(children.filter(({ status }) => status !== "executing" && status !== "completed")).toEqual([]);
    expect(total).toBe(1);
  }
  await service.stop();
});
