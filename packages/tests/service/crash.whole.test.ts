import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, type Data, type Intent, noRateLimit, openClient } from "./client.ts";
import { launchService } from "./service.ts";
import { newDraft, newKey, type RailPayment, tuition } from "./tuition.ts";

const AT_ONCE = 12;
/** The numbers of answers of a batch after which the service is killed, at a random moment of a few milliseconds. */
const KILLS_AFTER = [1, 3, 6];
const CHANCE_MS = 30;
/** Submits begin so shortly after each other that at any moment some have claimed, some paid and some been answered. */
const APART_MS = 8;
const REPLAY_MS_MAX = 60_000;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "crash-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

type Submit = Readonly<{ id: string; key: string }>;

/** Replays a submit with its own key until it succeeds. Every other answer must allow it to try again. */
async function replayUntilPaid(client: Client, { id, key }: Submit): Promise<Intent> {
  const untilMs = performance.now() + REPLAY_MS_MAX;
  for (;;) {
    const { status, body } = await client.submit<Data<Intent>>(id, key);
    if (status === 200) return body.data;
    if (![409, 502, 503].includes(status)) throw new Error(`${id}: ${status} ${JSON.stringify(body)}`);
    if (performance.now() > untilMs) throw new Error(`${id}: still ${status} after ${REPLAY_MS_MAX} ms`);
    await pause(500);
  }
}

describe("a service that is killed in the middle of submits", () => {
  test("loses no payment and makes none twice: every key gets its answer, every intent one payment", async () => {
    const env = {
      ...noRateLimit,
      DATA_DIR: join(folder, "submits"),
      SUBMIT_LEASE_SECONDS: "3",
      SANDBOX_SETTLE_SECONDS: "0.2",
    };
    const submits: Submit[] = [];
    let interrupted = 0;
    for (const killAfter of KILLS_AFTER) {
      const service = await launchService(env);
      const client = openClient(service.url);
      const drafts = await Promise.all(Array.from({ length: AT_ONCE }, () => newDraft(client)));
      const batch = drafts.map(({ id }) => ({ id, key: newKey() }));
      submits.push(...batch);
      let answered = 0;
      const answers = Promise.allSettled(
        batch.map(async ({ id, key }, index) => {
          await pause(index * APART_MS);
          await client.submit(id, key);
          answered += 1;
        }),
      );
      while (answered < killAfter) await pause(1);
      await pause(Math.random() * CHANCE_MS);
      expect(await service.kill("SIGKILL")).toBeNull();
      interrupted += (await answers).filter(({ status }) => status === "rejected").length;
    }
    expect(interrupted).toBeGreaterThan(0);

    const service = await launchService(env);
    const client = openClient(service.url);
    const paid = await Promise.all(submits.map((submit) => replayUntilPaid(client, submit)));
    expect(paid.map(({ id }) => id)).toEqual(submits.map(({ id }) => id));
    const intents = await Promise.all(submits.map(({ id }) => client.getIntent(id)));
    expect(intents.filter(({ status }) => status !== "executing" && status !== "completed")).toEqual([]);
    expect(intents.map(({ executions }) => executions.length)).toEqual(submits.map(() => 1));

    const { payments } = await client.must<{ payments: RailPayment[] }>("GET", "/sandbox/payments?limit=1000");
    expect(payments.map(({ paymentIntentId }) => paymentIntentId).toSorted()).toEqual(
      submits.map(({ id }) => id).toSorted(),
    );
    const again = await Promise.all(submits.map(({ id, key }) => client.submit(id, key)));
    expect(again.map(({ headers }) => headers.get("idempotent-replayed"))).toEqual(submits.map(() => "true"));
    await service.stop();
  });

  test("finds students, quotes, drafts and documents again, and the drafts can still be paid", async () => {
    const env = { ...noRateLimit, DATA_DIR: join(folder, "records") };
    const first = await launchService(env);
    const { body, quote, studentId } = await tuition(openClient(first.url));
    const student = `/v2/students/${studentId}`;
    const saved = await openClient(first.url).saveDocument(student);
    const content = `${student}/documents/${saved.legacyDocumentId}/content`;
    const { id } = await openClient(first.url).must<Intent>("POST", "/v2/payment-intents", { body });
    const paths = [
      student,
      `/v2/quotes/${quote.quoteId}`,
      `/v2/payment-intents/${id}`,
      `${student}/documents`,
      content,
    ];
    const readAll = (client: Client) => Promise.all(paths.map(async (path) => (await client.call("GET", path)).bytes));
    const before = await readAll(openClient(first.url));
    await first.kill("SIGKILL");

    const second = await launchService(env);
    const client = openClient(second.url);
    expect(await readAll(client)).toEqual(before);
    expect((await client.submit(id, newKey())).status).toBe(200);
    await second.stop();
  });
});
