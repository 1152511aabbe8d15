import { GetFunctionConfigurationCommand, LambdaClient, ResourceNotFoundException } from "@aws-sdk/client-lambda";
import { DynamoDBDocumentClient, GetCommand } from "@aws-sdk/lib-dynamodb";
import { InvalidSettings, parseSettings } from "@intents/deployment/settings.ts";
import { STORED_FORMAT } from "@intents/deployment/stored-format.ts";
import { openRun } from "@intents/execution/open-run.ts";
import { openTable } from "@intents/storage/table/table.ts";
import { mockClient } from "aws-sdk-client-mock";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { mockCaller } from "../test/caller-fixture.ts";
import { createProgram } from "./program.ts";
import { Refusal } from "./refusal.ts";
import { readStageEnvironment } from "./stage.ts";

const lambda = mockClient(LambdaClient);
mockCaller();
beforeAll(() => {
  process.env["AWS_REGION"] = "us-east-1";
});
afterAll(() => lambda.restore());

const deployed = (name: string, Variables: Record<string, string>) =>
  lambda.on(GetFunctionConfigurationCommand, { FunctionName: name }).resolves({ Environment: { Variables } });
const SECRET = "a secret of as many characters as it needs";
const production = { STAGE: "production", CONNECTOR: "http" };

beforeEach(() => {
  lambda.reset();
  lambda
    .on(GetFunctionConfigurationCommand)
    .rejects(new ResourceNotFoundException({ message: "no such function", $metadata: {} }));
  deployed("payment-intents-production-advance-intent", {
    ...{ ...production, CONNECTOR_URL: "https://rail.example", CONNECTOR_SECRET: SECRET },
    STORED_FORMAT: String(STORED_FORMAT),
  });
  deployed("payment-intents-production-payment-intents", { BUCKET_NAME: "documents-1" });
  deployed("payment-intents-production-copy-history", { HISTORY_BUCKET: "history-1" });
});

describe("a stage in AWS", () => {
  test("is operated with the settings and the rail of its functions", async () => {
    const settings = parseSettings(await readStageEnvironment({ stage: "production" }));
    expect(settings).toMatchObject({
      ...production,
      CONNECTOR_SECRET: { http: SECRET },
      CONNECTOR_URL: { http: "https://rail.example" },
      BUCKET_NAME: "documents-1",
      HISTORY_BUCKET: "history-1",
    });
    const table = openTable("payment-intents-production");
    const scenario = { useCase: "supplier_payment", deliveryMode: "manual", amountMode: "recipient_fixed" } as const;
    const clients = { table, now: () => 0, random: (count: number) => new Uint8Array(count) };
    const { rails } = openRun(settings, clients);
    expect(rails.map(({ rail }) => rail.address)).toEqual(["https://rail.example"]);
    expect(rails[0]?.describe({ ...scenario, payer: { role: "tenant" } }).provider).toBe("http");
    expect(() => openRun({ ...settings, CONNECTOR_SECRET: {} }, clients)).toThrow("needs CONNECTOR_SECRET");
    table.client.destroy();
  });

  test("that does not exist is refused in one line", async () => {
    await expect(readStageEnvironment({ stage: "sandbox" })).rejects.toThrow(Refusal);
    await expect(readStageEnvironment({ stage: "sandbox" })).rejects.toThrow(/No functions of stage sandbox are here/);
  });

  test("of several side by side is the one with the prefix", async () => {
    deployed("acme-payment-intents-sandbox-advance-intent", { STAGE: "sandbox", BASE_URL: "https://acme.example" });
    deployed("acme-payment-intents-sandbox-payment-intents", {});
    const acme = { stage: "sandbox", prefix: "acme" };
    expect(await readStageEnvironment(acme)).toMatchObject({ BASE_URL: "https://acme.example" });
    const other = { stage: "sandbox", prefix: "other" };
    await expect(readStageEnvironment(other)).rejects.toThrow(
      "No functions of stage sandbox with prefix other are here",
    );
  });

  test("whose functions have a wrong setting is refused, and nothing is guessed", async () => {
    deployed("payment-intents-production-payment-intents", { QUOTE_TTL_SECONDS: "soon" });
    const environment = await readStageEnvironment({ stage: "production" });
    expect(() => parseSettings(environment)).toThrow(InvalidSettings);
  });

  test.each([{ STORED_FORMAT: String(STORED_FORMAT + 1) }, {}])(
    "of another version's stored format is refused unread: %o",
    async (text) => {
      deployed("payment-intents-production-advance-intent", { STAGE: "production", ...text });
      const line = ["tenants", "show", "1001", "--stage", "production"];
      await expect(createProgram().parseAsync(line, { from: "user" })).rejects.toThrow(
        `The service's stored format is ${text.STORED_FORMAT ?? "not numbered"}, and this command reads ${STORED_FORMAT} alone: run the command of the service's version`,
      );
    },
  );

  test("is operated on the restored table that --table names, and on no other", async () => {
    const store = mockClient(DynamoDBDocumentClient);
    store.on(GetCommand).resolves({});
    const line = ["tenants", "show", "1001", "--stage", "production", "--table", "restored-1"];
    await expect(createProgram().parseAsync(line, { from: "user" })).rejects.toThrow("There is no tenant 1001");
    const tables = store.commandCalls(GetCommand).map(({ args: [{ input }] }) => input.TableName);
    expect([...new Set(tables)]).toEqual(["restored-1"]);
    store.restore();
  });

  test("of production gets no demo payments", async () => {
    const store = mockClient(DynamoDBDocumentClient);
    store.on(GetCommand).resolves({ Item: { doc: "{}" } });
    const program = createProgram().configureOutput({ writeErr: () => undefined });
    const line = ["seed", "--tenant", "1001", "--stage", "production", "--yes"];
    await expect(program.parseAsync(line, { from: "user" })).rejects.toThrow("on the simulated rail only");
    store.restore();
  });
});
