import { describe, expect, test } from "vitest";
import { openClient } from "../../client/src/client.ts";
import { ApiError } from "../../client/src/errors.ts";
import { type Data, DEMO, type Intent } from "./client.ts";
import { previewOf, submitHeld } from "./previews.ts";
import { expectEnvelope, expectShape } from "./refusals.ts";
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

  test("fails in the client with the hash of now, and says that the same call is of no use", async () => {
    const { id } = await newDraft(client);
    const typed = openClient({ baseUrl: service.url, apiKey: DEMO });
    const failed: unknown = await typed.paymentIntents.submit(id, { previewHash: other }).catch((error) => error);
    if (!(failed instanceof ApiError && failed.is("[GEN9009]"))) throw failed;
    const { hash } = await previewOf(client, id);
    expect([failed.status, failed.retrySafe, failed.details.previewHash]).toEqual([409, false, hash]);
    expect((await typed.paymentIntents.submit(id, { previewHash: hash })).status).toBe("executing");
  });
});

describe("a Preview-Hash that is none", () => {
  test("is a shape error that names the header, keeps its key like any other, and pays nothing", async () => {
    const { id } = await newDraft(client);
    const { hash } = await previewOf(client, id);
    const key = newKey();
    expectShape(await submitHeld(client, id, hash.toUpperCase(), key), "Preview-Hash");
    expectShape(await submitHeld(client, id, hash, key), "Preview-Hash");
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
});
