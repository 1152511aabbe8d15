import { describe, expect, test } from "vitest";
import { openClient } from "../../client/src/client.ts";
import type { Event } from "../../client/src/schemas/payment-intents.ts";
import { noRateLimit } from "./client.ts";
import { payrollBody } from "./scenarios-fixture.ts";
import { eventually, openHeldService } from "./service-fixture.ts";
import { create, newDraft } from "./tuition.ts";

const { service, client, basic } = await openHeldService({ ...noRateLimit, SANDBOX_SETTLE_SECONDS: "1" });
const typed = openClient({ baseUrl: service.url, apiKey: "demo:demo-secret" });
const SETTLED_MS = 16_000;

/** What the tenant is told behind `after`, once it is settled. */
async function told(after: string, limit = 1000): Promise<Event[]> {
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

/** The intent once it has that status; the clock moves on meanwhile. */
const ended = (id: string, status: string) =>
  eventually(async () => {
    await service.moveClock(30_000);
    expect((await client.getIntent(id)).status).toBe(status);
  });

describe("the events of a tenant", () => {
  test("tell every status of a payment and its leg, once, in one order, by pages of any size", async () => {
    const after = await now();
    const { id } = await newDraft(client);
    await client.submit(id);
    await ended(id, "completed");
    const all = await told(after);
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
    expect(await told(after, 1)).toEqual(all);
    expect(await told(all[2]?.id ?? "")).toEqual(all.slice(3));
  });

  test("tell of every recipient of a batch", async () => {
    const after = await now();
    const { id } = await create(client, payrollBody(2, ["SANDBOX-FAIL"]));
    await client.submit(id);
    await ended(id, "partially_completed");
    const legs = of(await told(after), id).filter(([type]) => String(type).startsWith("leg."));
    for (const [order, end] of ["leg.failed", "leg.cleared"].entries()) {
      expect(legs.filter((leg) => leg[1] === order).map(([type]) => type)).toEqual([
        "leg.pending",
        "leg.executing",
        end,
      ]);
    }
  });

  test("are none of another tenant, and hold no personal data", async () => {
    const after = await now();
    await newDraft(client);
    const all = await told(after);
    expect(all.length).toBeGreaterThan(0);
    expect(Object.keys(all[0] ?? {}).toSorted()).toEqual(["id", "resource", "status", "time", "type"]);
    expect(await basic.must("GET", "/v2/events")).toEqual({ events: [] });
    const foreign = await basic.call("GET", `/v2/events?after=${all[0]?.id}`);
    expect([foreign.status, foreign.body]).toMatchObject([
      400,
      { message: [expect.stringMatching(/^after must be the id of an event of yours.*go on with after=20\d\d-/)] },
    ]);
  });

  test.each([
    ["limit=0", "limit must be an integer between 1 and 1000"],
    ["type=payment", /^type must be one of/],
    ["after=2020-01-01T00:00:00Z", /^after must lie within the last 30 days: go on with after=/],
    ["since=1", /since/],
  ])("asked for by %s are refused, and the field is named", async (query, problem) => {
    const { status, body } = await client.call<{ message: string[] }>("GET", `/v2/events?${query}`);
    expect(status).toBe(400);
    expect(body.message[0]).toMatch(problem);
  });
});
