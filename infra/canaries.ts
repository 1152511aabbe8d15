import { Validations } from "aws-cdk-lib";
import type { Alarm } from "aws-cdk-lib/aws-cloudwatch";
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from "aws-cdk-lib/aws-codedeploy";
import { ManagedPolicy, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";
import { alarmsOfCanary } from "./alarm-rows.ts";
import type { ServiceFunction } from "./service-function.ts";

type CanariesProps = Readonly<{ functions: ReadonlyMap<string, ServiceFunction>; alarms: ReadonlyMap<string, Alarm> }>;

const POLICY = "service-role/AWSCodeDeployRoleForLambdaLimited";

/**
 * Lets each function that is called by an alias begin with a tenth of its calls when it changes, and take the rest after
 * five minutes; when one of its alarms goes off meanwhile, all calls go back to the version before, and so does the stack.
 */
export class Canaries extends Construct {
  constructor(scope: Construct, id: string, { functions, alarms }: CanariesProps) {
    super(scope, id);
    const application = new LambdaApplication(this, "Application");
    const role = new Role(this, "Role", {
      assumedBy: new ServicePrincipal("codedeploy.amazonaws.com"),
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName(POLICY)],
    });
    Validations.of(role).acknowledge({
      id: `AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${POLICY}]`,
      reason: "What CodeDeploy needs to move aliases and look at alarms, as AWS defines it",
    });
    for (const [name, { alias }] of functions) {
      if (alias === undefined) continue;
      new LambdaDeploymentGroup(this, name, {
        application,
        alias,
        role: role.withoutPolicyUpdates(),
        deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
        alarms: alarmsOfCanary(name).flatMap((alarm) => alarms.get(alarm) ?? []),
      });
    }
  }
}
