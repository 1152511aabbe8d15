import { describe, expect, test } from "vitest";
import { payrollBody, priceLinkBody } from "./scenarios-fixture.ts";
import { openService } from "./service-fixture.ts";
import { create, dryRun, newDraft, newKey } from "./tuition.ts";

const { client } = await openService();

describe("an intent that callers follow", () => {
  const retryAfter = async (path: string, call: { method?: string; headers?: Record<string, string> } = {}) => {
    const { status, headers } = await client.call(call.method ?? "GET", path, { headers: call.headers ?? {} });
    return [status, headers.get("retry-after")];
  };

  test("says when to ask again, in every answer about it, until its status is final", async () => {
    const { id } = await newDraft(client, { pick: ({ settlementMethod }) => settlementMethod === "card" });
    const path = `/v2/payment-intents/${id}`;
    expect(await retryAfter(path)).toEqual([200, "30"]);
    const key = newKey();
    for (const _ of ["first", "replayed"]) {
      const { status, headers } = await client.submit(id, key);
      expect([status, headers.get("retry-after")]).toEqual([200, "30"]);
    }
    expect(await retryAfter(path, { headers: { "If-None-Match": "*" } })).toEqual([304, "30"]);
    expect(await retryAfter(path, { method: "HEAD" })).toEqual([200, "30"]);
  });

  test("says nothing of the kind once it is", async () => {
    const { id } = await newDraft(client);
    await client.submit(id);
    await client.waitForStatus(id, "completed");
    expect(await retryAfter(`/v2/payment-intents/${id}`)).toEqual([200, null]);
    expect(await retryAfter("/v2/payment-intents")).toEqual([200, null]);
  });

  test("such as a link or a batch, does so too", async () => {
    const { id: link } = await create(client, priceLinkBody());
    const { id: batch } = await create(client, payrollBody(2));
    for (const id of [link, batch]) {
      expect((await client.submit(id)).headers.get("retry-after")).toBe("30");
      expect(await retryAfter(`/v2/payment-intents/${id}`)).toEqual([200, "30"]);
    }
  });
});

describe("dry-run of an intent that is no longer a draft", () => {
  const failed = async () => {
    const { id } = await newDraft(client, { reference: "SANDBOX-FAIL" });
    await client.submit(id);
    return client.waitForStatus(id, "failed");
  };
  // A payment whose checkout is never paid, so that it stays executing.
  const executing = async () => {
    const { id } = await newDraft(client, { pick: ({ settlementMethod }) => settlementMethod === "card" });
    await client.submit(id);
    return client.getIntent(id);
  };
  const completed = async () => {
    const { id } = await newDraft(client);
    await client.submit(id);
    return client.waitForStatus(id, "completed");
  };
  const published = async () => {
    const { id } = await create(client, priceLinkBody());
    await client.submit(id);
    return client.getIntent(id);
  };

  test.each([
    ["executing", executing],
    ["completed", completed],
    ["failed", failed],
    ["pending_link_payment", published],
  ])("but %s is answered, every time, with its status as the one requirement", async (status, make) => {
    const { id } = await make();
    for (const _ of [1, 2]) {
      const { rule, requirements } = await dryRun(client, id);
      expect(rule).toEqual({ status: "enabled", missingRequirements: ["status"] });
      expect(requirements).toEqual([
        {
          path: "status",
          reason: `Only a draft can be submitted, and this intent is ${status}`,
          satisfiedBy: expect.stringMatching(/\w/),
          example: "draft",
        },
      ]);
    }
    expect((await client.submit(id)).status).toBe(409);
  });
});
