import { scannedAttributes } from "@intents/storage/table/record-kinds.ts";
import type { Template } from "aws-cdk-lib/assertions";
import { describe, expect, test } from "vitest";
import { isAllowed } from "./judge-fixture.ts";
import { operatorsPolicy } from "./policy-fixture.ts";
import { additions, type Made, resourcesOf, synthesize } from "./synth-fixture.ts";

/** AWS takes no managed policy with more characters, blanks aside. */
const POLICY_CHARS_MAX = 6144;

type Statement = Readonly<{ Effect: string; Action: string | string[]; Resource: unknown }>;

const policiesOf = (template: Template) =>
  resourcesOf(template, "AWS::IAM::ManagedPolicy").map(([id, properties]) => {
    const { PolicyDocument } = properties as { PolicyDocument: { Statement: Statement[] } };
    const allowed = PolicyDocument.Statement.filter(({ Effect }) => Effect === "Allow");
    const actions = new Set(allowed.flatMap(({ Action }) => Action));
    const objects = JSON.stringify(allowed.filter(({ Action }) => [Action].flat().includes("s3:GetObject")));
    return { objects, kind: /Looks|Changes/.exec(id)?.[0], chars: JSON.stringify(PolicyDocument).length, actions };
  });

const looks = [
  ...["dynamodb:BatchGetItem", "dynamodb:DescribeTable", "dynamodb:GetItem"],
  ...["dynamodb:Query", "dynamodb:Scan"],
  ...["lambda:GetFunctionConfiguration", "s3:GetObject"],
  ...["sqs:GetQueueAttributes", "sqs:GetQueueUrl", "sqs:ReceiveMessage"],
];
const changes = [
  ...["apigateway:PATCH", "apigateway:POST", "dynamodb:ConditionCheckItem", "dynamodb:DeleteItem", "dynamodb:PutItem"],
  ...["dynamodb:UpdateItem", "s3:DeleteObject", "s3:PutObject", "sqs:DeleteMessage", "sqs:SendMessage"],
];

const production = synthesize("production", additions);

// Production alone has copies to compare with, and a rail with a secret.
describe.each<[string, Made, readonly string[], readonly string[]]>([
  ["sandbox", synthesize("sandbox"), [], []],
  ["production", production, ["s3:ListBucket"], ["secretsmanager:GetSecretValue"]],
])("the operators of %s", (_, { api, findings }, copies, secret) => {
  const policies = new Map(policiesOf(api).map((policy) => [policy.kind, policy]));

  test("who look can change nothing, and read no secret", () => {
    expect([...(policies.get("Looks")?.actions ?? [])].toSorted()).toEqual([...looks, ...copies].toSorted());
  });

  test("who look read the files of requests, and no document of a person", () => {
    expect(policies.get("Looks")?.objects).toContain("/requests/*");
    expect(policies.get("Looks")?.objects).not.toMatch(/exports|(kept|saved|tmp)\/\*"/);
  });

  test("who change do that besides, read documents, and only they ask the rail", () => {
    const read = ["apigateway:GET", "s3:GetObject", "s3:ListBucket"];
    expect([...(policies.get("Changes")?.actions ?? [])].toSorted()).toEqual(
      [...read, ...changes, ...secret].toSorted(),
    );
  });

  test("have policies that AWS takes, and the rules find nothing in them", () => {
    expect([...policies.keys()]).toEqual(["Looks", "Changes"]);
    for (const { chars } of policies.values()) expect(chars).toBeLessThan(POLICY_CHARS_MAX);
    expect(findings).toEqual([]);
  });
});

test("no operator reads the secrets of webhooks, by their key or by going through the table", () => {
  const held = [...operatorsPolicy(production, "Looks"), ...operatorsPolicy(production, "Changes")];
  const may = (action: string, call: object) => isAllowed(held, { action: `dynamodb:${action}`, on: "main", ...call });
  for (const action of ["GetItem", "BatchGetItem", "Query"]) {
    expect(may(action, { leadingKeys: ["T#1001#WEBHOOKSECRET"] })).toBe(false);
    expect(may(action, { leadingKeys: ["T#1001#WEBHOOK"] })).toBe(true);
  }
  expect(may("Scan", { attributes: scannedAttributes })).toBe(true);
  for (const secret of ["secret", "former"]) expect(may("Scan", { attributes: ["PK", secret] }), secret).toBe(false);
  expect(may("Scan", {}), "a scan that names nothing reads everything").toBe(false);
});

describe("the role by which pull requests compare themselves with a stage", () => {
  const [[, role] = []] = resourcesOf(production.api, "AWS::IAM::Role").filter(([id]) => id.startsWith("Diff"));

  test("reads templates and addresses of rails, and can assume no other role", () => {
    const { Policies } = role as { Policies: { PolicyDocument: { Statement: Statement[] } }[] };
    const statements = Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
    expect(statements.map(({ Action }) => [Action].flat())).toEqual([
      ["cloudformation:DescribeStacks", "cloudformation:GetTemplate", "cloudformation:ListStackResources"],
      ["ssm:GetParameter"],
    ]);
    const [stacks = "", addresses = ""] = statements.map(({ Resource }) => JSON.stringify(Resource));
    expect(stacks.match(/:stack\/[^"]*/g)?.toSorted()).toEqual([
      ":stack/payment-intents-production-*/*",
      ":stack/payment-intents-production/*",
    ]);
    expect(addresses).toMatch(/:parameter\/payment-intents\/production\/connector-url/);
    expect(role).not.toHaveProperty("ManagedPolicyArns");
    expect(JSON.stringify(resourcesOf(production.api, "AWS::IAM::Policy"))).not.toContain("DiffRole");
  });

  test("trusts one environment of one repository, and is there only if a repository is named", () => {
    const provider = "token.actions.githubusercontent.com";
    const asked = {
      [`${provider}:aud`]: "sts.amazonaws.com",
      [`${provider}:sub`]: "repo:acme/payments:environment:diff",
    };
    expect(role?.["AssumeRolePolicyDocument"]).toMatchObject({
      Statement: [{ Action: "sts:AssumeRoleWithWebIdentity", Condition: { StringEquals: asked } }],
    });
    expect(Object.keys(synthesize("sandbox").api.findOutputs("*"))).not.toContain("DiffRoleArn");
    expect(Object.keys(production.api.findOutputs("*"))).toContain("DiffRoleArn");
  });
});
