import { request } from "node:http";
import { describe, expect, test } from "vitest";
import { openClient } from "../../client/src/client.ts";
import { ApiError } from "../../client/src/errors.ts";
import { type Data, DEMO, type Intent } from "./client.ts";
import { previewOf, submitHeld } from "./previews.ts";
import { expectEnvelope, expectShape } from "./refusals.ts";
import { payrollBody, priceLinkBody } from "./scenarios-fixture.ts";
import { openService } from "./service-fixture.ts";
import { create, newDraft, newKey, railPayments, tuition } from "./tuition.ts";

const { client, basic, service } = await openService();

test("a payee of another tenant is shown without a name, and only the submit refuses it", async () => {
  const { id: payeeId } = await basic.newPayee({ name: "Secret Ltd" });
  const { body } = await tuition(client, { payeeIds: [payeeId] });
  const { id } = await create(client, body);
  const shown = await previewOf(client, id);
  expect(JSON.stringify(shown)).not.toContain("Secret");
  expectEnvelope(await submitHeld(client, id, shown.hash, newKey()), 400, "[GEN9002]");
});

describe("a submit that is held to another preview", () => {
  const other = "0".repeat(64);

  test("is refused with the hash of now, does nothing, and leaves its key to the next one", async () => {
    const { id } = await newDraft(client);
    const before = await client.getIntent(id);
    const { hash } = await previewOf(client, id);
    const key = newKey();
    for (const _ of [1, 2]) {
      const refused = await submitHeld(client, id, other, key);
      expectEnvelope(refused, 409, "[GEN9009]");
      expect(refused.body.details).toEqual({ status: "draft", previewHash: hash });
      expect(refused.headers.get("idempotent-replayed")).toBeNull();
      expect(refused.headers.get("retry-after")).toBeNull();
    }
    expect(await client.getIntent(id)).toEqual(before);
    expect(await railPayments(client, id)).toEqual([]);

    const paid = await submitHeld<Data<Intent>>(client, id, hash, key);
    expect([paid.status, paid.body.data.status]).toEqual([200, "executing"]);
    // A caller who lost the answer may repeat the request with any value of the header, or without it.
    for (const sent of [hash, other, "malformed", undefined]) {
      const again = sent === undefined ? await client.submit(id, key) : await submitHeld(client, id, sent, key);
      expect([again.status, again.body]).toEqual([200, paid.body]);
      expect(again.headers.get("idempotent-replayed")).toBe("true");
    }
    expectEnvelope(await submitHeld(client, id, hash, newKey()), 409, "[GEN9009]");
    expect(await railPayments(client, id)).toHaveLength(1);
  });

  test("is refused for a link, which is not published, and for a batch, which is not begun", async () => {
    for (const body of [priceLinkBody(), payrollBody(2)]) {
      const { id } = await create(client, body);
      expectEnvelope(await submitHeld(client, id, other, newKey()), 409, "[GEN9009]");
      expect(await client.getIntent(id)).toMatchObject({ status: "draft", executions: [] });
    }
  });

  test("that belongs to an equal draft is none: what is paid is what was shown", async () => {
    const body = payrollBody(2);
    const [first, second] = [await create(client, body), await create(client, body)];
    expect((await previewOf(client, first.id)).hash).toBe((await previewOf(client, second.id)).hash);
  });

  test("is told first that its quote has expired", async () => {
    const { body, quote } = await tuition(client);
    const { id } = await create(client, body);
    await client.must("POST", `/sandbox/quotes/${quote.quoteId}/expire`);
    expectEnvelope(await submitHeld(client, id, other, newKey()), 422, "[QOT0001]");
  });

  test("fails in the client with the hash of now, and says that the same call is of no use", async () => {
    const { id } = await newDraft(client);
    const typed = openClient({ baseUrl: service.url, apiKey: DEMO });
    const failed: unknown = await typed.paymentIntents.submit(id, { previewHash: other }).catch((error) => error);
    if (!(failed instanceof ApiError && failed.is("[GEN9009]"))) throw failed;
    const { hash } = await previewOf(client, id);
    expect([failed.status, failed.retrySafe, failed.details.previewHash]).toEqual([409, false, hash]);
    expect((await typed.paymentIntents.submit(id, { previewHash: hash })).status).toBe("executing");
  });

  test("of twenty at once by the right one, one pays", async () => {
    const { id } = await newDraft(client);
    const { hash } = await previewOf(client, id);
    const replies = await Promise.all(Array.from({ length: 20 }, () => submitHeld(client, id, hash, newKey())));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect(await railPayments(client, id)).toHaveLength(1);
  });
});

describe("a Preview-Hash that is none", () => {
  test("is a shape error that names the header, keeps its key like any other, and pays nothing", async () => {
    const { id } = await newDraft(client);
    const { hash } = await previewOf(client, id);
    for (const malformed of ["", "x", hash.toUpperCase(), `${hash}, ${hash}`]) {
      const key = newKey();
      expectShape(await submitHeld(client, id, malformed, key), "Preview-Hash");
      expectShape(await submitHeld(client, id, hash, key), "Preview-Hash");
    }
    expect((await client.getIntent(id)).status).toBe("draft");
  });

  test("takes the place of no answer that its key may stand for", async () => {
    const { id } = await newDraft(client, { reference: "SANDBOX-TIMEOUT" });
    const { hash } = await previewOf(client, id);
    const key = newKey();
    expectEnvelope(await submitHeld(client, id, hash, key), 502, "[PAY0002]");
    expectShape(await submitHeld(client, id, "x", key), "Preview-Hash");
    expect((await submitHeld(client, id, hash, key)).status).toBe(200);
  });

  test("is refused if there are two, even equal ones", async () => {
    const { id } = await newDraft(client);
    const { hash } = await previewOf(client, id);
    const { status, body } = await sendTwice(`/v2/payment-intents/${id}/submit`, hash);
    expect([status, JSON.parse(body).message]).toEqual([
      400,
      ["Preview-Hash must be the hash of a preview, given once"],
    ]);
    expect((await client.getIntent(id)).status).toBe("draft");
  });

  test("is passed over where it means nothing", async () => {
    const { id } = await newDraft(client);
    const headers = { "Preview-Hash": "x" };
    const judged = await client.call("POST", `/v2/payment-intents/${id}/dry-run`, { headers });
    const read = await client.call("GET", `/v2/payment-intents/${id}`, { headers });
    expect([judged.status, read.status]).toEqual([200, 200]);
  });
});

/** Sends a header on two lines, which `fetch` would join. */
const sendTwice = (path: string, hash: string) =>
  new Promise<{ status: number; body: string }>((resolve, reject) => {
    const headers = { "X-API-Key": DEMO, "Preview-Hash": [hash, hash] };
    const sent = request(`${client.url}${path}`, { method: "POST", headers }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (text: string) => (body += text));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body }));
    });
    sent.on("error", reject).end();
  });
