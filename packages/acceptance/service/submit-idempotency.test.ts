import { describe, expect, test } from "vitest";
import { BASIC, type Data, type ErrorBody, type Intent, openClient } from "./client.ts";
import { expectEnvelope, expectShape } from "./refusals.ts";
import { openService } from "./service-fixture.ts";
import { create, newDraft, newKey, railPayments, tuition } from "./tuition.ts";

const { client, service } = await openService();

const isReplay = (reply: { headers: Headers }) => reply.headers.get("idempotent-replayed") === "true";

describe("an Idempotency-Key whose first answer was", () => {
  test("a success gives the same bytes again, even when the intent has moved on", async () => {
    const { id } = await newDraft(client);
    const key = newKey();
    const first = await client.submit(id, key);
    expect([first.status, isReplay(first)]).toEqual([200, false]);
    const second = await client.submit(id, key);
    expect([second.status, isReplay(second)]).toEqual([200, true]);
    expect(second.bytes).toEqual(first.bytes);
    await client.waitForStatus(id, "completed");
    const third = await client.submit<Data<Intent>>(id, key);
    expect([third.bytes, isReplay(third), third.body.data.status]).toEqual([first.bytes, true, "executing"]);
    expect(third.headers.get("content-type")).toBe("application/json");
    expect(await railPayments(client, id)).toHaveLength(1);
  });

  test("[GEN9002] gives that again; a corrected intent needs another key", async () => {
    const { body } = await tuition(client);
    const { id } = await create(client, { ...body, recipients: [] });
    const key = newKey();
    const first = await client.submit<ErrorBody>(id, key);
    expectEnvelope(first, 400, "[GEN9002]");
    const second = await client.submit<ErrorBody>(id, key);
    expect([second.status, second.bytes, isReplay(second)]).toEqual([400, first.bytes, true]);
  });

  test("404 is the same for an id longer than any, which is nothing to look for", async () => {
    const replies = await Promise.all([newKey(), undefined].map((key) => client.submit("a".repeat(3_000), key)));
    for (const reply of replies) expectEnvelope(reply, 404, "[GEN9003]");
  });

  test("404 gives that again", async () => {
    const key = newKey();
    const first = await client.submit<ErrorBody>("0198c0ffee00aabbccddeeff", key);
    expectEnvelope(first, 404, "[GEN9003]");
    const second = await client.submit<ErrorBody>("0198c0ffee00aabbccddeeff", key);
    expect([second.bytes, isReplay(second)]).toEqual([first.bytes, true]);
  });

  test("409 for an intent that had ended gives that again", async () => {
    const { id } = await newDraft(client);
    await client.submit(id, newKey());
    await client.waitForStatus(id, "completed");
    const key = newKey();
    const first = await client.submit<ErrorBody>(id, key);
    expectEnvelope(first, 409, "[GEN9009]");
    expect(first.body.details).toMatchObject({ status: "completed" });
    expect((await client.submit<ErrorBody>(id, key)).bytes).toEqual(first.bytes);
  });
});

