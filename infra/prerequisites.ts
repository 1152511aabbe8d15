import { namesOf } from "@intents/deployment/names.ts";
import { Annotations, type Stack } from "aws-cdk-lib";
import { ContextProvider } from "aws-cdk-lib/cloud-assembly-schema";
import type { Deployment } from "./deployment.ts";
import { imprintNames } from "./imprint.ts";

/** The account and the region that the CDK's command line deploys to; undefined without credentials. */
export type Target = Readonly<{ account: string | undefined; region: string | undefined }>;

/**
 * Checks that the alarm topic is in the region of the alarms, and that the deployer of production has prepared the
 * account. The CDK's command line looks values up with the deployer's credentials, and synthesizes again. One line for
 * each missing value: an error for the rail's address, without which nothing can be deployed; a warning for its signing
 * secret, which functions read only when they pay, for alarms without a receiver, and for an incomplete imprint.
 */
export function lookForPrerequisites(stack: Stack, deployment: Deployment, { account, region }: Target): void {
  const { stage, emulator, alarmEmail, alarmTopicArn, imprint } = deployment;
  if (emulator !== undefined) return;
  if (alarmTopicArn !== undefined && region !== undefined && alarmTopicArn.split(":")[3] !== region)
    Annotations.of(stack).addError(`alarmTopicArn must be of ${region}: alarms tell only topics of their own region`);
  if (stage !== "production") return;
  if (alarmEmail === undefined && alarmTopicArn === undefined)
    Annotations.of(stack).addWarningV2(
      "payment-intents:alarms",
      "Nobody is told of alarms: deploy with -c alarmEmail=… or -c alarmTopicArn=…, unless somebody has subscribed to the topic of the output AlarmTopicArn",
    );
  const unsaid = imprintNames.filter((name) => imprint[name] === undefined);
  if (unsaid.length > 0)
    Annotations.of(stack).addWarningV2(
      "payment-intents:imprint",
      `Payers are not told all of who takes their money: deploy with ${unsaid.map((name) => `-c ${name}=…`).join(" ")}, unless each tenant has its own`,
    );
  if (account === undefined || region === undefined) return;
  const place = `account ${account}, ${region}`;
  /** The value under a name: undefined before the CDK's lookup, and an error where the lookup failed. */
  const lookUp = (provider: ContextProvider, props: Readonly<Record<string, unknown>>, name: string): unknown => {
    const key = `payment-intents:${provider}:${account}:${region}:${name}`;
    const found: unknown = stack.node.tryGetContext(key);
    if (found === undefined)
      stack.reportMissingContextKey({ key, provider, props: { account, region, ...props } as never });
    return found;
  };

  for (const { url: parameterName, secret: secretName } of namesOf(deployment).rails) {
    const url = lookUp(ContextProvider.SSM_PARAMETER_PROVIDER, { parameterName }, parameterName);
    if (url !== undefined && !/^https:\/\/\S+$/.test(String(url)))
      Annotations.of(stack).addError(
        `Production needs the rail's https address in the SSM parameter ${parameterName} (${place}): aws ssm put-parameter --type String --name ${parameterName} --value https://…`,
      );
    const secret = { typeName: "AWS::SecretsManager::Secret", exactIdentifier: secretName, propertiesToReturn: [] };
    const found = lookUp(ContextProvider.CC_API_PROVIDER, secret, secretName);
    if (found !== undefined && !Array.isArray(found))
      Annotations.of(stack).addWarningV2(
        "payment-intents:connector-secret",
        `Production pays only with the rail's signing secret, which was not found in Secrets Manager as ${secretName} (${place}), or which these credentials may not look up: docs/deploy.md tells how to make one`,
      );
  }
}
