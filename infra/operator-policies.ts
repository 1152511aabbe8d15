import { namesOf } from "@intents/deployment/names.ts";
import { mainTableSchema } from "@intents/deployment/table-schema.ts";
import { ArnFormat, Stack, Validations } from "aws-cdk-lib";
import { ManagedPolicy, PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";
import type { Deployment } from "./deployment.ts";
import { keepHistory, objectPatternsOf, type Stores } from "./grants.ts";
import { signingSecret } from "./stage-settings.ts";
import type { StatefulStack } from "./stateful-stack.ts";

type Props = Readonly<{ deployment: Deployment; stateful: StatefulStack }>;

/**
 * Two policies for whoever works with the operator's command, to be attached to their users or roles: the first to all of
 * them. Who may only look cannot read the rail's signing secret, by which payments are made.
 */
export class OperatorPolicies extends Construct {
  /** Lists, searches, the console, the depth of queues, and whether the books agree among themselves. */
  readonly looks: ManagedPolicy;
  /** Beside it, every change that the command makes, and what the rail says of the books. */
  readonly changes: ManagedPolicy;

  constructor(scope: Construct, id: string, props: Props) {
    super(scope, id);
    this.looks = new ManagedPolicy(this, "Looks", { statements: looking(this, props) });
    this.changes = new ManagedPolicy(this, "Changes", { statements: changing(this, props) });
    for (const path of KEYS_OF_GATEWAY)
      Validations.of(this).acknowledge({
        id: `AwsSolutions::AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:apigateway:<AWS::Region>::/${path}]`,
        reason: "Keys of API Gateway and usage plans have ids of their own, which nobody knows beforehand",
      });
  }
}

/** The keys that callers are metered by, and a usage plan's. */
const KEYS_OF_GATEWAY = ["apikeys/*", "usageplans/*/keys"];

function looking(scope: Construct, { deployment, stateful }: Props): PolicyStatement[] {
  const { stores, queue, lanes, deadLetters } = stateful;
  const functions = namesOf(deployment).settingsFunctions.map((resourceName) =>
    Stack.of(scope).formatArn({
      ...{ service: "lambda", resource: "function", resourceName },
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    }),
  );
  const queues = [queue, ...lanes, deadLetters].map(({ queueArn }) => queueArn);
  return [
    allow(["lambda:GetFunctionConfiguration"], functions),
    allow(dynamodb("DescribeTable", "GetItem", "BatchGetItem", "Query", "Scan"), [
      ...arnsOf(stores.main, stores.rail),
      ...indexes(stores),
    ]),
    // The day on which a key was last used.
    allow(dynamodb("BatchGetItem"), arnsOf(stores.windows)),
    allow(["s3:GetObject"], [...objects(stores, "documents"), ...objects(stores, "history")]),
    allow(["s3:ListBucket"], arnsOf(stores.bucket, stores.history)),
    allow(["sqs:GetQueueUrl", "sqs:GetQueueAttributes"], queues),
    // A sample of failed messages is taken out, and is back at once.
    allow(["sqs:ReceiveMessage"], [deadLetters.queueArn]),
    allow(["apigateway:GET"], gateway(scope, ["apikeys", "usageplans"])),
  ];
}

function changing(scope: Construct, { deployment, stateful }: Props): PolicyStatement[] {
  const { stores, queue, deadLetters } = stateful;
  return [
    allow(dynamodb("PutItem", "UpdateItem", "DeleteItem", "ConditionCheckItem"), arnsOf(stores.main, stores.rail)),
    ...keepHistory(stores),
    allow(["s3:PutObject"], [...objects(stores, "documents"), ...objects(stores, "history")]),
    allow(["s3:DeleteObject"], objects(stores, "documents")),
    allow(["sqs:SendMessage"], [queue.queueArn]),
    allow(["sqs:DeleteMessage"], [deadLetters.queueArn]),
    allow(["apigateway:POST"], gateway(scope, ["apikeys", "usageplans/*/keys"])),
    allow(["apigateway:GET", "apigateway:PATCH"], gateway(scope, ["apikeys/*"])),
    ...arnsOf(signingSecret(Stack.of(scope), deployment).secret).map((secret) =>
      allow(["secretsmanager:GetSecretValue"], [secret]),
    ),
  ];
}

const allow = (actions: string[], resources: string[]): PolicyStatement => new PolicyStatement({ actions, resources });
const dynamodb = (...operations: readonly string[]): string[] => operations.map((name) => `dynamodb:${name}`);
const arnsOf = (...stores: readonly Stores[keyof Stores][]): string[] => stores.flatMap((store) => store?.arn ?? []);

const indexes = ({ main }: Stores): string[] =>
  mainTableSchema.indexes.flatMap(({ name }) => arnsOf(main).map((arn) => `${arn}/index/${name}`));
const objects = (stores: Stores, bucket: "documents" | "history"): string[] =>
  arnsOf(stores[bucket]).flatMap((arn) => objectPatternsOf(bucket).map((pattern) => `${arn}/${pattern}`));
const gateway = (scope: Construct, paths: readonly string[]): string[] =>
  paths.map((path) =>
    Stack.of(scope).formatArn({
      ...{ service: "apigateway", account: "", resource: `/${path}` },
      arnFormat: ArnFormat.NO_RESOURCE_NAME,
    }),
  );
