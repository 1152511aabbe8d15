import { namesOf } from "@intents/deployment/names.ts";
import { ArnFormat, Duration, Stack, Validations } from "aws-cdk-lib";
import { PolicyDocument, PolicyStatement, Role, WebIdentityPrincipal } from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";
import type { Deployment } from "./deployment.ts";

type Props = Readonly<{ deployment: Deployment; repository: string }>;

/** GitHub's provider of OIDC, which an account has once. */
const PROVIDER = "token.actions.githubusercontent.com";

/**
 * The role of a pipeline's job that compares a pull request with the deployed stage. Nobody has reviewed the code that
 * the job runs. So the role reads the stage's templates and the addresses of rails, and may assume no other role: the
 * CDK's own look-up role would read every file and record.
 */
class DiffRole extends Construct {
  readonly arn: string;

  constructor(scope: Construct, id: string, { deployment, repository }: Props) {
    super(scope, id);
    const stack = Stack.of(this);
    const { service, rails } = namesOf(deployment);
    // The names of the data's stack, and of stacks within another, begin with the name of the service's.
    const stackNames = [`${service}/*`, `${service}-*/*`];
    const stacks = stackNames.map((resourceName) =>
      stack.formatArn({ service: "cloudformation", resource: "stack", resourceName }),
    );
    const addresses = rails.map(({ url }) =>
      stack.formatArn({ service: "ssm", resource: `parameter${url}`, arnFormat: ArnFormat.NO_RESOURCE_NAME }),
    );
    const provider = stack.formatArn({ service: "iam", region: "", resource: "oidc-provider", resourceName: PROVIDER });
    const role = new Role(this, "Role", {
      description: `Pull requests of ${repository} compare themselves with this stage`,
      maxSessionDuration: Duration.hours(1),
      assumedBy: new WebIdentityPrincipal(provider, {
        StringEquals: {
          [`${PROVIDER}:aud`]: "sts.amazonaws.com",
          [`${PROVIDER}:sub`]: `repo:${repository}:environment:diff`,
        },
      }),
      inlinePolicies: {
        Looks: new PolicyDocument({
          statements: [
            new PolicyStatement({
              actions: ["DescribeStacks", "GetTemplate", "ListStackResources"].map((name) => `cloudformation:${name}`),
              resources: stacks,
            }),
            new PolicyStatement({ actions: ["ssm:GetParameter"], resources: addresses }),
          ],
        }),
      },
    });
    for (const name of stackNames)
      Validations.of(role).acknowledge({
        id: `AwsSolutions::AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:cloudformation:<AWS::Region>:<AWS::AccountId>:stack/${name}]`,
        reason:
          "CloudFormation gives each stack an id, and each stack within another a name, that nobody knows beforehand",
      });
    this.arn = role.roleArn;
  }
}

/** The output that names the role, if the deployment names a repository. */
export function diffRoleOf(scope: Construct, deployment: Deployment): Readonly<Record<string, string>> {
  const { diffRepository: repository } = deployment;
  return repository === undefined ? {} : { DiffRoleArn: new DiffRole(scope, "Diff", { deployment, repository }).arn };
}
