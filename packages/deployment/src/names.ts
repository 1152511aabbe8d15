import { realRails } from "./real-rails.ts";

/** One deployment: several with a prefix of their own live side by side in a stage of one account and region. */
export type Named = Readonly<{ stage: string; prefix?: string | undefined }>;

/**
 * The prefixes that there may be: short ones, because the names of functions have 64 characters at most, and none by which
 * AWS begins names of its own parameters.
 */
export const PREFIX = /^(?!aws|ssm)[a-z][a-z\d]*(-[a-z\d]+)*$/;
export const PREFIX_LENGTH_MAX = 20;

/** The names of a deployment's resources, by which the operator's command finds them. */
export function namesOf({ stage, prefix }: Named) {
  const root = prefix === undefined ? "payment-intents" : `${prefix}-payment-intents`;
  const path = prefix === undefined ? "payment-intents" : `${prefix}/payment-intents`;
  const service = `${root}-${stage}`;
  const functionOf = (name: string): string => `${service}-${name}`;
  return {
    /** The stack of functions and API, the API and its usage plan in it, and the namespace of its metrics. */
    service,
    dataStack: `${service}-data`,
    mainTable: service,
    functionOf,
    /** These have all settings between them: those of the rail and the queue, of the documents, and of the history. */
    settingsFunctions: [
      ...["advance-intent", "payment-intents"],
      ...(stage === "production" ? ["copy-history"] : []),
    ].map(functionOf),
    /** A key of the API's gateway. */
    gatewayKeyOf: (clientId: string): string => `${service}:${clientId}`,
    /** The parameters that the deployer creates beforehand: each rail's address and signing secret. */
    rails: realRails.map(({ name, place }) => ({
      name,
      url: `/${path}/${stage}/${place}-url`,
      secret: `${path}/${stage}/${place}-secret`,
    })),
  } as const;
}
