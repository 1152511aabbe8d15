import type { Template } from "aws-cdk-lib/assertions";
import { describe, expect, test } from "vitest";
import { type Made, resourcesOf, synthesize } from "./synth-fixture.ts";

const pays = ["advance-intent", "daily", "payment-intents", "payment-links"];
const plain = synthesize("production");
const stages = [
  ["sandbox", synthesize("sandbox", { canary: "true" })],
  ["production", synthesize("production", { canary: "true" })],
] as const;

type Reference = { Ref: string };
/** The names of the functions with an alias, by its logical id. */
function aliasesOf({ api }: Made): ReadonlyMap<string, string> {
  const functions = new Map(
    resourcesOf(api, "AWS::Lambda::Function").map(([id, { FunctionName }]) => [id, FunctionName]),
  );
  return new Map(
    resourcesOf(api, "AWS::Lambda::Alias").map(([id, { FunctionName }]) => [
      id,
      String(functions.get((FunctionName as Reference).Ref)).replace(/^payment-intents-[a-z]+-/, ""),
    ]),
  );
}

test("there are no aliases where nobody asks for canaries", () => {
  for (const type of ["Lambda::Alias", "Lambda::Version", "CodeDeploy::DeploymentGroup"])
    plain.api.resourceCountIs(`AWS::${type}`, 0);
});

describe.each(stages)("a canary of %s", (_stage, made) => {
  const aliases = aliasesOf(made);

  test("is each function that can pay, and nothing that cdk-nag finds", () => {
    // Testers have functions that ask the simulated rails, too.
    const names = [...aliases.values()].filter((name) => !name.startsWith("sandbox-"));
    expect(names.toSorted()).toEqual(pays);
    expect(made.findings).toEqual([]);
  });

  test("takes a tenth of the calls for five minutes, and goes back by the alarms of its own faults", () => {
    const groups = resourcesOf(made.api, "AWS::CodeDeploy::DeploymentGroup");
    expect(groups).toHaveLength(aliases.size);
    for (const [id, group] of groups) {
      expect(group, id).toMatchObject({
        DeploymentConfigName: "CodeDeployDefault.LambdaCanary10Percent5Minutes",
        DeploymentStyle: { DeploymentType: "BLUE_GREEN", DeploymentOption: "WITH_TRAFFIC_CONTROL" },
        AutoRollbackConfiguration: {
          Enabled: true,
          Events: expect.arrayContaining(["DEPLOYMENT_FAILURE", "DEPLOYMENT_STOP_ON_ALARM"]),
        },
        AlarmConfiguration: { Enabled: true, Alarms: [{}, {}] },
      });
      const name = [...aliases.values()].find((each) => id.startsWith(`Canaries${each.replaceAll("-", "")}`)) ?? "";
      const watched = JSON.stringify(group["AlarmConfiguration"]);
      for (const kind of ["Errors", "Faults"])
        expect(watched, id).toMatch(new RegExp(`${kind}${name.replaceAll("-", "")}[0-9A-F]{8}Ref`));
    }
    made.monitoring.hasResourceProperties("AWS::Logs::MetricFilter", { FilterPattern: '{ $.level = "ERROR" }' });
    for (const [id, alias] of Object.entries(made.api.findResources("AWS::Lambda::Alias")))
      expect(alias["UpdatePolicy"], id).toHaveProperty("CodeDeployLambdaAliasUpdate");
  });

  test("is called by its alias alone: from the API, the queues and the schedule", () => {
    const callers = [
      "AWS::ApiGateway::Method",
      "AWS::ApiGateway::Authorizer",
      "AWS::Lambda::EventSourceMapping",
      "AWS::Events::Rule",
      "AWS::Lambda::Permission",
    ].flatMap((type) => resourcesOf(made.api, type));
    const called = callers.map(([, properties]) => JSON.stringify(properties));
    for (const [id, name] of aliases) {
      const handler = `Function${name.replaceAll("-", "")}Function`;
      expect(called.filter((each) => each.includes(`"${id}"`)).length, name).toBeGreaterThan(0);
      expect(
        called.filter((each) => new RegExp(`"${handler}\\w{8}"`).test(each)),
        name,
      ).toEqual([]);
    }
  });

  // CloudFormation takes 500. docs/deploy.md says which of them grow with routes, and what to do at the bound.
  test("fits its stacks with room to grow", () => {
    for (const template of [made.api, made.monitoring, ...made.paths]) expect(countIn(template)).toBeLessThan(450);
  });
});

const countIn = (template: Template): number => Object.keys(template.toJSON()["Resources"]).length;
