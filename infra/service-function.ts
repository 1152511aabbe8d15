import { copyFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { METRICS_NAMESPACE } from "@intents/deployment/metrics.ts";
import { namesOf } from "@intents/deployment/names.ts";
import { AssetHashType, DockerImage, Duration, RemovalPolicy, Validations } from "aws-cdk-lib";
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import {
  type Alias,
  Architecture,
  type CfnFunction,
  Code,
  type IFunction,
  Function as LambdaFunction,
  Runtime,
  Tracing,
} from "aws-cdk-lib/aws-lambda";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import { projectFolders } from "./bundle.ts";
import type { Deployment } from "./deployment.ts";
import type { FunctionGrants } from "./function-grants.ts";
import { grantsOf, type Stores } from "./grants.ts";

/**
 * The time limit of functions: shorter than a claim's lease of 60 s, longer than the rail's budget of 20 s, and below
 * the gateway's 29 s (H5).
 */
export const FUNCTION_TIMEOUT = Duration.seconds(28);
/** CPU comes in proportion to memory: this gives more than half a processor, because a cold start waits for it. */
const MEMORY_MB = 1024;

export type ServiceFunctionProps = Readonly<{
  /** The name of the function's file in functions/ and of its bundle's folder. */
  name: string;
  grants: FunctionGrants;
  stores: Stores;
  /** The settings of the stage; the names of stores come with their grants. */
  settings: Readonly<Record<string, string>>;
  deployment: Deployment;
  reservedConcurrency?: number | undefined;
  /** Whether requests reach it, which X-Ray follows from the API on. */
  isRequested?: boolean;
  /** Whether it is called by an alias, whose calls change over to another version in steps. */
  hasAlias?: boolean;
  /** A time limit of its own, if neither a caller nor a message waits for the function. */
  timeout?: Duration | undefined;
}>;

/**
 * The time for which a stage keeps the logs of its functions and its gateway. What a first deployment made before it
 * failed goes with it, because the next one makes logs of the same names.
 */
export const logRetention = ({ stage }: Deployment) => ({
  retention: stage === "production" ? RetentionDays.ONE_YEAR : RetentionDays.ONE_MONTH,
  removalPolicy: stage === "production" ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
});

/** A Lambda of the service: it gets each grant together with the variable that names the granted store. */
export class ServiceFunction extends Construct {
  readonly handler: LambdaFunction;
  /** The alias by which it is called, if it has one. */
  readonly alias: Alias | undefined;
  /** The alias, else the function. */
  readonly called: IFunction;
  readonly logGroup: LogGroup;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    const { name, grants, stores, settings, deployment } = props;
    const { reservedConcurrency, isRequested = false, hasAlias = false, timeout } = props;
    this.logGroup = new LogGroup(this, "Logs", logRetention(deployment));
    const granted = grantsOf(grants, stores);
    const role = new Role(this, "Role", {
      assumedBy: new ServicePrincipal("lambda.amazonaws.com"),
      inlinePolicies: {
        own: new PolicyDocument({
          statements: [
            new PolicyStatement({
              actions: ["logs:CreateLogStream", "logs:PutLogEvents"],
              resources: [this.logGroup.logGroupArn],
            }),
            ...(isRequested ? [mayTrace] : []),
            ...granted.statements,
          ],
        }),
      },
    });
    this.handler = new LambdaFunction(this, "Function", {
      // The operator's command reads a stage's settings from the function of this name.
      functionName: namesOf(deployment).functionOf(name),
      code: codeOf(join(projectFolders.dist, name)),
      handler: "index.handler",
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: MEMORY_MB,
      timeout: timeout ?? FUNCTION_TIMEOUT,
      environment: { ...settings, ...granted.variables, [METRICS_NAMESPACE]: namesOf(deployment).service },
      logGroup: this.logGroup,
      role,
      ...(reservedConcurrency !== undefined && { reservedConcurrentExecutions: reservedConcurrency }),
    });
    this.alias = hasAlias ? this.handler.addAlias("live") : undefined;
    // The CDK's types do not know of properties that are there and undefined.
    this.called = (this.alias as IFunction | undefined) ?? this.handler;
    if (isRequested) {
      // Said to CloudFormation itself, because the CDK would add a policy of its own to each role.
      Object.assign(this.handler.node.defaultChild as CfnFunction, { tracingConfig: { mode: Tracing.ACTIVE } });
      const reason = "X-Ray's segments belong to no resource that a policy could name";
      Validations.of(role).acknowledge({ id: "AwsSolutions::AwsSolutions-IAM5[Resource::*]", reason });
    }
  }
}

const mayTrace = new PolicyStatement({
  actions: ["xray:PutTraceSegments", "xray:PutTelemetryRecords"],
  resources: ["*"],
});

/** The function's folder, its bundle under the file name that every Node runtime looks for. */
function codeOf(folder: string): Code {
  const tryBundle = (output: string): boolean => {
    const bundles = readdirSync(folder).filter((name) => /\.cjs(\.map)?$/.test(name));
    for (const name of bundles) copyFileSync(join(folder, name), join(output, name.replace(/^index\.cjs/, "index.js")));
    return true;
  };
  // The image is never pulled, because the local way always succeeds.
  return Code.fromAsset(folder, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: { local: { tryBundle }, image: DockerImage.fromRegistry("none") },
  });
}
