import { readPartition } from "@intents/storage/test/table-fixture.ts";
import { describe, expect, test } from "vitest";
import { openClient as openTypedClient } from "../../client/src/client.ts";
import type { TimelineEntry } from "../../client/src/schemas/payment-intents.ts";
import { openClient } from "./client.ts";
import { newSecret, publishLink } from "./links.ts";
import { expectEnvelope } from "./refusals.ts";
import { payrollBody } from "./scenarios-fixture.ts";
import { openOperatedService } from "./service-fixture.ts";
import { create, newDraft } from "./tuition.ts";

const { service, client, basic, operator } = await openOperatedService();
const typed = openTypedClient({ baseUrl: service.url, apiKey: "demo:demo-secret" });
const pathOf = (id: string, query = "") => `/v2/payment-intents/${id}/timeline${query}`;

/** All that happened to an intent, by pages of a size. */
async function timelineOf(id: string, limit = 1000): Promise<TimelineEntry[]> {
  const entries: TimelineEntry[] = [];
  for await (const entry of typed.paymentIntents.getTimeline(id, { limit })) entries.push(entry);
  return entries;
}
/** The events of a timeline by their names, each with who caused it. */
const described = (entries: readonly TimelineEntry[]) =>
  entries.flatMap(({ events }) =>
    events.map(({ type, by, clientId }) => [type.replace("paymentIntent.", ""), by, ...(clientId ? [clientId] : [])]),
  );
/** Whether each entry follows the one before it, as a tenant can see. */
const isChain = (entries: readonly TimelineEntry[]): boolean =>
  entries.every(({ previous }, index) => previous === (entries[index - 1]?.hash ?? null));
const paid = async () => {
  const { id } = await newDraft(client);
  await client.submit(id);
  await client.waitForStatus(id, "completed");
  return id;
};

describe("the timeline of an intent", () => {
  test("tells what happened, when and by whom, as a chain that ends with its newest entry", async () => {
    const id = await paid();
    const entries = await timelineOf(id);
    expect(described(entries)).toEqual([
      ["created", "caller", "demo"],
      ["terms_accepted", "caller", "demo"],
      ["submission_claimed", "caller", "demo"],
      ["submitted", "caller", "demo"],
      ["completed", "rail"],
    ]);
    expect(isChain(entries)).toBe(true);
    const { statusHistory, executions } = await client.must<{
      statusHistory: { status: string; at: string }[];
      executions: { executionId: string; connectorPaymentIds: number[] }[];
    }>("GET", `/v2/payment-intents/${id}`);
    expect(entries.at(-1)?.at).toBe(statusHistory.at(-1)?.at);
    const [{ executionId, connectorPaymentIds } = {}] = executions;
    expect(entries.flatMap(({ events }) => events.map(({ details }) => details)).slice(2)).toEqual([
      { executionId },
      { executionId, attempt: 1, connectorPaymentIds, splitRoles: [expect.objectContaining({ order: 0 })] },
      { executionId, legs: [{ order: 0, status: "cleared" }] },
    ]);
    // The same entries have the same hashes, whenever and however they are asked for.
    expect(await timelineOf(id, 1)).toEqual(entries);
  });

  test("goes on behind the newest entry that is known, also at its end", async () => {
    const { id } = await newDraft(client);
    const { body: page } = await client.call<Record<string, unknown>>("GET", pathOf(id));
    expect(page).toMatchObject({ hasMore: false, count: 1, nextCursor: "1", data: { timeline: [{ version: 1 }] } });
    const { body: end } = await client.call<Record<string, unknown>>("GET", pathOf(id, "?after=1"));
    expect(end).toEqual({ data: { timeline: [] }, hasMore: false, count: 0, nextCursor: "1" });
    await client.submit(id);
    const { timeline } = await client.must<{ timeline: TimelineEntry[] }>("GET", pathOf(id, "?after=1&limit=1"));
    const [first] = await timelineOf(id);
    expect(timeline).toMatchObject([{ version: 2, previous: first?.hash }]);
  });

  test("is there for a link, for what its payers did, and for a batch", async () => {
    const link = await publishLink(client, { isSingleUse: true });
    const secret = newSecret();
    const { paymentIntentId: given } = await link.payer.open(await link.payer.sessionBody({ method: "card" }), secret);
    await link.payer.giveBack(secret);
    const { paymentIntentId: released } = await link.payer.open(await link.payer.sessionBody({ method: "card" }));
    await client.must("POST", `/v2/payment-intents/${link.id}/release-hold`);
    const { paymentIntentId: child } = await link.payer.open(await link.payer.sessionBody());
    await link.payer.waitForPayment(child, "completed");
    expect(described(await timelineOf(given)).at(-1)).toEqual(["cancelled", "payer"]);
    expect(described(await timelineOf(released)).at(-1)).toEqual(["cancelled", "caller", "demo"]);
    const last = async (id: string) => ((await client.getIntent(id))["statusHistory"] as { by: string }[]).at(-1)?.by;
    expect([await last(given), await last(released), await last(child)]).toEqual(["payer", "demo-user", "rail"]);
    expect(described(await timelineOf(child))).toEqual([
      ["created", "payer"],
      ["terms_accepted", "payer"],
      ["submission_claimed", "payer"],
      ["submitted", "payer"],
      ["completed", "rail"],
    ]);
    const ofLink = await timelineOf(link.id);
    expect(described(ofLink).slice(2)).toEqual([
      ["link_published", "caller", "demo"],
      ["link_closed", "service"],
    ]);
    expect(ofLink.at(-1)?.events[0]?.details).toEqual({ paymentIntentId: child });

    const batch = await create(client, payrollBody(2, ["SANDBOX-FAIL"]));
    await client.submit(batch.id);
    await client.waitForStatus(batch.id, "partially_completed");
    const ofBatch = await timelineOf(batch.id);
    expect(ofBatch.at(-1)?.events[0]).toMatchObject({
      type: "paymentIntent.partially_completed",
      details: { total: 2, completed: 1, failed: 1 },
    });
    expect([ofLink, ofBatch].every(isChain)).toBe(true);
  });

  test("tells no name of a user or an operator, and nothing that an operator or a rail wrote", async () => {
    const own = openClient(service.url, await operator.newKey("timeline-key", "1001"));
    const { id } = await newDraft(own);
    const cancelled = ["intents", "cancel", id, "--tenant", "1001", "--yes", "--reason", "Quandorf called"];
    expect((await operator.run(...cancelled)).code).toBe(0);
    const [failing, released] = [
      await newDraft(client, { reference: "SANDBOX-FAIL" }),
      await newDraft(client, { reference: "SANDBOX-UNAVAILABLE" }),
    ];
    for (const draft of [failing, released]) await client.submit(draft.id);
    await client.waitForStatus(failing.id, "failed");
    const timelines = [await timelineOf(id), await timelineOf(failing.id), await timelineOf(released.id)];
    expect(timelines.map((entries) => described(entries).at(-1))).toEqual([
      ["cancelled", "operator"],
      ["failed", "rail"],
      ["submission_released", "caller", "demo"],
    ]);
    expect(described(timelines[0] ?? [])[0]).toEqual(["created", "caller", "timeline-key"]);
    expect(timelines[2]?.at(-1)?.events[0]?.details.refusal).toBe("rail_unavailable");
    // All of this is in the stored entries.
    const written = ["olga", "Quandorf", "demo-user", "user-timeline-key", "beneficiary bank"];
    const stored = await Promise.all(
      [id, failing.id].map((intentId) => readPartition(operator.table, `T#1001#AUDIT#${intentId}`)),
    );
    for (const text of written) {
      expect(JSON.stringify(stored)).toContain(text);
      expect(JSON.stringify(timelines)).not.toContain(text);
    }
  });
});

