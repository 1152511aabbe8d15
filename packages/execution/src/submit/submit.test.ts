import { createHash } from "node:crypto";
import { STUDENT_ID } from "@intents/domain/test/intent-fixture.ts";
import { listQuery } from "@intents/domain/test/query-fixture.ts";
import { INTENT_COUNTER } from "@intents/storage/intents/intents.ts";
import { KEY_LIFETIME_MS } from "@intents/storage/intents/submissions.ts";
import { listRecords } from "@intents/storage/lists/lists.ts";
import { updateParty } from "@intents/storage/parties/parties.ts";
import { readCounts } from "@intents/storage/table/counters.ts";
import { afterAll, describe, expect, test } from "vitest";
import { DEDUP_MS, DRAFT_TTL_MS, LEASE_MS, startWorld } from "../../test/execution-fixture.ts";
import { overtaken } from "../../test/fault-fixture.ts";
import { compileIntent } from "../drafts/compile.ts";
import type { Run } from "../run.ts";
import { submitIntent } from "./submit.ts";

const world = await startWorld();
afterAll(world.stop);

const events = async (id: string) => (await world.eventsOf(id)).map(({ event }) => event.replace("paymentIntent.", ""));

describe("a submit that the rail accepts", () => {
  test("walks the forward order in one commit, and keeps the payer as saved", async () => {
    const { id } = await world.newDraft();
    expect(await world.submit(id, "walk")).toMatchObject({ ok: true, value: { replayed: false } });
    const intent = await world.get(id);
    expect(intent).toMatchObject({
      status: "executing",
      executions: [{ status: "executing", payer: { firstName: "Ana", lastName: "Silva", email: "ana@example.com" } }],
    });
    expect(intent).not.toHaveProperty("submission");
    const order = ["draft", "ready_for_quote", "quoted", "ready_for_execution", "executing"];
    expect(intent.statusHistory.map(({ status }) => status)).toEqual(order);
    const [{ payer, executionId } = { payer: undefined, executionId: "" }] = intent.executions;
    expect(payer).not.toHaveProperty("_id");
    expect(await world.paymentsOf(id)).toMatchObject([{ executionId }]);
    expect(await world.documentOf(intent)).toMatchObject({ executionId, consumedBy: id });
  });

  test("answers its own key with the same bytes for 24 hours from the claim, and others with its status", async () => {
    const { id } = await world.newDraft();
    const claimedAtMs = world.clock.ms;
    const first = await world.submit(id, "own key");
    const { body } = first.ok ? first.value : { body: "" };
    world.clock.ms = claimedAtMs + KEY_LIFETIME_MS - 1;
    expect(await world.submit(id, "own key")).toEqual({ ok: true, value: { body, replayed: true } });
    const refusal = { ok: false, failure: { kind: "wrong_status", status: "executing" } };
    expect(await world.submit(id, "another key")).toEqual(refusal);
    expect(await world.submit(id)).toEqual(refusal);
    world.clock.ms = claimedAtMs + KEY_LIFETIME_MS;
    expect(await world.submit(id, "own key")).toEqual(refusal);
    expect(await world.paymentsOf(id)).toHaveLength(1);
  });

  test("of twenty at once is one, and makes one payment", async () => {
    const { id } = await world.newDraft();
    const outcomes = await Promise.all(Array.from({ length: 20 }, (_, index) => world.submit(id, `key ${index}`)));
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    const kinds = outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.failure.kind]));
    expect(kinds.filter((kind) => kind !== "in_flight" && kind !== "wrong_status")).toEqual([]);
    expect(await world.paymentsOf(id)).toHaveLength(1);
  });
});

describe("of two intents that name one document", () => {
  test("one is paid, and the other is told which path to mend", async () => {
    const first = await world.newDraft();
    const second = await world.newDraft(first.instructions === undefined ? {} : { instructions: first.instructions });
    const outcomes = await Promise.all([world.submit(first.id), world.submit(second.id)]);
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    const path = "instructions.manualPayment.payerIdentityDocumentId";
    const loser = outcomes[0]?.ok === true ? second.id : first.id;
    expect(await world.submit(loser)).toMatchObject({
      ok: false,
      failure: { kind: "requirements", missing: [{ path }] },
    });
  });
});

