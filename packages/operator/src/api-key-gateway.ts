import {
  APIGatewayClient,
  ConflictException,
  CreateApiKeyCommand,
  CreateUsagePlanKeyCommand,
  GetApiKeyCommand,
  paginateGetApiKeys,
  paginateGetUsagePlans,
  UpdateApiKeyCommand,
} from "@aws-sdk/client-api-gateway";
import { type Named, namesOf } from "@intents/deployment/names.ts";
import { Refusal } from "./refusal.ts";
import { describeStage } from "./stage.ts";

/** API Gateway's side of a key: the value that it meters by, and never the client's secret (H46). */
export type ApiKeyGateway = Readonly<{
  /**
   * Puts the key that a client is metered by on the usage plan, and tells its value: `fresh`, or the value of a key
   * that an earlier, failed create left.
   */
  add: (clientId: string, fresh: string) => Promise<string>;
  disable: (clientId: string) => Promise<void>;
  /** The client ids whose keys the gateway lets through. */
  list: () => Promise<string[]>;
}>;

/** The local gateway meters nothing: the service's own limiter does. */
export const localGateway: ApiKeyGateway = {
  add: async (_clientId, fresh) => fresh,
  disable: async () => undefined,
  list: async () => [],
};

/** API Gateway of one stage, found by the names that the deployment gave. */
export function openApiGateway(deployed: Named): ApiKeyGateway {
  const client = new APIGatewayClient({});
  const prefix = namesOf(deployed).gatewayKeyOf("");
  const keys = async () => {
    const found: { id: string; clientId: string; enabled: boolean }[] = [];
    for await (const page of paginateGetApiKeys({ client }, { nameQuery: prefix })) {
      for (const { id, name, enabled = true } of page.items ?? []) {
        if (id === undefined || !name?.startsWith(prefix)) continue;
        found.push({ id, clientId: name.slice(prefix.length), enabled });
      }
    }
    return found;
  };
  const find = async (clientId: string) => (await keys()).find((key) => key.clientId === clientId);
  return {
    async add(clientId, fresh) {
      const [usagePlanId, half] = await Promise.all([findUsagePlan(client, deployed), find(clientId)]);
      const id = half?.id ?? (await createKey(client, prefix + clientId, fresh));
      if (half?.enabled === false) await setEnabled(client, id, true);
      try {
        await client.send(new CreateUsagePlanKeyCommand({ usagePlanId, keyId: id, keyType: "API_KEY" }));
      } catch (error) {
        // The key that an earlier create left is on the plan already.
        if (!(error instanceof ConflictException)) throw error;
      }
      return half === undefined ? fresh : readValue(client, id);
    },
    async disable(clientId) {
      const known = await find(clientId);
      if (known !== undefined) await setEnabled(client, known.id, false);
    },
    list: async () => (await keys()).filter(({ enabled }) => enabled).map(({ clientId }) => clientId),
  };
}

async function createKey(client: APIGatewayClient, name: string, value: string): Promise<string> {
  const { id } = await client.send(new CreateApiKeyCommand({ name, value, enabled: true }));
  if (id === undefined) throw new Error("API Gateway made a key without an id");
  return id;
}

/** The value of a key. It cannot be changed, so that a create which takes over an existing key must use its value. */
async function readValue(client: APIGatewayClient, id: string): Promise<string> {
  const { value } = await client.send(new GetApiKeyCommand({ apiKey: id, includeValue: true }));
  if (value === undefined) throw new Error("API Gateway has a key without a value");
  return value;
}

async function setEnabled(client: APIGatewayClient, id: string, enabled: boolean): Promise<void> {
  const patchOperations = [{ op: "replace" as const, path: "/enabled", value: String(enabled) }];
  await client.send(new UpdateApiKeyCommand({ apiKey: id, patchOperations }));
}

async function findUsagePlan(client: APIGatewayClient, deployed: Named): Promise<string> {
  for await (const page of paginateGetUsagePlans({ client }, {})) {
    const plan = page.items?.find(({ name }) => name === namesOf(deployed).service);
    if (plan?.id !== undefined) return plan.id;
  }
  throw new Refusal(`No usage plan of ${describeStage(deployed)} is here: is it deployed in this account and region?`);
}
