import { namesOf } from "@intents/deployment/names.ts";
import { mainTableSchema } from "@intents/deployment/table-schema.ts";
import { recordKinds } from "@intents/storage/table/record-kinds.ts";
import { ArnFormat, Stack, Validations } from "aws-cdk-lib";
import { Effect, ManagedPolicy, PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";
import type { Deployment } from "./deployment.ts";
import { keepHistory, objectPatternsOf, type Stores, scanning } from "./grants.ts";
import { signingSecrets } from "./stage-settings.ts";
import type { StatefulStack } from "./stateful-stack.ts";

type Props = Readonly<{ deployment: Deployment; stateful: StatefulStack }>;

/**
 * Two policies for the operator's command: `looks` for every operator's user or role, and `changes` for some. An
 * operator with `looks` alone cannot read the rail's signing secret, by which payments are made.
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
    Validations.of(this).acknowledge({
      id: `AwsSolutions::AwsSolutions-IAM5[Resource::${props.stateful.exportOf("documents")}/${FILES_OF_REQUESTS}]`,
      reason: "The files of requests for commissions, of all tenants",
    });
    for (const path of KEYS_OF_GATEWAY)
      Validations.of(this).acknowledge({
        id: `AwsSolutions::AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:apigateway:<AWS::Region>::/${path}]`,
        reason: "Keys of API Gateway and usage plans have ids of their own, which nobody knows beforehand",
      });
  }
}

const FILES_OF_REQUESTS = "requests/*";

/** The keys that callers are metered by, and a usage plan's. */
const KEYS_OF_GATEWAY = ["apikeys/*", "usageplans/*/keys"];

function looking(scope: Construct, { deployment, stateful }: Props): PolicyStatement[] {
  const { stores, queue, lanes } = stateful;
  const dead = deadLettersArn(scope, stateful);
  const functions = namesOf(deployment).settingsFunctions.map((resourceName) =>
    Stack.of(scope).formatArn({
      service: "lambda",
      resource: "function",
      resourceName,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    }),
  );
  const queues = [...[queue, ...lanes].map(({ queueArn }) => queueArn), dead];
  return [
    allow(["lambda:GetFunctionConfiguration"], functions),
    allow(dynamodb("DescribeTable", "GetItem", "BatchGetItem", "Query"), [
      ...arnsOf(stores.main, stores.rail),
      ...indexes(stores),
    ]),
    arnsOf(stores.main).map(scanning),
    allow(dynamodb("Scan"), arnsOf(stores.rail)),
    keepSecrets(stores),
    // The day on which a key was last used.
    allow(dynamodb("BatchGetItem"), arnsOf(stores.windows)),
    // Invoices and proofs of requests, and no document of a person.
    allow(
      ["s3:GetObject"],
      arnsOf(stores.documents).map((arn) => `${arn}/${FILES_OF_REQUESTS}`),
    ),
    allow(["s3:ListBucket"], arnsOf(stores.history)),
    allow(["sqs:GetQueueUrl", "sqs:GetQueueAttributes"], queues),
    // A sample of failed messages is taken out, and is back at once.
    allow(["sqs:ReceiveMessage"], [dead]),
  ].flat();
}

/** The secrets that sign webhooks are nobody's to look at. */
const keepSecrets = ({ main }: Stores): PolicyStatement[] =>
  main === undefined
    ? []
    : [
        new PolicyStatement({
          effect: Effect.DENY,
          actions: dynamodb("GetItem", "BatchGetItem", "Query"),
          resources: [main.arn],
          conditions: { "ForAnyValue:StringLike": { "dynamodb:LeadingKeys": recordKinds.webhookSecret.like } },
        }),
      ];

function changing(scope: Construct, { deployment, stateful }: Props): PolicyStatement[] {
  const { stores, queue } = stateful;
  return [
    allow(dynamodb("PutItem", "UpdateItem", "DeleteItem", "ConditionCheckItem"), arnsOf(stores.main, stores.rail)),
    keepHistory(stores),
    allow(["s3:GetObject"], objects(stores, "documents")),
    allow(["s3:ListBucket"], arnsOf(stores.bucket)),
    allow(["s3:PutObject"], [...objects(stores, "documents"), ...objects(stores, "history")]),
    allow(["s3:DeleteObject"], objects(stores, "documents")),
    allow(["sqs:SendMessage"], [queue.queueArn]),
    allow(["sqs:DeleteMessage"], [deadLettersArn(scope, stateful)]),
    allow(["apigateway:POST"], gateway(scope, ["apikeys", "usageplans/*/keys"])),
    allow(["apigateway:GET"], gateway(scope, ["apikeys", "usageplans"])),
    allow(["apigateway:GET", "apigateway:PATCH"], gateway(scope, ["apikeys/*"])),
    allow(["secretsmanager:GetSecretValue"], arnsOf(signingSecrets(Stack.of(scope), deployment).secret)),
  ].flat();
}

/**
 * The address of the queue of failed messages, of its name: one more export of the data's stack would be in use by this
 * stack, and keep an earlier version, which does not have it, from being deployed again.
 */
const deadLettersArn = (scope: Construct, { deadLetters }: StatefulStack): string =>
  Stack.of(scope).formatArn({ service: "sqs", resource: deadLetters.queueName, arnFormat: ArnFormat.NO_RESOURCE_NAME });

/** A stage without the resources gets no statement. */
const allow = (actions: string[], resources: string[]): PolicyStatement[] =>
  resources.length === 0 ? [] : [new PolicyStatement({ actions, resources })];
const dynamodb = (...operations: readonly string[]): string[] => operations.map((name) => `dynamodb:${name}`);
const arnsOf = (...stores: readonly Stores[keyof Stores][]): string[] =>
  stores.flatMap((store) => (store === undefined ? [] : [store.arn, ...(store.others ?? [])]));

const indexes = ({ main }: Stores): string[] =>
  mainTableSchema.indexes.flatMap(({ name }) => arnsOf(main).map((arn) => `${arn}/index/${name}`));
const objects = (stores: Stores, bucket: "documents" | "history"): string[] =>
  arnsOf(stores[bucket]).flatMap((arn) => objectPatternsOf(bucket).map((pattern) => `${arn}/${pattern}`));
const gateway = (scope: Construct, paths: readonly string[]): string[] =>
  paths.map((path) =>
    Stack.of(scope).formatArn({
      service: "apigateway",
      account: "",
      resource: `/${path}`,
      arnFormat: ArnFormat.NO_RESOURCE_NAME,
    }),
  );