describe("a submit that the rail refuses as a duplicate", () => {
  test("leaves a draft with its document and its timer, and its key may try again after the window", async () => {
    const { id } = await world.newDraft();
    const twin = await world.newDraft({ recipients: (await world.get(id)).recipients });
    expect(await world.submit(id)).toMatchObject({ ok: true });

    // It says when the rail's window of five minutes ends.
    const failure = { kind: "duplicate_transaction", retryAfterSeconds: 300 };
    expect(await world.submit(twin.id, "key")).toEqual({ ok: false, failure });
    const after = await world.get(twin.id);
    expect(after.status).toBe("draft");
    expect(after).not.toHaveProperty("submission");
    expect(await world.documentOf(after)).not.toHaveProperty("executionId");
    expect(await world.timerOf(twin.id)).toMatchObject({ kind: "expire_draft" });
    world.clock.ms += DEDUP_MS;
    expect(await world.submit(twin.id, "key")).toMatchObject({ ok: true, value: { replayed: false } });
    expect(await world.paymentsOf(twin.id)).toHaveLength(1);
  });
});

describe("a payee of another tenant", () => {
  test("is refused at submit, with the reason, and nothing is claimed", async () => {
    const { id } = await world.newDraft({ payeeIds: [7001] });
    const reason = "the legacy payee is not visible to the executing user";
    const missing = [{ path: "recipients.0.connectorPayeeId", reason }];
    expect(await world.submit(id)).toMatchObject({ ok: false, failure: { kind: "requirements", missing, reason } });
    expect(await world.get(id)).not.toHaveProperty("submission");
  });
});

test("a scenario that needs a permission is refused to a key without it, by its name", async () => {
  const { id } = await world.newBatch(1);
  const caller = { ...world.caller, permissions: [] };
  expect(await submitIntent(world.run, { caller, intentId: id, keyHash: "key" })).toEqual({
    ok: false,
    failure: {
      kind: "permission",
      reason: "This scenario needs a permission that the key does not have",
      legacyConstraint: "AllowBulkPayment",
      failedRequirements: ["AllowBulkPayment"],
    },
  });
  expect(await world.get(id)).toMatchObject({ status: "draft" });
});

describe("a quote", () => {
  test("is refused from the millisecond on at which it expires", async () => {
    const { id } = await world.newDraft();
    world.clock.ms += 1_800_000;
    expect(await world.submit(id)).toMatchObject({ ok: false, failure: { kind: "quote_expired" } });
  });

  test("that expires while the answer of the rail is lost strands no payment (H14)", async () => {
    const { id } = await world.newDraft({ reference: "SANDBOX-TIMEOUT" });
    expect(await world.submit(id)).toEqual({ ok: false, failure: { kind: "outcome_unknown" } });
    world.clock.ms += 1_800_000;
    expect(await world.tick(id)).toBe("recovered");
    expect((await world.get(id)).status).toBe("executing");
    expect(await world.paymentsOf(id)).toHaveLength(1);
  });
});

describe("the audit log of an intent", () => {
  test("holds one terms_accepted per create and every step since, chained by hashes to the intent", async () => {
    const { id } = await world.newDraft();
    expect(await events(id)).toEqual(["created", "terms_accepted"]);
    await compileIntent(world.run, world.caller, id);
    await world.submit(id, "audited");
    await world.submit(id, "audited");
    while ((await world.timerOf(id)) !== undefined) await world.tick(id);
    const steps = ["created", "terms_accepted", "compiled", "submission_claimed", "submitted", "completed"];
    expect(await events(id)).toEqual(steps);

    let previous: string | null = null;
    for (const { doc, hash } of await world.auditOf(id)) {
      expect((JSON.parse(doc) as { previous: string | null }).previous).toBe(previous);
      expect(hash).toBe(createHash("sha256").update(doc).digest("hex"));
      previous = hash;
    }
    expect((await world.get(id)).auditHead).toBe(previous);
  });

  test("says how a split was booked", async () => {
    const { id } = await world.newDraft({ payeeIds: [5001, 5002] });
    await world.submit(id);
    const submitted = (await world.eventsOf(id)).find(({ data }) => data?.["splitRoles"]);
    expect(submitted?.data?.["splitRoles"]).toEqual([
      { order: 0, splitRole: "principal_provider_amount" },
      { order: 1, splitRole: "principal_provider_amount" },
    ]);
  });
});

