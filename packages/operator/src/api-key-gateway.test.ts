import { CreateApiKeyCommand, CreateUsagePlanKeyCommand, UpdateApiKeyCommand } from "@aws-sdk/client-api-gateway";
import { beforeEach, describe, expect, test } from "vitest";
import { mockApiGateway } from "../test/api-gateway-fixture.ts";
import { openApiGateway } from "./api-key-gateway.ts";
import { Refusal } from "./refusal.ts";

const FRESH = "f".repeat(40);

let aws: ReturnType<typeof mockApiGateway>;
beforeEach(() => {
  process.env["AWS_REGION"] = "us-east-1";
  aws = mockApiGateway();
});

/** Puts a key into API Gateway. */
const put = (name: string, enabled = true) => {
  const id = `old-${aws.keys.length}`;
  aws.keys.push({ id, name, value: `value of ${name}`, enabled });
  return id;
};

describe("adding a key", () => {
  test("makes it under the stage's name, with the value given, on the plan that is found by its name", async () => {
    expect(await openApiGateway({ stage: "sandbox" }).add("acme-1", FRESH)).toBe(FRESH);
    expect(aws.keys).toEqual([{ id: "id-0", name: "payment-intents-sandbox:acme-1", value: FRESH, enabled: true }]);
    expect([...aws.onPlan]).toEqual(["id-0"]);
  });

  test("takes over a half that is not on the plan, with the value that it has", async () => {
    put("payment-intents-sandbox:acme-10");
    const half = put("payment-intents-sandbox:acme-1");
    expect(await openApiGateway({ stage: "sandbox" }).add("acme-1", FRESH)).toBe(
      "value of payment-intents-sandbox:acme-1",
    );
    expect(aws.mock.commandCalls(CreateApiKeyCommand)).toEqual([]);
    expect([...aws.onPlan]).toEqual([half]);
  });

  test("takes over a half that is on the plan and disabled", async () => {
    const half = put("payment-intents-sandbox:acme-1", false);
    aws.onPlan.add(half);
    expect(await openApiGateway({ stage: "sandbox" }).add("acme-1", FRESH)).toBe(
      "value of payment-intents-sandbox:acme-1",
    );
    expect(aws.keys).toMatchObject([{ id: half, enabled: true }]);
  });

  test("makes no key when the stage has no usage plan", async () => {
    aws.plans.pop();
    await expect(openApiGateway({ stage: "sandbox" }).add("acme-1", FRESH)).rejects.toThrow(Refusal);
    expect(aws.keys).toEqual([]);
  });

  test("fails when the key cannot be put on the plan", async () => {
    aws.mock.on(CreateUsagePlanKeyCommand).rejects(new Error("Denied"));
    await expect(openApiGateway({ stage: "sandbox" }).add("acme-1", FRESH)).rejects.toThrow("Denied");
  });
});

describe("disabling a key", () => {
  test("disables that key, on whatever page it is, and no other", async () => {
    for (const client of ["acme-1", "acme-2", "acme-3"]) put(`payment-intents-sandbox:${client}`);
    await openApiGateway({ stage: "sandbox" }).disable("acme-2");
    expect(aws.keys.map(({ enabled }) => enabled)).toEqual([true, false, true]);
  });

  test("that does not exist changes nothing", async () => {
    await openApiGateway({ stage: "sandbox" }).disable("acme-1");
    expect(aws.mock.commandCalls(UpdateApiKeyCommand)).toEqual([]);
  });
});

test("the list is every enabled key of the stage, over all pages, by client id", async () => {
  put("payment-intents-sandbox:acme-1");
  put("payment-intents-sandbox:off", false);
  put("payment-intents-production:acme-2");
  put("payment-intents-sandbox:with:colon");
  expect(await openApiGateway({ stage: "sandbox" }).list()).toEqual(["acme-1", "with:colon"]);
});
