import { describe, expect, test } from "vitest";
import { type Data, type ErrorBody, type Intent, noRateLimit } from "./client.ts";
import { expectEnvelope } from "./refusals.ts";
import { openHeldService, openService } from "./service-fixture.ts";
import { dryRun, newDraft, newKey, railPayments } from "./tuition.ts";

const haste = { ...noRateLimit, SANDBOX_SETTLE_SECONDS: "0.2", POLL_INTERVAL_SECONDS: "0.5" };
const { client } = await openService({ ...haste, RECOVERY_AFTER_SECONDS: "0.5" });

/** A service whose clock only a test moves, so that no wait depends on the machine. Its tests run one after the other. */
const held = await openHeldService(haste);
const QUOTE_TTL_MS = 1_800_000;
const DEDUP_MS = 300_000;
/** Longer than the rail settles for, and than the poller then waits. */
const SETTLED_MS = 5_000;
const DRAFT_TTL_MS = 336 * 3_600_000;

const documentFinding = "instructions.manualPayment.payerIdentityDocumentId";

// These tests run at the same time, because all of them mostly wait for the clock or the rail.
describe.concurrent("an intent that the rail takes for a duplicate", () => {
  test("stays a draft, frees its document, and its key succeeds after the window", { concurrent: false }, async () => {
    const { service, client } = held;
    const payer = { role: "agent", details: { firstName: "Ana", lastName: "Silva", email: `${newKey()}@example.com` } };
    const first = await newDraft(client, { payer });
    const second = await newDraft(client, { payer });
    const key = newKey();
    expect((await client.submit(first.id, newKey())).status).toBe(200);
    const refused = await client.submit<ErrorBody>(second.id, key);
    expectEnvelope(refused, 409, "[PAY0003]");
    expect(await client.getIntent(second.id)).toMatchObject({ status: "draft", executions: [] });
    expect((await dryRun(client, second.id)).rule.missingRequirements).not.toContain(documentFinding);
    expect(await railPayments(client, second.id)).toEqual([]);

    const retry = () => client.submit(second.id, key);
    const waiting = await retry();
    const waitMs = Number(waiting.headers.get("retry-after")) * 1000;
    expect([waiting.status, waitMs <= DEDUP_MS]).toEqual([409, true]);
    await service.moveClock(waitMs);
    expect((await retry()).status).toBe(200);
    expect((await retry()).headers.get("idempotent-replayed")).toBe("true");
    expect(await railPayments(client, second.id)).toHaveLength(1);
    await service.moveClock(SETTLED_MS);
    await client.waitForStatus(second.id, "completed");
  });

  test("is taken with another reference", async () => {
    const payer = { role: "agent", details: { firstName: "Ana", lastName: "Silva", email: `${newKey()}@example.com` } };
    for (const reference of ["term 1", "term 2"]) {
      const { id } = await newDraft(client, { payer, reference });
      expect((await client.submit(id)).status).toBe(200);
    }
  });
});

