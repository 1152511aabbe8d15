import { once } from "@intents/domain/once.ts";

/**
 * Stands in the bundles for the SDK's chain of credential providers, a fifth of what a small function loads: Lambda puts
 * the credentials of a function into its environment, and ends a container before they expire. They are read once, since
 * the SDK asks several times a call, and reading the environment is not free.
 */
export const defaultProvider = () =>
  once(async () => {
    const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = process.env;
    if (accessKeyId === undefined || secretAccessKey === undefined)
      throw new Error("The environment has no AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, which Lambda sets");
    return { accessKeyId, secretAccessKey, sessionToken: process.env["AWS_SESSION_TOKEN"] };
  });
