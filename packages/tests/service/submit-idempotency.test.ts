import { expect, test } from "vitest";
import type { Data, ErrorBody, Intent } from "./client.ts";
import { expectEnvelope, expectShape } from "./refusals.ts";
import { openService } from "./service-fixture.ts";
import { create, newDraft, newKey, railPayments, tuition } from "./tuition.ts";

// Over HTTP each rule has one case: packages/http/src/idempotency proves which answers a key keeps, and from whom.

const { client } = await openService();

const isReplay = (reply: { headers: Headers }) => reply.headers.get("idempotent-replayed") === "true";

test("a success is replayed byte for byte, even when the intent has moved on; another request with its key is 422", async () => {
  const [{ id }, other] = [await newDraft(client), await newDraft(client)];
  const key = newKey();
  const first = await client.submit<Data<Intent>>(id, key);
  expect([first.status, first.body.data.status, isReplay(first)]).toEqual([200, "executing", false]);
  await client.waitForStatus(id, "completed");
  const replay = await client.submit(id, key);
  expect([replay.status, replay.bytes, isReplay(replay)]).toEqual([200, first.bytes, true]);
  expect(replay.headers.get("content-type")).toBe("application/json");
  expect(await railPayments(client, id)).toHaveLength(1);
  const refused = await client.submit<ErrorBody>(other.id, key);
  const { error, ...envelope } = refused.body;
  expectEnvelope({ ...refused, body: envelope }, 422);
  expect([error, (await client.getIntent(other.id)).status]).toEqual(["Unprocessable Entity", "draft"]);
});

test("a refusal that binds its key is replayed, byte for byte", async () => {
  const { body } = await tuition(client);
  const incomplete = await create(client, { ...body, recipients: [] });
  const ended = await newDraft(client);
  await client.submit(ended.id, newKey());
  await client.waitForStatus(ended.id, "completed");
  for (const [id, status, code] of [
    [incomplete.id, 400, "[GEN9002]"],
    ["0198c0ffee00aabbccddeeff", 404, "[GEN9003]"],
    [ended.id, 409, "[GEN9009]"],
  ] as const) {
    const key = newKey();
    const first = await client.submit(id, key);
    expectEnvelope(first, status, code);
    const replay = await client.submit(id, key);
    expect([replay.status, replay.bytes, isReplay(replay)]).toEqual([status, first.bytes, true]);
  }
});

test("a key of another form is a shape error, and nothing is paid; a body of a wrong shape keeps its key", async () => {
  const { id } = await newDraft(client);
  expectShape(await client.submit<ErrorBody>(id, "x".repeat(256)), "Idempotency-Key");
  expect((await client.getIntent(id)).status).toBe("draft");
  const headers = { "Idempotency-Key": newKey() };
  const path = `/v2/payment-intents/${id}/submit`;
  expectShape(await client.call("POST", path, { body: { x: 1 }, headers }), "x");
  expect((await client.call("POST", path, { headers })).status).toBe(422);
  expect((await client.submit(id, newKey())).status).toBe(200);
});

test("a key has an effect on submit alone", async () => {
  const headers = { "Idempotency-Key": newKey() };
  const { body } = await tuition(client);
  const make = () => client.must<Intent>("POST", "/v2/payment-intents", { body, headers });
  expect((await make()).id).not.toBe((await make()).id);
});

test.each([
  ["one key", 1],
  ["a key each", 60],
])(
  "sixty submits at once with %s pay once, and each is a success or a conflict with the time to come back",
  async (_, keys) => {
    const { id } = await newDraft(client);
    const made = Array.from({ length: keys }, newKey);
    const replies = await Promise.all(
      Array.from({ length: 60 }, (__, index) => client.submit<ErrorBody>(id, made[index % keys] ?? "")),
    );
    const [earned, ...others] = replies
      .filter(({ status }) => status === 200)
      .toSorted((one) => (isReplay(one) ? 1 : -1));
    expect(others.map((reply) => [isReplay(reply), reply.bytes])).toEqual(others.map(() => [true, earned?.bytes]));
    if (keys > 1) expect(others).toEqual([]);
    for (const reply of replies.filter(({ status }) => status !== 200)) {
      expectEnvelope(reply, 409, "[GEN9009]");
      const hint = Number(reply.headers.get("retry-after"));
      expect(reply.body.details?.["status"] === "draft" ? hint : 1).toBeGreaterThan(0);
    }
    expect(await railPayments(client, id)).toHaveLength(1);
  },
);
