import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { METRICS_NAMESPACE } from "@intents/deployment/metrics.ts";
import { namesOf } from "@intents/deployment/names.ts";
import { AssetHashType, DockerImage, Duration, RemovalPolicy } from "aws-cdk-lib";
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Architecture, Code, Function as LambdaFunction, Runtime } from "aws-cdk-lib/aws-lambda";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import { projectFolders } from "./bundle.ts";
import type { Deployment } from "./deployment.ts";
import type { FunctionUse } from "./function-uses.ts";
import { grantsOf, type Stores } from "./grants.ts";

/**
 * The time limit of functions: shorter than a claim's lease of 60 s, longer than the rail's budget of 20 s, and below
 * the gateway's 29 s (H5).
 */
export const FUNCTION_TIMEOUT = Duration.seconds(28);
/** CPU comes in proportion to memory: this gives more than half a processor, because a cold start waits for it. */
const MEMORY_MB = 1024;

export type ServiceFunctionProps = Readonly<{
  /** The name of the function's file in functions/ and of its folder in dist/. */
  name: string;
  /** The folder of its bundle, if it is not in the project's own dist/. */
  dist?: string;
  use: FunctionUse;
  stores: Stores;
  /** All settings of the stage; the function gets those that its code reads. */
  settings: Readonly<Record<string, string>>;
  deployment: Deployment;
  /** The permissions that its code does not show: reading the queue that invokes it. */
  statements?: readonly PolicyStatement[];
  reservedConcurrency?: number | undefined;
  /** A time limit of its own, if neither a caller nor a message waits for the function. */
  timeout?: Duration | undefined;
}>;

/** The time for which a stage keeps the logs of its functions and its gateway. */
export const logRetention = ({ stage }: Deployment) => ({
  retention: stage === "production" ? RetentionDays.ONE_YEAR : RetentionDays.ONE_MONTH,
  removalPolicy: stage === "production" ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
});

/** A Lambda of the service: it gets each grant together with the variable that names the granted store. */
export class ServiceFunction extends Construct {
  readonly handler: LambdaFunction;
  readonly logGroup: LogGroup;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    const { name, dist = projectFolders.dist, use, stores, settings, deployment } = props;
    const { statements = [], reservedConcurrency, timeout } = props;
    this.logGroup = new LogGroup(this, "Logs", logRetention(deployment));
    const granted = grantsOf(use, stores);
    const role = new Role(this, "Role", {
      assumedBy: new ServicePrincipal("lambda.amazonaws.com"),
      inlinePolicies: {
        own: new PolicyDocument({
          statements: [
            new PolicyStatement({
              actions: ["logs:CreateLogStream", "logs:PutLogEvents"],
              resources: [this.logGroup.logGroupArn],
            }),
            ...granted.statements,
            ...statements,
          ],
        }),
      },
    });
    const read = Object.entries(settings).filter(([setting]) => use.settings.includes(setting));
    this.handler = new LambdaFunction(this, "Function", {
      // The operator's command reads a stage's settings from the function of this name.
      functionName: namesOf(deployment.stage).functionOf(name),
      code: codeOf(join(dist, name)),
      handler: "index.handler",
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: MEMORY_MB,
      timeout: timeout ?? FUNCTION_TIMEOUT,
      environment: {
        ...Object.fromEntries(read),
        ...granted.variables,
        [METRICS_NAMESPACE]: namesOf(deployment.stage).service,
      },
      logGroup: this.logGroup,
      role,
      ...(reservedConcurrency !== undefined && { reservedConcurrentExecutions: reservedConcurrency }),
    });
  }
}

/** The function's bundle under the file name that every Node runtime looks for, and without its source map. */
function codeOf(folder: string): Code {
  const tryBundle = (output: string): boolean => {
    copyFileSync(join(folder, "index.cjs"), join(output, "index.js"));
    return true;
  };
  // The image is never pulled, because the local way always succeeds.
  return Code.fromAsset(folder, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: { local: { tryBundle }, image: DockerImage.fromRegistry("none") },
  });
}
