import {
  APIGatewayClient,
  ConflictException,
  CreateApiKeyCommand,
  CreateUsagePlanKeyCommand,
  GetApiKeyCommand,
  GetApiKeysCommand,
  GetUsagePlansCommand,
  UpdateApiKeyCommand,
  type UpdateApiKeyCommandInput,
} from "@aws-sdk/client-api-gateway";
import { mockClient } from "aws-sdk-client-mock";

export type GatewayKey = { id: string; name: string; value: string; enabled: boolean };

/**
 * For tests: an API Gateway that remembers its keys, and those on the usage plan of stage `sandbox`. It answers every
 * list with one item per page, and nothing else of AWS exists.
 */
export function mockApiGateway() {
  const keys: GatewayKey[] = [];
  const onPlan = new Set<string>();
  const plans = [
    { id: "plan-other", name: "payment-intents-production" },
    { id: "plan", name: "payment-intents-sandbox" },
  ];
  const page = <Item>(items: readonly Item[], position = "0") => {
    const next = Number(position) + 1;
    return { items: items.slice(next - 1, next), ...(next < items.length && { position: String(next) }) };
  };
  const keyOf = (id: string | undefined): GatewayKey => {
    const key = keys.find((known) => known.id === id);
    if (key === undefined) throw new Error(`There is no key ${id}`);
    return key;
  };
  const mock = mockClient(APIGatewayClient);
  mock.onAnyCommand().rejects(new Error("A command that nobody expected"));
  mock.on(GetUsagePlansCommand).callsFake(({ position }) => page(plans, position));
  mock.on(GetApiKeysCommand).callsFake(({ position, nameQuery }) =>
    page(
      keys.filter(({ name }) => name.startsWith(nameQuery)).map(({ value, ...rest }) => rest),
      position,
    ),
  );
  mock.on(GetApiKeyCommand).callsFake(({ apiKey, includeValue }) => {
    const { value, ...rest } = keyOf(apiKey);
    return includeValue ? { ...rest, value } : rest;
  });
  mock.on(CreateApiKeyCommand).callsFake(({ name, value, enabled }) => {
    const key = { id: `id-${keys.length}`, name, value, enabled };
    keys.push(key);
    return key;
  });
  /** The effect of UpdateApiKey, for a test that made it fail before. */
  const update = ({ apiKey, patchOperations: [patch] = [] }: UpdateApiKeyCommandInput) => {
    if (patch?.op !== "replace" || patch.path !== "/enabled") throw new Error("Only /enabled may change");
    keyOf(apiKey).enabled = patch.value === "true";
    return {};
  };
  mock.on(UpdateApiKeyCommand).callsFake(update);
  mock.on(CreateUsagePlanKeyCommand).callsFake(({ usagePlanId, keyId, keyType }) => {
    if (usagePlanId !== "plan" || keyType !== "API_KEY") throw new Error("That is another plan");
    if (onPlan.has(keyId)) throw new ConflictException({ message: "On the plan already", $metadata: {} });
    onPlan.add(keyOf(keyId).id);
    return {};
  });
  return { mock, keys, onPlan, plans, update };
}
