import { describe, expect, test } from "vitest";
import { openClient } from "../../client/src/client.ts";
import type { Event } from "../../client/src/schemas/payment-intents.ts";
import { noRateLimit } from "./client.ts";
import { newSecret, type PublishedLink, publishLink } from "./links.ts";
import { expectShape } from "./refusals.ts";
import { payrollBody } from "./scenarios-fixture.ts";
import { eventually, openHeldService } from "./service-fixture.ts";
import { create, newDraft } from "./tuition.ts";

const { service, client, basic } = await openHeldService({ ...noRateLimit, SANDBOX_SETTLE_SECONDS: "1" });
const typed = openClient({ baseUrl: service.url, apiKey: "demo:demo-secret" });
const SETTLED_MS = 16_000;

/** The tenant's events behind `after`, once they are settled. */
async function eventsAfter(after: string, limit = 1000): Promise<Event[]> {
  await service.moveClock(SETTLED_MS);
  const events: Event[] = [];
  for await (const event of typed.events.list({ after, limit })) events.push(event);
  return events;
}
const now = async () => new Date(await service.moveClock(SETTLED_MS)).toISOString();
const of = (events: readonly Event[], id: string) =>
  events
    .filter(({ resource }) => resource.id === id)
    .map(({ type, resource: { order } }) => [type, ...[order ?? []].flat()]);

type Leg = Readonly<{ order: number; acceptedAt: string; endedAt: string; endedBy: string }>;

/** The intent once it has that status; the clock moves on meanwhile. */
const ended = (id: string, status: string) =>
  eventually(async () => {
    await service.moveClock(30_000);
    expect((await client.getIntent(id)).status).toBe(status);
  });

/** Opens a session on a link, which holds a single-use one, and gives its payment. */
const hold = async ({ payer }: PublishedLink, secret?: string) =>
  (await payer.open(await payer.sessionBody({ method: "card" }), secret)).paymentIntentId;
/** The payment of a session, once a tester has made its rail say so. */
async function settle(childId: string) {
  const [execution] = (await client.getIntent(childId)).executions;
  await client.must("POST", `/sandbox/payments/${execution?.connectorPaymentIds[0]}/settle`);
  return client.waitForStatus(childId, "completed");
}

