import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";

/** What functions use of the SDK for secrets, each of them loading it when it first reads one. */
export { GetSecretValueCommand, ResourceNotFoundException, SecretsManagerClient };
