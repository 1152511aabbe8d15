/** What a stage's deployment makes under names of its own, by which the operator's command finds it. */
export function namesOf(stage: string) {
  const service = `payment-intents-${stage}`;
  return {
    /** The stack of functions and API, and the API and its usage plan in it. */
    service,
    dataStack: `${service}-data`,
    mainTable: service,
    functionOf: (name: string): string => `${service}-${name}`,
    /** A key of the API's gateway. */
    gatewayKeyOf: (clientId: string): string => `${service}:${clientId}`,
    /** What the deployer puts into the account beforehand: the rail's address, and its signing secret. */
    connectorUrl: `/payment-intents/${stage}/connector-url`,
    connectorSecret: `payment-intents/${stage}/connector-secret`,
  } as const;
}