describe("a timeline", () => {
  test("of another tenant's intent, of none, and of the operators' own audit, is not found", async () => {
    const { id } = await newDraft(client);
    for (const unknown of [id, "0198c0ffee00aabbccddeeff", "OPERATOR", "%23"]) {
      expectEnvelope(await basic.call("GET", pathOf(unknown)), 404, "[GEN9003]");
      expectEnvelope(await basic.call("GET", pathOf(unknown, "?after=3")), 404, "[GEN9003]");
    }
  });

  test("asks for a key, whose scope is that of reading", async () => {
    const { id } = await newDraft(client);
    expectEnvelope(await client.call("GET", pathOf(id), { key: null }), 401, "[GEN9001]");
    const keyOf = async (name: string, scopes: string) =>
      String((await operator.change("keys", "create", name, "--tenant", "1001", "--scopes", scopes))["apiKey"]);
    expect((await client.call("GET", pathOf(id), { key: await keyOf("reads", "read") })).status).toBe(200);
    expectEnvelope(await client.call("GET", pathOf(id), { key: await keyOf("writes", "write") }), 403, "[GEN9004]");
  });

  test.each([
    ["limit=0", "limit must be an integer between 1 and 1000"],
    ["limit=1001", "limit must be an integer between 1 and 1000"],
    ["after=-1", /^after must be the version of an entry: go on with that of the last one/],
    ["after=MjAyNi0xMS0yMQ", /^after must be the version of an entry/],
    ["after=01", /^after must be the version of an entry/],
    ["after=2", "after is behind the newest entry: go on with after=1"],
    ["after=99999999", "after is behind the newest entry: go on with after=1"],
    ["after=1&after=2", "after must be given once"],
    ["sort=at", /sort/],
  ])("asked for by %s is refused, and the field is named", async (query, problem) => {
    const { id } = await newDraft(client);
    const { status, body } = await client.call<{ message: string[] }>("GET", pathOf(id, `?${query}`));
    expect(status).toBe(400);
    expect(body.message[0]).toMatch(problem);
  });
});
