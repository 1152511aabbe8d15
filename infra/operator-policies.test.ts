import type { Template } from "aws-cdk-lib/assertions";
import { describe, expect, test } from "vitest";
import { type Made, resourcesOf, synthesize } from "./synth-fixture.ts";

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

// Production alone has copies to compare with, and a rail with a secret.
describe.each<[string, Made, readonly string[], readonly string[]]>([
  ["sandbox", synthesize("sandbox"), [], []],
  ["production", synthesize("production"), ["s3:ListBucket"], ["secretsmanager:GetSecretValue"]],
])("the operators of %s", (_, { api, findings }, copies, secret) => {
  const policies = new Map(policiesOf(api).map((policy) => [policy.kind, policy]));

  test("who look can change nothing, and read no secret", () => {
    expect([...(policies.get("Looks")?.actions ?? [])].toSorted()).toEqual([...looks, ...copies].toSorted());
  });

  test("who look read the files of requests, and no document of a person", () => {
    expect(policies.get("Looks")?.objects).toContain("/kept/*/COMMISSION_REQUEST/*");
    expect(policies.get("Looks")?.objects).not.toMatch(/exports|kept\/\*"/);
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
