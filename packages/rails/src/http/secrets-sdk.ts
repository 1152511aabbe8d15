import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";

/** The SDK's parts for secrets. A function loads them when it first reads a secret. */
export { GetSecretValueCommand, ResourceNotFoundException, SecretsManagerClient };
