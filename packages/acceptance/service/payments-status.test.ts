import { describe, expect, test } from "vitest";
import { noRateLimit } from "./client.ts";
import { priceLinkBody } from "./scenarios-fixture.ts";
import { openService } from "./service-fixture.ts";
import { create, dryRun, newDraft } from "./tuition.ts";

const { client } = await openService({ ...noRateLimit, SANDBOX_SETTLE_SECONDS: "0.2" });

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