describe("compiling", () => {
  test("stores the plan and leaves a draft with the timer it had", async () => {
    const { id } = await world.newDraft();
    const before = await world.timerOf(id);
    world.clock.ms += 1000;
    const compiled = await compileIntent(world.run, world.caller, id);
    expect(compiled).toMatchObject({
      ok: true,
      value: { intent: { status: "draft", executionPlan: { legs: [{ payeeId: 5001 }] } } },
    });
    expect(await world.timerOf(id)).toEqual(before);
  });

  test("leaves a link, which has no quote yet, without a plan", async () => {
    const { id } = await world.newDraft({
      ...{
        useCase: "generic_service_invoice",
        deliveryMode: "reusable_payment_link",
        amountMode: "fixed_payee_amounts",
      },
      payer: { role: "unknown_link_payer" },
      recipients: [{ role: "public_payee", connectorPayeeId: 5001, amount: { payeeAmount: "10.00", currency: "AUD" } }],
      instructions: {},
    });
    const compiled = await compileIntent(world.run, world.caller, id);
    expect(compiled).toMatchObject({ ok: true, value: { intent: { status: "draft" } } });
    expect(await world.get(id)).not.toHaveProperty("executionPlan");
  });

  test("gives way to another change at the same moment, and may be tried again", async () => {
    const { id } = await world.newDraft();
    const compile = (as: Run) => compileIntent(as, world.caller, id);
    const late = await compile(overtaken(world.run, () => compile(world.run)));
    expect(late).toEqual({ ok: false, failure: { kind: "in_flight", status: "draft", retryAfterSeconds: 1 } });
    expect(await compile(world.run)).toMatchObject({ ok: true });
  });

  test("waits while a submit holds the intent", async () => {
    const { id } = await world.newDraft({ reference: "SANDBOX-TIMEOUT" });
    await world.submit(id);
    expect(await compileIntent(world.run, world.caller, id)).toMatchObject({
      ok: false,
      failure: { kind: "in_flight" },
    });
  });
});

describe("a draft that nobody submits", () => {
  test("is cancelled when its time is over, not before, and waits for nothing then", async () => {
    const { id } = await world.newDraft();
    expect(await world.timerOf(id)).toMatchObject({ kind: "expire_draft", dueAtMs: world.clock.ms + DRAFT_TTL_MS });
    expect(await world.tick(id)).toBe("expired");
    const { status, statusHistory } = await world.get(id);
    expect([status, statusHistory.at(-1)]).toEqual([
      "cancelled",
      { status: "cancelled", at: new Date(world.clock.ms).toISOString(), by: "schedule" },
    ]);
    const cancelled = (await world.eventsOf(id)).at(-1);
    expect(cancelled).toMatchObject({
      ...{ event: "paymentIntent.cancelled", actor: "schedule", data: { cause: "too long in draft" } },
    });
    expect(await world.timerOf(id)).toBeUndefined();
    const refusal = { kind: "wrong_status", status: "cancelled" };
    expect(await world.submit(id)).toEqual({ ok: false, failure: refusal });
  });

  test("is not cancelled while a submit holds it, however late", async () => {
    const { id } = await world.newDraft({ reference: "SANDBOX-TIMEOUT" });
    world.clock.ms += 1_000;
    await world.submit(id);
    world.clock.ms += DRAFT_TTL_MS + LEASE_MS;
    await world.tick(id);
    expect((await world.get(id)).status).toBe("executing");
  });
});

test("a document that a link names serves that one link, however many are published at once", async () => {
  const purposeProofDocumentId = await world.newDocument();
  const amount = { payeeAmount: "100.00", currency: "AUD" };
  const recipients = [{ role: "education_provider", connectorPayeeId: 5001, amount, purposeProofDocumentId }] as const;
  const links = [await world.newLink({ recipients }), await world.newLink({ recipients })];
  const published = await Promise.all(links.map(({ id }) => world.submit(id, `key-${id}`)));
  expect(published.filter(({ ok }) => ok)).toHaveLength(1);
  expect(published.find(({ ok }) => !ok)).toMatchObject({
    failure: { kind: "requirements", missing: [{ path: "recipients.0.purposeProofDocumentId" }] },
  });
});

test("the counters of intents equal a recount of everything that this file made", async () => {
  const counted = await readCounts(world.table, "1001", INTENT_COUNTER);
  const page = await listRecords(world.table, "1001", "INTENT", listQuery({ limit: 1000 }));
  const recount = new Map<string, number>();
  for (const { status, useCase, deliveryMode } of page.ok ? page.value.items : []) {
    const key = [status, useCase, deliveryMode].join("|");
    recount.set(key, (recount.get(key) ?? 0) + 1);
  }
  expect(recount.size).toBeGreaterThan(1);
  expect(new Map([...counted].filter(([, count]) => count !== 0))).toEqual(recount);
});

test("a party that was changed after the submit stays on the execution as it was", async () => {
  const { id } = await world.newDraft();
  await world.submit(id);
  await updateParty(world.table, "1001", "STUDENT", STUDENT_ID, (student) => ({ ...student, firstName: "Bea" }));
  expect((await world.get(id)).executions[0]?.payer.firstName).toBe("Ana");
});