describe("a submit that comes while another one pays", () => {
  test("is told to come back in a second, because that one has only begun", async () => {
    const { client } = held;
    const { id } = await newDraft(client);
    const replies = await Promise.all(Array.from({ length: 20 }, () => client.submit<ErrorBody>(id, newKey())));
    const early = replies.filter(({ status, body }) => status === 409 && body.details?.["status"] === "draft");
    expect(early.map(({ headers }) => headers.get("retry-after"))).toEqual(early.map(() => "1"));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

describe.concurrent("a rail", () => {
  test("that is unavailable has done nothing: the intent stays a draft, and may be submitted again", async () => {
    const { id } = await newDraft(client, { reference: "SANDBOX-UNAVAILABLE" });
    const key = newKey();
    for (const _ of [1, 2]) {
      const refused = await client.submit<ErrorBody>(id, key);
      expectEnvelope(refused, 503, "[PAY0001]");
      expect(refused.headers.get("retry-after")).toBe("5");
    }
    expect(await client.getIntent(id)).toMatchObject({ status: "draft", executions: [] });
    expect((await dryRun(client, id)).rule.missingRequirements).toEqual([]);
    expect(await railPayments(client, id)).toEqual([]);
  });

  test("whose answer was lost is asked again by a replay with the same key, and has one payment", async () => {
    const { id } = await newDraft(client, { reference: "SANDBOX-TIMEOUT" });
    const key = newKey();
    expectEnvelope(await client.submit<ErrorBody>(id, key), 502, "[PAY0002]");
    const replay = () => client.submit<Data<Intent>>(id, key);
    const first = await replay();
    expect([first.status, first.body.data.id]).toEqual([200, id]);
    expect((await replay()).bytes).toEqual(first.bytes);
    await client.waitForStatus(id, "completed");
    expect(await railPayments(client, id)).toHaveLength(1);
  });

  test("that fails every leg makes the intent failed, and the execution says why", async () => {
    const { id } = await newDraft(client, { reference: "SANDBOX-FAIL" });
    await client.submit(id, newKey());
    const failed = await client.waitForStatus(id, "failed");
    expect(failed).toMatchObject({ executions: [{ status: "failed", cause: expect.stringMatching(/\w/) }] });
    expectEnvelope(await client.submit<ErrorBody>(id, newKey()), 409, "[GEN9009]");
  });

  test("that pays one leg of two makes the intent partially completed", async () => {
    const { id } = await newDraft(client, { payeeIds: [5001, 5010], reference: "SANDBOX-PARTIAL" });
    await client.submit(id, newKey());
    const ended = await client.waitForStatus(id, "partially_completed");
    expect(ended).toMatchObject({ executions: [{ legs: [{ status: "failed" }, { status: "cleared" }] }] });
  });

  test("that is overdue makes the intent requires_recovery, and completes it in the end", async () => {
    const { id } = await newDraft(client, { reference: "SANDBOX-OVERDUE" });
    await client.submit(id, newKey());
    await client.waitForStatus(id, ["requires_recovery", "completed"]);
    expectEnvelope(await client.submit<ErrorBody>(id, newKey()), 409, "[GEN9009]");
    const ended = (await client.waitForStatus(id, "completed")) as Intent & {
      statusHistory: { status: string; by: string }[];
    };
    expect(ended.statusHistory.map(({ status, by }) => [status, by]).slice(-3)).toEqual([
      ["executing", "demo-user"],
      ["requires_recovery", "service"],
      ["completed", "rail"],
    ]);
    expect(await railPayments(client, id)).toHaveLength(1);
  });
});

describe("an expired quote", () => {
  test("is refused at submit alone; the key stays with that answer; a new quote, intent and key pass", async () => {
    const { id } = await newDraft(held.client);
    await held.service.moveClock(QUOTE_TTL_MS + 1);
    expect((await dryRun(held.client, id)).rule.missingRequirements).toEqual([]);
    const key = newKey();
    const refused = await held.client.submit<ErrorBody>(id, key);
    expectEnvelope(refused, 422, "[QOT0001]");
    const again = await held.client.submit<ErrorBody>(id, key);
    expect([again.status, again.bytes, again.headers.get("idempotent-replayed")]).toEqual([422, refused.bytes, "true"]);
    expect((await held.client.getIntent(id)).status).toBe("draft");

    const fresh = await newDraft(held.client);
    expect((await held.client.submit<ErrorBody>(fresh.id, key)).status).toBe(422);
    expect((await dryRun(held.client, fresh.id)).rule.missingRequirements).toEqual([]);
    expect((await held.client.submit(fresh.id, newKey())).status).toBe(200);
    await held.service.moveClock(SETTLED_MS);
    await held.client.waitForStatus(fresh.id, "completed");
  });
});

describe("a draft that nobody submits in time", () => {
  test("is cancelled by the service, in its history, and takes no submit", async () => {
    const { id } = await newDraft(held.client);
    await held.service.moveClock(DRAFT_TTL_MS);
    const cancelled = await held.client.waitForStatus(id, "cancelled");
    expect(cancelled).toMatchObject({ statusHistory: [{ status: "draft" }, { status: "cancelled" }], executions: [] });
    expectEnvelope(await held.client.submit<ErrorBody>(id, newKey()), 409, "[GEN9009]");
  });
});