describe("the events of a tenant", () => {
  test("tell every status of a payment and its leg, once, in one order, by pages of any size", async () => {
    const after = await now();
    const { id } = await newDraft(client);
    await client.submit(id);
    await ended(id, "completed");
    const all = await eventsAfter(after);
    const { statusHistory } = await client.must<{ statusHistory: { status: string; at: string }[] }>(
      "GET",
      `/v2/payment-intents/${id}`,
    );
    const own = all.filter(({ type, resource }) => resource.id === id && type.startsWith("paymentIntent."));
    expect(own.map(({ status, time }) => ({ status, at: time }))).toEqual(
      statusHistory.map(({ status, at }) => ({ status, at })),
    );
    expect(of(all, id).filter(([type]) => String(type).startsWith("leg."))).toEqual([
      ["leg.executing", 0],
      ["leg.cleared", 0],
    ]);
    expect(await eventsAfter(after, 1)).toEqual(all);
    expect(await eventsAfter(all[2]?.id ?? "")).toEqual(all.slice(3));
  });

  test("tell of every recipient of a batch", async () => {
    const after = await now();
    const { id } = await create(client, payrollBody(2, ["SANDBOX-FAIL"]));
    await client.submit(id);
    await ended(id, "partially_completed");
    const all = await eventsAfter(after);
    const legs = of(all, id).filter(([type]) => String(type).startsWith("leg."));
    for (const [order, end] of ["leg.failed", "leg.cleared"].entries()) {
      expect(legs.filter((leg) => leg[1] === order).map(([type]) => type)).toEqual([
        "leg.pending",
        "leg.executing",
        end,
      ]);
    }
    // The intent itself tells the same of each recipient.
    const { executions } = await client.must<{ executions: [{ legs: Leg[] }] }>("GET", `/v2/payment-intents/${id}`);
    for (const { order, acceptedAt, endedAt, endedBy } of executions[0].legs) {
      const own = all.filter(({ resource, status }) => resource.order === order && status !== "pending");
      expect([acceptedAt, endedAt, endedBy]).toEqual([...own.map(({ time }) => time), "rail"]);
    }
  });

  test("tell of a single-use link whenever it is held, opens again by whatever way, and is closed", async () => {
    const after = await now();
    const link = await publishLink(client, { isSingleUse: true });
    const secret = newSecret();
    const given = await hold(link, secret);
    await link.payer.giveBack(secret);
    const released = await hold(link);
    await client.must("POST", `/v2/payment-intents/${link.id}/release-hold`);
    const expired = await hold(link);
    await client.must("POST", `/sandbox/payment-links/${link.token}/expire-hold`);
    await client.waitForStatus(expired, "cancelled");
    const paid = await hold(link);
    await settle(paid);
    const all = await eventsAfter(after);
    expect(of(all, link.id)).toEqual([
      ["paymentIntent.draft"],
      ["paymentIntent.pending_link_payment"],
      ["paymentLink.open"],
      ...["held", "open", "held", "open", "held", "open", "held", "closed"].map((status) => [`paymentLink.${status}`]),
    ]);
    // A payment by a link is an intent of its own, from its draft to its end.
    const begun = ["draft", "ready_for_quote", "quoted", "ready_for_execution", "executing"];
    for (const [child, end, leg] of [
      ...[given, released, expired].map((id) => [id, "cancelled", "cancelled"] as const),
      [paid, "completed", "cleared"] as const,
    ]) {
      expect(of(all, child)).toEqual([
        ...begun.map((status) => [`paymentIntent.${status}`]),
        ["leg.executing", 0],
        [`paymentIntent.${end}`],
        [`leg.${leg}`, 0],
      ]);
    }
  });

  test("tell of a link for many payers that it is open, and of no payment that was not begun", async () => {
    const after = await now();
    const link = await publishLink(client);
    const [first, second] = [await hold(link), await hold(link)];
    const refused = await link.payer.askSession({ ...(await link.payer.sessionBody()), quoteId: "unknown" });
    expect(refused.status).toBeGreaterThanOrEqual(400);
    await settle(second);
    const all = await eventsAfter(after);
    expect(of(all, link.id).map(([type]) => type)).toEqual([
      ...["paymentIntent.draft", "paymentIntent.pending_link_payment", "paymentLink.open"],
    ]);
    expect([of(all, first).at(-1), of(all, second).at(-1)]).toEqual([
      ["leg.executing", 0],
      ["leg.cleared", 0],
    ]);
    const { body } = await client.call<{ data: { paymentIntents: { id: string }[] } }>(
      ...(["GET", `/v2/payment-intents?filter[createdFrom.paymentIntentId]=${link.id}`] as const),
    );
    const drafted = all.filter(({ type }) => type === "paymentIntent.draft").map(({ resource }) => resource.id);
    expect(body.data.paymentIntents.map(({ id }) => id).filter((id) => !drafted.includes(id))).toEqual([]);
  });

  test("tell of a recipient who waits for the end of the rail's window, as the batch shows it", async () => {
    const after = await now();
    const { id } = await create(client, payrollBody(1, ["SANDBOX-DUPLICATE"]));
    await client.submit(id);
    const batch = async () => (await typed.paymentIntents.get(id)).executions.at(-1)?.legs?.[0]?.status;
    await eventually(async () => {
      await service.moveClock(1_000);
      expect(await batch()).toBe("waiting");
    });
    const legs = of(await eventsAfter(after), id).filter(([type]) => String(type).startsWith("leg."));
    expect(legs).toEqual([
      ["leg.pending", 0],
      ["leg.waiting", 0],
    ]);
    expect(await batch()).toBe("waiting");
  });

  test("are none of another tenant, and hold no personal data", async () => {
    const after = await now();
    await newDraft(client);
    const all = await eventsAfter(after);
    expect(all.length).toBeGreaterThan(0);
    expect(Object.keys(all[0] ?? {}).toSorted()).toEqual(["id", "resource", "status", "time", "type"]);
    expect(await basic.must("GET", "/v2/events")).toEqual({ events: [] });
    const foreign = await basic.call("GET", `/v2/events?after=${all[0]?.id}`);
    expect([foreign.status, foreign.body]).toMatchObject([
      400,
      { message: [expect.stringMatching(/^after must be the id of an event of yours.*go on without after/)] },
    ]);
  });

  test("are refused for a wrong query, and each field is named", async () => {
    expectShape(await client.call("GET", "/v2/events?limit=0&type=payment&since=1"), "limit", "type", "since");
    expectShape(await client.call("GET", "/v2/events?after=2020-01-01T00:00:00Z"), "after");
  });
});
