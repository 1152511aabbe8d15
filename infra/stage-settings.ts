import { namesOf } from "@intents/deployment/names.ts";
import { ArnFormat, type Stack } from "aws-cdk-lib";
import { StringParameter } from "aws-cdk-lib/aws-ssm";
import type { Construct } from "constructs";
import type { Deployment } from "./deployment.ts";
import type { Stores } from "./grants.ts";
import { imprintSettings } from "./imprint.ts";

/**
 * The settings of functions, apart from the names of stores; absent ones have the defaults of
 * packages/deployment/src/settings.ts.
 */
export type Settings = Readonly<Record<string, string>>;

/** The settings that tell functions which rails to pay by. */
function connectorSettings(scope: Construct, deployment: Deployment): Settings {
  if (deployment.stage !== "production") return { CONNECTOR: "sandbox" };
  const { connectorFormerUrls } = deployment;
  const urls = namesOf(deployment).rails.map(
    ({ name, url }) => `${name}=${StringParameter.valueForStringParameter(scope, url)}`,
  );
  return {
    CONNECTOR: "http",
    ...(connectorFormerUrls !== undefined && { CONNECTOR_FORMER_URLS: connectorFormerUrls }),
    CONNECTOR_URL: urls.join(" "),
  };
}

/** The deployer's choices for the stage. */
export const stageSettings = (scope: Construct, deployment: Deployment): Settings => ({
  STAGE: deployment.stage,
  TWO_PERSONS: deployment.twoPersons,
  DOCS: deployment.docs,
  ...connectorSettings(scope, deployment),
  ...retentionSettings(deployment),
  ...imprintSettings(deployment.imprint),
});

/** How long the stage keeps documents, where it says so. */
const retentionSettings = ({ paymentDocumentDays, savedDocumentDays }: Deployment): Settings => ({
  ...(paymentDocumentDays !== undefined && { PAYMENT_DOCUMENT_DAYS: String(paymentDocumentDays) }),
  ...(savedDocumentDays !== undefined && { SAVED_DOCUMENT_DAYS: String(savedDocumentDays) }),
});

/**
 * The signing secrets of rails, which the deployer puts into the account beforehand, and functions read when they need
 * them. They ask by name: a secret's whole address ends in six characters that nobody knows beforehand, and one without
 * them is taken for whole here, because the name ends like that.
 */
export function signingSecrets(stack: Stack, deployment: Deployment): Stores {
  if (deployment.stage !== "production") return {};
  const { rails } = namesOf(deployment);
  const [arn, ...others] = rails.map(({ secret }) => {
    const address = { service: "secretsmanager", resource: "secret", resourceName: `${secret}-??????` };
    return stack.formatArn({ ...address, arnFormat: ArnFormat.COLON_RESOURCE_NAME });
  });
  const value = rails.map(({ name, secret }) => `${name}=${secret}`).join(" ");
  return arn === undefined ? {} : { secret: { variable: "CONNECTOR_SECRET", value, arn, others } };
}

/**
 * The API's address, without a reference to its stage: the stage is made after the functions that are told the address.
 */
export function baseUrlOf(stack: Stack, restApiId: string, { stage, emulator, apiDomain }: Deployment): string {
  if (apiDomain !== undefined) return `https://${apiDomain.name}`;
  return emulator === undefined
    ? `https://${restApiId}.execute-api.${stack.region}.${stack.urlSuffix}/${stage}`
    : `${emulator}/_aws/execute-api/${restApiId}/${stage}`;
}
