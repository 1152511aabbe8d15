import { namesOf, PREFIX_LENGTH_MAX } from "@intents/deployment/names.ts";
import type { Template } from "aws-cdk-lib/assertions";
import { describe, expect, test } from "vitest";
import { type Made, resourcesOf, synthesize } from "./synth-fixture.ts";

const plain = synthesize("production");
const acme = synthesize("production", { prefix: "acme" });
const sandbox = synthesize("sandbox");

const templatesOf = ({ api, data, monitoring }: Made): Template[] => [api, data, monitoring];
type Resource = Readonly<{ Type: string; Properties?: Readonly<Record<string, unknown>> }>;
const allOf = (made: Made): Resource[] =>
  templatesOf(made).flatMap((template) => Object.values(template.toJSON()["Resources"] as Record<string, Resource>));

/** Their names need to differ within one API only. */
const OF_AN_API = ["AWS::ApiGateway::Stage", "AWS::ApiGateway::Authorizer"];

/** The names that resources are given, where CloudFormation does not choose them: each is taken once in an account. */
const namesIn = (made: Made): string[] =>
  allOf(made).flatMap(({ Type, Properties = {} }) => {
    const kind = Type.split("::").at(-1) ?? "";
    const config = Properties[`${kind}Config`] as Readonly<Record<string, unknown>> | undefined;
    const names = [Properties["Name"], Properties[`${kind}Name`], config?.["Name"]];
    return OF_AN_API.includes(Type) ? [] : names.flatMap((name) => name ?? []).map((name) => JSON.stringify(name));
  });

/** The names that templates look up or export. */
const sharedBy = (made: Made): string[] =>
  templatesOf(made).flatMap((template) => {
    const { Outputs = {}, Parameters = {} } = template.toJSON() as Record<string, Record<string, object>>;
    const texts = [...Object.values(Outputs), ...Object.values(Parameters)].map((each) => JSON.stringify(each));
    return texts.flatMap((text) => text.match(/"Name":"[^"]*"|"Default":"\/(?!cdk)[^"]*"/g) ?? []);
  });

describe.each([
  ["with a prefix beside one without", plain, acme],
  ["of another stage", plain, sandbox],
] as const)("a deployment %s", (_what, one, other) => {
  test("has no name in common with it", () => {
    const taken = namesIn(one);
    // A function, a table, an API, its plan, a log, a policy of CloudFront's and a delivery of its log have one.
    expect(taken.length).toBeGreaterThan(25);
    expect(namesIn(other).filter((name) => taken.includes(name))).toEqual([]);
    expect(sharedBy(one).length).toBeGreaterThan(1);
    expect(sharedBy(other).filter((name) => sharedBy(one).includes(name))).toEqual([]);
  });

  test("has its own alarms, metrics, firewalls and secret", () => {
    const marks = (made: Made) =>
      new Set(
        JSON.stringify(templatesOf(made).map((template) => template.toJSON())).match(
          /(?<=[":/])(acme[-/])?payment-intents[-/][\w/-]*/g,
        ),
      );
    expect([...marks(other)].filter((mark) => marks(one).has(mark))).toEqual([]);
  });
});

test("names of functions with the longest prefix are as long as Lambda allows", () => {
  const { api } = plain;
  const shift = PREFIX_LENGTH_MAX + 1;
  for (const [, { FunctionName }] of resourcesOf(api, "AWS::Lambda::Function"))
    expect(String(FunctionName).length + shift, String(FunctionName)).toBeLessThanOrEqual(64);
});

test("names without a prefix are those of before there were prefixes", () => {
  expect(namesOf({ stage: "sandbox" })).toMatchObject({
    service: "payment-intents-sandbox",
    dataStack: "payment-intents-sandbox-data",
    rails: [
      {
        name: "http",
        url: "/payment-intents/sandbox/connector-url",
        secret: "payment-intents/sandbox/connector-secret",
      },
    ],
  });
});

test("everything that can have tags says of which deployment it is", () => {
  const tagged = allOf(acme).filter(({ Properties }) => Properties?.["Tags"] !== undefined);
  const types = new Set(tagged.map(({ Type }) => Type));
  for (const type of ["Lambda::Function", "DynamoDB::Table", "S3::Bucket", "SQS::Queue", "CloudWatch::Alarm"])
    expect(types).toContain(`AWS::${type}`);
  for (const { Type, Properties } of allOf(acme).filter((resource) => types.has(resource.Type)))
    expect(Properties?.["Tags"], Type).toEqual(
      expect.arrayContaining([
        { Key: "prefix", Value: "acme" },
        { Key: "service", Value: "payment-intents" },
        { Key: "stage", Value: "production" },
      ]),
    );
  const untagged = allOf(plain).filter(({ Properties }) =>
    JSON.stringify(Properties?.["Tags"] ?? "").includes("prefix"),
  );
  expect(untagged).toEqual([]);
});
