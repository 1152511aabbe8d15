import {
  APIGatewayClient,
  CreateApiKeyCommand,
  CreateUsagePlanKeyCommand,
  paginateGetApiKeys,
  paginateGetUsagePlans,
  UpdateApiKeyCommand,
} from "@aws-sdk/client-api-gateway";
import { Refusal } from "./refusal.ts";

/** API Gateway's side of a key: what it meters by, never what the client proves itself with (H46). */
export type ApiKeyGateway = Readonly<{
  /** Makes the key that a client is metered by, on the usage plan; making it again changes nothing. */
  add: (clientId: string, gatewayKey: string) => Promise<void>;
  disable: (clientId: string) => Promise<void>;
  /** The client ids that the gateway knows. */
  list: () => Promise<string[]>;
}>;

/** The local gateway meters nothing: the service's own limiter does. */
export const localGateway: ApiKeyGateway = {
  add: async () => undefined,
  disable: async () => undefined,
  list: async () => [],
};

/** API Gateway of one stage, found by the names that the deployment gave. */
export function openApiGateway(stage: string): ApiKeyGateway {
  const client = new APIGatewayClient({});
  const prefix = `payment-intents-${stage}:`;
  const keys = async () => {
    const found: { id: string; clientId: string }[] = [];
    for await (const page of paginateGetApiKeys({ client }, { nameQuery: prefix })) {
      for (const { id, name } of page.items ?? []) {
        if (id !== undefined && name?.startsWith(prefix)) found.push({ id, clientId: name.slice(prefix.length) });
      }
    }
    return found;
  };
  return {
    async add(clientId, gatewayKey) {
      const known = (await keys()).find((key) => key.clientId === clientId);
      const id = known?.id ?? (await createKey(client, prefix + clientId, gatewayKey));
      const usagePlanId = await findUsagePlan(client, stage);
      try {
        await client.send(new CreateUsagePlanKeyCommand({ usagePlanId, keyId: id, keyType: "API_KEY" }));
      } catch (error) {
        // On the plan already: a repaired half.
        if ((error as Error).name !== "ConflictException") throw error;
      }
    },
    async disable(clientId) {
      const known = (await keys()).find((key) => key.clientId === clientId);
      if (known === undefined) return;
      const patchOperations = [{ op: "replace" as const, path: "/enabled", value: "false" }];
      await client.send(new UpdateApiKeyCommand({ apiKey: known.id, patchOperations }));
    },
    list: async () => (await keys()).map(({ clientId }) => clientId),
  };
}

async function createKey(client: APIGatewayClient, name: string, value: string): Promise<string> {
  const { id } = await client.send(new CreateApiKeyCommand({ name, value, enabled: true }));
  if (id === undefined) throw new Error("API Gateway made a key without an id");
  return id;
}

async function findUsagePlan(client: APIGatewayClient, stage: string): Promise<string> {
  for await (const page of paginateGetUsagePlans({ client }, {})) {
    const plan = page.items?.find(({ name }) => name === `payment-intents-${stage}`);
    if (plan?.id !== undefined) return plan.id;
  }
  throw new Refusal(`No usage plan of stage ${stage} is here: is it deployed in this account and region?`);
}