describe("a key", () => {
  test("that was used for one intent is refused for another, with 422 and no code", async () => {
    const [first, second] = [await newDraft(client), await newDraft(client)];
    const key = newKey();
    await client.submit(first.id, key);
    const refused = await client.submit<ErrorBody>(second.id, key);
    const { error, ...envelope } = refused.body;
    expectEnvelope({ ...refused, body: envelope }, 422);
    expect(error).toBe("Unprocessable Entity");
    expect((await client.getIntent(second.id)).status).toBe("draft");
    expect((await client.submit(second.id, newKey())).status).toBe(200);
  });

  test("of one tenant is not bound for another", async () => {
    const other = openClient(service.url, BASIC);
    const [ours, theirs] = [await newDraft(client), await newDraft(other)];
    const key = newKey();
    const [first, second] = [
      await client.submit<Data<Intent>>(ours.id, key),
      await other.submit<Data<Intent>>(theirs.id, key),
    ];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body.data.id).toBe(theirs.id);
    expect((await other.submit<ErrorBody>(ours.id, newKey())).status).toBe(404);
  });

  test.each(["x".repeat(255), "a", "with spaces inside", "{}[]\"'\\#"])("may be %j", async (key) => {
    const { id } = await newDraft(client);
    expect((await client.submit(id, key)).status).toBe(200);
    expect(isReplay(await client.submit(id, key))).toBe(true);
  });

  test.each([
    ["of 256 characters", "x".repeat(256)],
    ["that is no ASCII", "caf\u00e9"],
    ["that is empty", ""],
  ])("%s is a shape error, and nothing is paid", async (_, key) => {
    const { id } = await newDraft(client);
    expectShape(await client.submit<ErrorBody>(id, key), "Idempotency-Key");
    expect((await client.getIntent(id)).status).toBe("draft");
  });

  test("stays bound to a body of the wrong shape: the corrected request needs a new key", async () => {
    const { id } = await newDraft(client);
    const key = newKey();
    const path = `/v2/payment-intents/${id}/submit`;
    const wrong = () => client.call<ErrorBody>("POST", path, { body: { x: 1 }, headers: { "Idempotency-Key": key } });
    expectShape(await wrong(), "x");
    const again = await wrong();
    expect([again.status, isReplay(again)]).toEqual([400, true]);
    expect((await client.submit(id, key)).status).toBe(422);
    expect((await client.submit(id, newKey())).status).toBe(200);
  });

  test("has an effect on submit alone", async () => {
    const headers = { "Idempotency-Key": newKey() };
    const { body } = await tuition(client);
    const make = () => client.must<Intent>("POST", "/v2/payment-intents", { body, headers });
    expect((await make()).id).not.toBe((await make()).id);
  });
});

describe("sixty submits at once", () => {
  const sixty = <Value>(make: (index: number) => Value) => Array.from({ length: 60 }, (_, index) => make(index));
  type Reply = Awaited<ReturnType<typeof client.submit<ErrorBody>>>;

  /** Expects one payment, and every reply to be a success or a conflict with the time to come back. */
  function expectOneEarned(replies: readonly Reply[]) {
    const earned = replies.filter((reply) => reply.status === 200 && !isReplay(reply));
    expect(earned).toHaveLength(1);
    for (const reply of replies.filter(({ status }) => status !== 200)) {
      expectEnvelope(reply, 409, "[GEN9009]");
      const hint = Number(reply.headers.get("retry-after"));
      expect(reply.body.details?.["status"] === "draft" ? hint : 1).toBeGreaterThan(0);
    }
    return earned[0]!;
  }

  test("with one key pay once, and all that succeed get the same bytes", async () => {
    const { id } = await newDraft(client);
    const key = newKey();
    const replies = await Promise.all(sixty(() => client.submit<ErrorBody>(id, key)));
    const earned = expectOneEarned(replies);
    for (const reply of replies.filter(({ status }) => status === 200)) expect(reply.bytes).toEqual(earned.bytes);
    expect((await client.submit(id, key)).bytes).toEqual(earned.bytes);
    expect(await railPayments(client, id)).toHaveLength(1);
    await client.waitForStatus(id, "completed");
  });

  test("with sixty keys pay once, and the others are told that the intent is taken", async () => {
    const { id } = await newDraft(client);
    const replies = await Promise.all(sixty(() => client.submit<ErrorBody>(id, newKey())));
    expectOneEarned(replies);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await railPayments(client, id)).toHaveLength(1);
  });

  test("without keys pay once", async () => {
    const { id } = await newDraft(client);
    expectOneEarned(await Promise.all(sixty(() => client.submit<ErrorBody>(id))));
    expect(await railPayments(client, id)).toHaveLength(1);
  });

  test("of sixty intents that name one document pay one of them", async () => {
    const { body } = await tuition(client);
    const drafts = await Promise.all(
      sixty((index) => create(client, { ...body, recipients: [{ ...body.recipients[0], reference: `r${index}` }] })),
    );
    const replies = await Promise.all(drafts.map(({ id }) => client.submit<ErrorBody>(id, newKey())));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ status }) => status >= 500)).toEqual([]);
  });
});
