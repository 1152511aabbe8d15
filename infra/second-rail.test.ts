import { type RealRail, realRails } from "@intents/deployment/real-rails.ts";
import { App, CfnParameter, Stack } from "aws-cdk-lib";
import { afterAll, expect, test } from "vitest";
import { readDeployment } from "./deployment.ts";
import { grantsOf } from "./grants.ts";
import { signingSecrets, stageSettings } from "./stage-settings.ts";

const [other] = realRails;
const north = { ...(other as RealRail), name: "north", place: "nordic" };
// A rail is added by a row.
(realRails as RealRail[]).unshift(north);
afterAll(() => (realRails as RealRail[]).shift());

const app = new App({ context: { stage: "production" } });
const stack = new Stack(app, "Api");
const deployment = readDeployment(app.node);

test("a deployment gives each rail its own address and secret, by the name and the place of its row", () => {
  const { CONNECTOR_URL, ...settings } = stageSettings(stack, deployment);
  expect(settings).toMatchObject({ CONNECTOR: "http" });
  expect(stack.resolve(CONNECTOR_URL)).toEqual({
    "Fn::Join": ["", ["north=", { Ref: expect.any(String) }, " http=", { Ref: expect.any(String) }]],
  });
  const parameters = stack.node.findAll().flatMap((node) => (node instanceof CfnParameter ? [node.default] : []));
  expect(parameters).toEqual(["/payment-intents/production/nordic-url", "/payment-intents/production/connector-url"]);
  const stores = signingSecrets(stack, deployment);
  const { secret } = stores;
  const names = ["payment-intents/production/nordic-secret", "payment-intents/production/connector-secret"];
  expect(secret?.value).toBe(`north=${names[0]} http=${names[1]}`);
  const arns = [secret?.arn, ...(secret?.others ?? [])].map((arn) => JSON.stringify(stack.resolve(arn)));
  const { statements } = grantsOf({ railSecret: ["get"] }, stores);
  expect(statements.map(({ resources }) => resources)).toEqual([[secret?.arn, ...(secret?.others ?? [])]]);
  expect(arns).toEqual(names.map((name) => expect.stringContaining(`${name}-??????`)));
});
