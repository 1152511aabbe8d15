import { createHash, randomBytes } from "node:crypto";
import { storedIntent } from "@intents/domain/test/intent-fixture.ts";
import { afterAll, describe, expect, test } from "vitest";
import { writeIntent } from "../../test/intent-fixture.ts";
import { startTable } from "../../test/table-fixture.ts";
import { pageOfReads, traceRead } from "./document-reads.ts";
import { eventsOf, listAudit, readAudit, type StoredAuditEntry, verifyAudit } from "./intents.ts";
import { operatorAudit } from "./operators.ts";

const { table, stop } = await startTable();
afterAll(stop);

const AT = "2026-11-21T09:00:00.000Z";
const event = (name: string) => ({ event: name, actor: "demo-user", at: AT });

describe("the audit of an intent", () => {
  /** An intent with three entries, the first of two events, as they are stored. */
  async function audited() {
    const id = crypto.randomUUID().replaceAll("-", "").slice(0, 24);
    const made = await writeIntent(table, undefined, storedIntent({ id }), { events: [event("a"), event("b")] });
    const changed = await writeIntent(table, made.intent, made.intent, { events: [event("c")] });
    const { intent } = await writeIntent(table, changed.intent, changed.intent, { events: [event("d")] });
    const entries = await listAudit(table, intent);
    return { intent, entries };
  }
  const named = (name: string) => `the audit entry ${name} of ${AT}`;

  test("is listed oldest first, and is one chain", async () => {
    const { intent, entries } = await audited();
    expect(entries).toMatchObject([
      { intentId: intent.id, version: 1, at: AT, previous: null },
      { intentId: intent.id, version: 2, at: AT, previous: entries[0]?.hash },
      { intentId: intent.id, version: 3, at: AT, previous: entries[1]?.hash },
    ]);
    expect(eventsOf(entries)).toEqual(["a", "b", "c", "d"].map(event));
    expect(verifyAudit(intent, entries)).toEqual([]);
    expect(verifyAudit(storedIntent(), [])).toEqual([]);
  });

  test("is read in parts, each behind a version, which may be that of a change without an entry", async () => {
    const { intent, entries } = await audited();
    const part = (after: number, limit: number) => readAudit(table, intent, { after, limit });
    expect(await part(0, 3)).toEqual({ entries, nextAt: undefined });
    expect(await part(0, 2)).toEqual({ entries: entries.slice(0, 2), nextAt: entries[2]?.at });
    expect(await part(2, 2)).toEqual({ entries: entries.slice(2), nextAt: undefined });
    expect(await part(9, 2)).toEqual({ entries: [], nextAt: undefined });
    const silent = await writeIntent(table, intent, intent);
    const last = await writeIntent(table, silent.intent, silent.intent, { events: [event("e")] });
    expect(await part(4, 2)).toMatchObject({ entries: [{ version: 5, hash: last.intent.auditHead }] });
  });

  test("has hashes by which nobody can try out what was written", async () => {
    const [one, other] = [await audited(), await audited()];
    const guessed = ({ intentId, events, at, version, previous }: StoredAuditEntry) =>
      createHash("sha256").update(JSON.stringify({ intentId, version, at, events, previous })).digest("hex");
    for (const { entries } of [one, other]) expect(entries[0]?.hash).not.toBe(guessed(entries[0]!));
    expect(one.entries[0]?.salt).not.toBe(other.entries[0]?.salt);
  });

  const faults: Readonly<Record<string, (entries: readonly StoredAuditEntry[]) => StoredAuditEntry[]>> = {
    "another intent's entry": ([first, ...rest]) => [{ ...first!, intentId: "x" }, ...rest],
    "a changed entry": ([first, ...rest]) => [{ ...first!, doc: `${first!.doc} ` }, ...rest],
    "a missing first entry": ([, ...rest]) => rest,
    "a missing entry between others": ([first, , last]) => [first!, last!],
    "a missing last entry": (entries) => entries.slice(0, -1),
  };
  test.each([
    ["another intent's entry", `${named("a, b")} is about x`],
    ["a changed entry", `${named("a, b")} was changed`],
    ["a missing first entry", `${named("c")} does not follow the one before it`],
    ["a missing entry between others", `${named("d")} does not follow the one before it`],
    ["a missing last entry", "its audit does not end where the intent says"],
  ])("betrays %s", async (fault, said) => {
    const { intent, entries } = await audited();
    expect(verifyAudit(intent, faults[fault]!(entries))).toEqual([said]);
  });
});

test("an operator's change is a new entry of the tenant's, with its reason and its time", () => {
  const atMs = Date.parse(AT);
  const change = { operator: "olga", atMs, action: "keys.revoke", reason: "lost", data: { clientId: "a" } };
  const { label, write } = operatorAudit(table, "1001", change);
  expect([label, write.Put?.ConditionExpression]).toEqual(["audit", "attribute_not_exists(PK)"]);
  const { PK, SK, doc } = write.Put?.Item ?? {};
  expect([PK, String(SK).length]).toEqual(["T#1001#AUDIT#OPERATOR", 24]);
  const { atMs: _atMs, ...said } = change;
  expect(JSON.parse(String(doc))).toEqual({ ...said, at: AT });
});

test("a tenant is told which of its keys read a document, and of an operator only that one did", async () => {
  const [about, requestId] = [{ tenantId: "1001", ownerId: "student", documentId: "passport" }, "request"];
  const times = [0, 1].map((ms) => Date.parse(AT) + ms);
  const means = { table, now: () => times.shift() ?? 0, random: randomBytes };
  await traceRead(means, { ...about, reader: { by: "tenant", clientId: "demo", requestId } });
  await traceRead(means, { ...about, reader: { by: "export", operator: "olga", requestId } });
  const { items } = await pageOfReads(table, { ...about, limit: 10 });
  expect(items.map(({ id: _, at: _at, ...read }) => read)).toEqual([
    { documentId: "passport", by: "operator" },
    { documentId: "passport", by: "tenant", clientId: "demo", requestId },
  ]);
});
